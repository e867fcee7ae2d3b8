#include "data/readers/zip_archive.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <new>

#include <zlib.h>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kEndBytes = 22;      // of the record at the end of an archive
constexpr std::size_t kLocatorBytes = 20;  // of the one before it that leads to that of zip64
constexpr std::size_t kEnd64Bytes = 56;
constexpr std::size_t kEntryBytes = 46;  // of an entry in the directory, without its names
constexpr std::size_t kLocalBytes = 30;  // of what stands before the contents, likewise
constexpr std::size_t kLongestComment = 0xffff;
constexpr std::uint32_t kIn64 = 0xffffffff;  // a number that stands in the zip64 field

[[noreturn]] void throw_damaged(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::data, fmt::format("the zip archive is damaged: {}", what), path, "fetch or write it again");
}

// Bytes of the archive, in which numbers are little-endian.
class ZipBytes {
 public:
  ZipBytes(std::string bytes, const std::string& path) : bytes_(std::move(bytes)), path_(path) {}

  std::size_t size() const { return bytes_.size(); }
  std::uint64_t number(std::size_t at, std::size_t width) const {
    const std::string_view part = text(at, width);
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(part[i]);
    return value;
  }
  std::string_view text(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) throw_damaged(path_, "its directory ends too early");
    return std::string_view(bytes_).substr(at, size);
  }

 private:
  std::string bytes_;
  const std::string& path_;
};

class ZipFile {
 public:
  explicit ZipFile(const std::string& path)
      : path_(path), file_(path), size_(static_cast<std::uint64_t>(file_.size())) {}

  std::uint64_t size() const { return size_; }
  ZipBytes read(std::uint64_t offset, std::uint64_t size) {
    if (offset > size_ || size > size_ - offset) throw_damaged(path_, "it ends too early");
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file_.read_at(bytes.data(), bytes.size(), static_cast<std::size_t>(offset));
    return {std::move(bytes), path_};
  }

 private:
  const std::string& path_;
  FileHandle file_;
  std::uint64_t size_;
};

struct Directory {
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
};

// The last record may have a comment behind it.
Directory find_directory(ZipFile& file, const std::string& path) {
  const std::uint64_t tail = std::min<std::uint64_t>(file.size(), kEndBytes + kLongestComment);
  const ZipBytes end = file.read(file.size() - tail, tail);
  std::size_t at = end.size() < kEndBytes ? 0 : end.size() - kEndBytes + 1;
  while (at > 0 && end.text(at - 1, 4) != "PK\x05\x06") --at;
  if (at-- == 0) throw_damaged(path, "it has no directory at its end");
  Directory directory{end.number(at + 10, 2), end.number(at + 12, 4), end.number(at + 16, 4)};
  if (at < kLocatorBytes || end.text(at - kLocatorBytes, 4) != "PK\x06\x07") return directory;
  const ZipBytes end64 = file.read(end.number(at - kLocatorBytes + 8, 8), kEnd64Bytes);
  if (end64.text(0, 4) != "PK\x06\x06") throw_damaged(path, "its zip64 directory is not where it should be");
  return {end64.number(32, 8), end64.number(40, 8), end64.number(48, 8)};
}

// Numbers that do not fit into 32 bits are in the extra field 1, in this order, those alone.
void read_large_numbers(const ZipBytes& directory, std::size_t at, std::size_t size, ZipEntry& entry) {
  for (const std::size_t end = at + size; at + 4 <= end;) {
    const auto kind = directory.number(at, 2);
    const auto length = static_cast<std::size_t>(directory.number(at + 2, 2));
    at += 4;
    if (kind == 1) {
      for (std::uint64_t* number : {&entry.size, &entry.packed_size, &entry.offset}) {
        if (*number != kIn64) continue;
        *number = directory.number(at, 8);
        at += 8;
      }
      return;
    }
    at += length;
  }
}

void check_entry(const std::string& path, const ZipEntry& entry, std::uint64_t flags, std::uint64_t method) {
  if ((flags & 1) != 0)
    throw Error(ErrorKind::data, fmt::format("{} is encrypted", entry.name), path,
                "unpack it and name the file inside");
  if (method != 0 && method != 8)
    throw Error(ErrorKind::data, fmt::format("{} is compressed by method {}", entry.name, method), path,
                "unpack it and name the file inside, or write it with numpy.savez");
  if (method == 0 && entry.packed_size != entry.size) throw_damaged(path, entry.name + " has two sizes");
}

