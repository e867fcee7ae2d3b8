#include "data/readers/byte_source.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <fmt/format.h>

namespace weft::detail {

namespace {

[[noreturn]] void throw_file(const std::string& path, int code) {
  const char* hint = code == ENOENT   ? "check the path"
                     : code == EISDIR ? "name a file, not a folder"
                     : code == EACCES ? "check the permissions of the file and its folder"
                                      : "check the disk and try again";
  throw Error(ErrorKind::file, fmt::format("cannot be read ({})", std::strerror(code)), path, hint);
}

[[noreturn]] void throw_cut_off(const std::string& name) {
  throw Error(ErrorKind::data, "the file ends too early", name, "fetch or write it again");
}

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(const std::string& path) : file_(path) {}
  double fraction() const override { return file_.size() > 0 ? std::min(1.0, read_ / file_.size()) : -1; }
  double size() const override { return file_.size() > 0 ? file_.size() : -1; }

 protected:
  std::size_t fill(char* to, std::size_t size) override {
    const std::size_t count = file_.read(to, size);
    read_ += static_cast<double>(count);
    return count;
  }

 private:
  FileHandle file_;
  double read_ = 0;
};

class MemoryBytes : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view text) : text_(text) {}
  double fraction() const override {
    return text_.empty() ? 1 : static_cast<double>(at_) / static_cast<double>(text_.size());
  }
  double size() const override { return static_cast<double>(text_.size()); }

 protected:
  std::size_t fill(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, text_.size() - at_);
    std::copy_n(text_.data() + at_, count, to);
    at_ += count;
    return count;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// By inflate rather than gzread: where the header of a later member is damaged, gzread takes the rest of the file for
// padding and ends without an error, and the rows behind it would be lost unnoticed.
class GzipBytes : public ByteSource {
 public:
  GzipBytes(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)), name_(std::move(name)), input_(kInputSize) {
    // 16: gzip wrapper, no bare zlib streams.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipBytes() override { inflateEnd(&stream_); }
  double fraction() const override { return packed_->fraction(); }

 protected:
  std::size_t fill(char* to, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1u << 30));
    const uInt asked = stream_.avail_out;
    while (stream_.avail_out == asked && !finished_) inflate_some();
    return asked - stream_.avail_out;
  }

 private:
  static constexpr std::size_t kInputSize = 1 << 16;

  void inflate_some() {
    if (stream_.avail_in == 0 && !refill()) {
      if (between_members_) {
        finished_ = true;
        return;
      }
      throw Error(ErrorKind::data, "the gzip data end too early", place(), "fetch or compress the file again");
    }
    if (between_members_ && !start_member()) return;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      between_members_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw Error(ErrorKind::data,
                  fmt::format("the gzip data are damaged ({})", stream_.msg != nullptr ? stream_.msg : "bad stream"),
                  place(), "fetch or compress the file again");
    }
  }

  // After a member: another member, or zero padding (as tape tools leave it), which is skipped.
  bool start_member() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0 && members_ > 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) return false;
    inflateReset(&stream_);
    between_members_ = false;
    ++members_;
    return true;
  }

  bool refill() {
    const std::size_t count = packed_->read(input_.data(), input_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    consumed_ += count;
    return count > 0;
  }

  std::string place() const { return fmt::format("{}: byte {}", name_, consumed_ - stream_.avail_in); }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_ = {};
  std::size_t consumed_ = 0;
  int members_ = 0;
  bool between_members_ = true;
  bool finished_ = false;
};

}  // namespace

FileHandle::FileHandle(const std::string& path)
    : path_(path == "-" ? "standard input" : path),
      descriptor_(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw_file(path_, errno);
  struct stat info = {};
  const int code = ::fstat(descriptor_, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
  if (code != 0) {
    ::close(descriptor_);
    throw_file(path_, code);
  }
  if (S_ISREG(info.st_mode)) size_ = static_cast<double>(info.st_size);
}

FileHandle::~FileHandle() {
  ::close(descriptor_);
}

std::size_t FileHandle::read(char* to, std::size_t size) {
  for (;;) {
    const ssize_t count = ::read(descriptor_, to, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) throw_file(path_, errno);
  }
}

void FileHandle::read_at(char* to, std::size_t size, std::size_t offset) {
  while (size > 0) {
    const ssize_t count = ::pread(descriptor_, to, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_file(path_, errno);
    if (count == 0) throw_cut_off(path_);
    to += count;
    offset += static_cast<std::size_t>(count);
    size -= static_cast<std::size_t>(count);
  }
}

std::size_t ByteSource::read(char* to, std::size_t size) {
  if (taken_ == peeked_.size()) return fill(to, size);
  const std::size_t count = std::min(size, peeked_.size() - taken_);
  std::copy_n(peeked_.data() + taken_, count, to);
  taken_ += count;
  if (taken_ == peeked_.size()) {
    peeked_ = {};
    taken_ = 0;
  }
  return count;
}

std::string_view ByteSource::peek(std::size_t size) {
  peeked_.erase(0, taken_);
  taken_ = 0;
  std::size_t have = peeked_.size();
  constexpr std::size_t kFirst = 4096;  // readers ask for a MiB of files that may be small
  for (std::size_t room = kFirst; have < size; room *= 2) {
    peeked_.resize(std::min(size, have + room));
    const std::size_t count = fill(peeked_.data() + have, peeked_.size() - have);
    peeked_.resize(have + count);
    have += count;
    if (count == 0) break;
  }
  return std::string_view(peeked_).substr(0, size);
}

bool is_gzip(std::string_view start) {
  return start.substr(0, 2) == "\x1f\x8b";
}

bool is_compressed(const std::string& path) {
  return is_gzip(FileBytes(path).peek(2));
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  std::unique_ptr<ByteSource> source = std::make_unique<FileBytes>(path);
  if (!is_gzip(source->peek(2))) return source;
  return std::make_unique<GzipBytes>(std::move(source), path == "-" ? "standard input" : path);
}

std::unique_ptr<ByteSource> memory_bytes(std::string_view text) {
  return std::make_unique<MemoryBytes>(text);
}

void require_bytes(ByteSource& source, double read, double size, std::size_t part, const std::string& name) {
  if (source.size() < 0 ? source.peek(part).size() < part : source.size() - read < size) throw_cut_off(name);
}

void read_exactly(ByteSource& source, char* to, std::size_t size, const std::string& name) {
  while (size > 0) {
    const std::size_t count = source.read(to, size);
    if (count == 0) throw_cut_off(name);
    to += count;
    size -= count;
  }
}

bool can_reopen(const std::string& path) {
  struct stat info = {};
  return path != "-" && ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace weft::detail