// The contents stand behind names whose lengths only the local header knows.
void find_contents(ZipFile& file, const std::string& path, ZipEntry& entry) {
  const ZipBytes local = file.read(entry.offset, kLocalBytes);
  if (local.text(0, 4) != "PK\x03\x04") throw_damaged(path, entry.name + " is not where the directory says");
  entry.offset += kLocalBytes + local.number(26, 2) + local.number(28, 2);
  if (entry.offset > file.size() || entry.packed_size > file.size() - entry.offset)
    throw_damaged(path, entry.name + " ends too early");
}

class ZipEntryBytes : public ByteSource {
 public:
  ZipEntryBytes(const std::string& path, ZipEntry entry) : path_(path), file_(path), entry_(std::move(entry)) {
    // Negative: deflated data without a wrapper.
    if (entry_.deflated && inflateInit2(&stream_, -15) != Z_OK) throw std::bad_alloc();
  }
  ~ZipEntryBytes() override {
    if (entry_.deflated) inflateEnd(&stream_);
  }
  double fraction() const override {
    return entry_.size == 0 ? 1 : static_cast<double>(delivered_) / static_cast<double>(entry_.size);
  }

 protected:
  std::size_t fill(char* to, std::size_t size) override {
    size = static_cast<std::size_t>(std::min<std::uint64_t>({size, entry_.size - delivered_, 1U << 30}));
    if (size == 0) return 0;
    const std::size_t count = entry_.deflated ? inflate_some(to, size) : read_packed(to, size);
    delivered_ += count;
    sum_ = static_cast<std::uint32_t>(crc32(sum_, reinterpret_cast<const Bytef*>(to), static_cast<uInt>(count)));
    if (delivered_ == entry_.size && sum_ != entry_.checksum)
      throw_damaged(path_, fmt::format("the checksum of {} is wrong", entry_.name));
    return count;
  }

 private:
  std::size_t read_packed(char* to, std::size_t size) {
    size = static_cast<std::size_t>(std::min<std::uint64_t>(size, entry_.packed_size - taken_));
    file_.read_at(to, size, static_cast<std::size_t>(entry_.offset + taken_));
    taken_ += size;
    return size;
  }

  std::size_t inflate_some(char* to, std::size_t size) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(read_packed(input_.data(), input_.size()));
      }
      // Z_OK: some input was taken, if not enough for output.
      if (inflate(&stream_, Z_NO_FLUSH) != Z_OK && stream_.avail_out == size)
        throw_damaged(path_, fmt::format("{} cannot be decompressed", entry_.name));
    }
    return size - stream_.avail_out;
  }

  std::string path_;
  FileHandle file_;
  ZipEntry entry_;
  std::uint64_t delivered_ = 0;
  std::uint64_t taken_ = 0;  // of the packed bytes
  std::uint32_t sum_ = 0;
  z_stream stream_ = {};
  std::string input_ = std::string(std::size_t{1} << 16, '\0');
};

}  // namespace

std::vector<ZipEntry> read_zip_entries(const std::string& path) {
  ZipFile file(path);
  const Directory found = find_directory(file, path);
  const ZipBytes directory = file.read(found.offset, found.size);
  std::vector<ZipEntry> entries;
  std::size_t at = 0;
  for (std::uint64_t k = 0; k < found.entries; ++k) {
    if (directory.text(at, 4) != "PK\x01\x02") throw_damaged(path, "its directory cannot be read");
    const auto name = static_cast<std::size_t>(directory.number(at + 28, 2));
    const auto extra = static_cast<std::size_t>(directory.number(at + 30, 2));
    const std::uint64_t method = directory.number(at + 10, 2);
    ZipEntry entry{.name = std::string(directory.text(at + kEntryBytes, name)),
                   .deflated = method == 8,
                   .checksum = static_cast<std::uint32_t>(directory.number(at + 16, 4)),
                   .packed_size = directory.number(at + 20, 4),
                   .size = directory.number(at + 24, 4),
                   .offset = directory.number(at + 42, 4)};
    read_large_numbers(directory, at + kEntryBytes + name, extra, entry);
    check_entry(path, entry, directory.number(at + 8, 2), method);
    find_contents(file, path, entry);
    entries.push_back(std::move(entry));
    at += kEntryBytes + name + extra + static_cast<std::size_t>(directory.number(at + 32, 2));
  }
  return entries;
}

std::unique_ptr<ByteSource> open_zip_entry(const std::string& path, const ZipEntry& entry) {
  return std::make_unique<ZipEntryBytes>(path, entry);
}

}  // namespace weft::detail
