#include "core/block_file.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/crc64.hpp"

namespace weft::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "blocks are written as they lie in memory");
static_assert(sizeof(Index) == 8 && sizeof(double) == 8);

// The line ends and the end-of-file mark show a file that was copied as text, as in PNG.
constexpr char kMagic[8] = {'W', 'E', 'F', 'T', '\r', '\n', '\x1a', '\n'};
constexpr std::uint64_t kStartBytes = sizeof kMagic + 4 + 8;
constexpr std::uint64_t kChecksumBytes = 8;
constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{1} << 30;

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

std::size_t width_of(const std::string& type) {
  return type.back() == '4' ? 4 : 8;
}

// Without the range check a number that is too large would be undefined behaviour.
bool same_when_short(double number) {
  return std::abs(number) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(number)) == number;
}

bool same_when_short(Index number) {
  return number == static_cast<std::int32_t>(number);
}

// The numbers in the short type; none where one of them would change.
template <class Short, class T>
std::shared_ptr<std::vector<Short>> shortened(const T* numbers, Index count) {
  if (!std::all_of(numbers, numbers + count, [](T number) { return same_when_short(number); })) return nullptr;
  auto result = std::make_shared<std::vector<Short>>();
  result->reserve(static_cast<std::size_t>(count));
  std::transform(numbers, numbers + count, std::back_inserter(*result), [](T n) { return static_cast<Short>(n); });
  return result;
}

// A file that stays in memory.
class ByteString {
 public:
  void write(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::uint64_t size() const { return bytes_.size(); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// A file of which only the checksum is wanted.
class NoBytes {
 public:
  void write(const void*, std::size_t size) { size_ += size; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_ = 0;
};

// Writes and sums.
template <class Sink>
class Summed {
 public:
  explicit Summed(Sink& sink) : sink_(sink) {}
  void write(const void* data, std::size_t size) {
    sink_.write(data, size);
    crc_.add(data, size);
  }
  void pad() {
    const char zeros[kAlignment] = {};
    write(zeros, aligned(sink_.size()) - sink_.size());
  }
  std::uint64_t write_sum() {
    const std::uint64_t sum = crc_.value();
    sink_.write(&sum, sizeof sum);
    return sum;
  }

 private:
  Sink& sink_;
  Crc64 crc_;
};

}  // namespace

bool is_block_file(const std::string& path) {
  char start[sizeof kMagic] = {};
  std::error_code status;
  if (!std::filesystem::is_regular_file(path, status)) return false;
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  return std::memcmp(start, kMagic, sizeof start) == 0;
}

void BlockFileWriter::add(const std::string& name, const Matrix& numbers) {
  add(name, "f8", numbers.rows(), numbers.cols(), numbers.data());
}

void BlockFileWriter::add(const std::string& name, const std::vector<double>& numbers) {
  add(name, "f8", static_cast<Index>(numbers.size()), 1, numbers.data());
}

void BlockFileWriter::add(const std::string& name, const std::vector<Index>& numbers) {
  add(name, "i8", static_cast<Index>(numbers.size()), 1, numbers.data());
}

void BlockFileWriter::add(const std::string& name, std::vector<double>&& numbers) {
  const auto kept = std::make_shared<const std::vector<double>>(std::move(numbers));
  add(name, "f8", static_cast<Index>(kept->size()), 1, kept->data(), kept);
}

void BlockFileWriter::add(const std::string& name, std::vector<Index>&& numbers) {
  const auto kept = std::make_shared<const std::vector<Index>>(std::move(numbers));
  add(name, "i8", static_cast<Index>(kept->size()), 1, kept->data(), kept);
}

void BlockFileWriter::add_packed(const std::string& name, Matrix numbers) {
  if (auto kept = shortened<float>(numbers.data(), numbers.rows() * numbers.cols()))
    return add(name, "f4", numbers.rows(), numbers.cols(), kept->data(), kept);
  auto kept = std::make_shared<Matrix>(std::move(numbers));
  add(name, "f8", kept->rows(), kept->cols(), kept->data(), kept);
}

void BlockFileWriter::add_packed(const std::string& name, std::vector<Index> numbers) {
  const auto count = static_cast<Index>(numbers.size());
  if (auto kept = shortened<std::int32_t>(numbers.data(), count)) return add(name, "i4", count, 1, kept->data(), kept);
  auto kept = std::make_shared<std::vector<Index>>(std::move(numbers));
  add(name, "i8", count, 1, kept->data(), kept);
}

void BlockFileWriter::add(const std::string& name, const char* type, Index rows, Index cols, const void* data,
                          std::shared_ptr<const void> owner) {
  if (rows * cols == 0) return;
  const auto bytes = static_cast<std::size_t>(rows * cols) * width_of(type);
  const std::uint64_t offset = aligned(end_);
  Json entry = {{"name", name}, {"type", type}, {"shape", {rows, cols}}, {"offset", offset}, {"bytes", bytes}};
  blocks_.push_back({std::move(entry), data, bytes, std::move(owner)});
  end_ = offset + bytes;
}

template <class Sink>
std::uint64_t BlockFileWriter::write_to(Sink& sink, Json header, std::uint32_t version) const {
  header["blocks"] = Json::array();
  for (const Block& block : blocks_) header["blocks"].push_back(block.entry);
  const std::string text = header.dump();
  const std::uint64_t length = text.size();

  Summed<Sink> file(sink);
  file.write(kMagic, sizeof kMagic);
  file.write(&version, sizeof version);
  file.write(&length, sizeof length);
  file.write(text.data(), text.size());
  for (const Block& block : blocks_) {
    file.pad();
    file.write(block.data, block.bytes);
  }
  return file.write_sum();
}

void BlockFileWriter::write(const std::string& path, Json header, std::uint32_t version) const {
  AtomicFile file(path);
  write_to(file, std::move(header), version);
  file.commit();
}

std::string BlockFileWriter::bytes(Json header, std::uint32_t version) const {
  ByteString bytes;
  write_to(bytes, std::move(header), version);
  return bytes.take();
}

std::uint64_t BlockFileWriter::checksum(Json header, std::uint32_t version) const {
  NoBytes none;
  return write_to(none, std::move(header), version);
}

BlockFileReader::BlockFileReader(const std::string& path, FileOf what) : path_(path), contents_(what.contents) {
  open();
  check_all();
}

BlockFileReader::BlockFileReader(const std::string& name, const std::string& bytes, const char* contents)
    : path_(name), contents_(contents), file_(std::make_unique<std::istringstream>(bytes)), size_(bytes.size()) {
  check_all();
}

void BlockFileReader::check_all() {
  check_start();
  check_sum();
  read_header();
}

void BlockFileReader::damaged(const std::string& what) const {
  throw Error(ErrorKind::model, fmt::format("the {} file is damaged: {}", contents_, what), path_,
              fmt::format("copy the file again, or write the {} again", contents_));
}

void BlockFileReader::open() {
  std::error_code status;
  if (std::filesystem::exists(path_, status) && !std::filesystem::is_regular_file(path_, status))
    throw Error(ErrorKind::file, "it is not a regular file", path_, "give a regular file; pipes are not supported");
  file_ = std::make_unique<std::ifstream>(path_, std::ios::binary);
  if (!*file_)
    throw Error(ErrorKind::file, fmt::format("cannot open it: {}", std::strerror(errno)), path_,
                fmt::format("give a {} file that exists and is readable", contents_));
  size_ = std::filesystem::file_size(path_);
}

void BlockFileReader::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  file_->seekg(static_cast<std::streamoff>(offset));
  file_->read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
  if (!*file_)
    throw Error(ErrorKind::file, "it cannot be read completely", path_, "check the disk and copy the file again");
}

// The version comes before the checksum: a newer format may end differently.
void BlockFileReader::check_start() const {
  char magic[sizeof kMagic] = {};
  if (size_ >= sizeof magic) read(0, magic, sizeof magic);
  if (std::memcmp(magic, kMagic, sizeof magic) != 0)
    throw Error(ErrorKind::model, fmt::format("this is not a weft {}", contents_), path_,
                fmt::format("name a file that weft wrote as a {}", contents_));
  if (size_ < kStartBytes + kChecksumBytes) damaged("it ends within the first bytes");
  std::uint32_t version = 0;
  read(sizeof magic, &version, sizeof version);
  if (version > kFormatVersion)
    throw Error(ErrorKind::model,
                fmt::format("format version {} is not supported, this weft reads up to {}", version, kFormatVersion),
                path_, "upgrade weft");
  if (version == 0) damaged("there is no format version 0");
}

void BlockFileReader::check_sum() const {
  const std::uint64_t end = size_ - kChecksumBytes;
  std::vector<char> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(end, std::uint64_t{1} << 20)));
  Crc64 crc;
  for (std::uint64_t offset = 0; offset < end;) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - offset));
    read(offset, buffer.data(), bytes);
    crc.add(buffer.data(), bytes);
    offset += bytes;
  }
  std::uint64_t sum = 0;
  read(end, &sum, sizeof sum);
  if (sum != crc.value()) damaged("its checksum is wrong: the file was changed or truncated");
}

void BlockFileReader::read_header() {
  std::uint64_t length = 0;
  read(kStartBytes - sizeof length, &length, sizeof length);
  const std::uint64_t available = size_ - kStartBytes - kChecksumBytes;
  if (length > available) damaged(fmt::format("a header of {} bytes does not fit", length));
  if (length > kMostHeaderBytes) damaged(fmt::format("a header of {} bytes is longer than any", length));
  std::string text(static_cast<std::size_t>(length), '\0');
  read(kStartBytes, text.data(), text.size());
  if (nests_too_deeply(text)) damaged("its header is nested too deeply");
  try {
    header_ = Json::parse(text);
    first_block_ = aligned(kStartBytes + length);
    const std::uint64_t end = size_ - kChecksumBytes;
    read_blocks(end > first_block_ ? end - first_block_ : 0);
  } catch (const Json::exception& error) {
    damaged(error.what());
  }
}

BlockFileReader::Block BlockFileReader::block_from(const Json& json, std::uint64_t payload) const {
  // Json::get would silently turn -1 or 1e300 into some unsigned number.
  const auto whole = [this](const Json& number) {
    if (!number.is_number_unsigned()) damaged("a block has an invalid size");
    return number.get<std::uint64_t>();
  };
  const auto name = json.at("name").get<std::string>();
  const auto type = json.at("type").get<std::string>();
  const std::uint64_t rows = whole(json.at("shape").at(0));
  const std::uint64_t cols = whole(json.at("shape").at(1));
  const std::uint64_t offset = whole(json.at("offset"));
  const std::uint64_t bytes = whole(json.at("bytes"));
  if (type != "f8" && type != "i8" && type != "f4" && type != "i4")
    damaged(fmt::format("block {} has the unknown type {}", name, type));
  const std::size_t width = width_of(type);
  if (offset % kAlignment != 0 || offset > payload || bytes > payload - offset)
    damaged(fmt::format("block {} lies outside the file", name));
  const std::uint64_t count = bytes / width;
  if (rows == 0 || cols == 0 || bytes % width != 0 || rows > count || count / rows != cols || count % rows != 0)
    damaged(fmt::format("block {} of {} bytes cannot be {}x{}", name, bytes, rows, cols));
  return {name, type, static_cast<Index>(rows), static_cast<Index>(cols), offset, bytes};
}

void BlockFileReader::read_blocks(std::uint64_t payload) {
  std::uint64_t end = 0;
  for (const Json& entry : header_.at("blocks")) {  // written in order of their offsets
    const Block block = block_from(entry, payload);
    if (!blocks_.emplace(block.name, block).second) damaged(fmt::format("block {} occurs twice", block.name));
    if (block.offset < end) damaged(fmt::format("block {} overlaps the one before it", block.name));
    end = block.offset + block.bytes;
  }
  if (end != payload) damaged("unexpected bytes after the last block");
}

const BlockFileReader::Block* BlockFileReader::find(const std::string& name, char type) const {
  const auto found = blocks_.find(name);
  if (found == blocks_.end()) return nullptr;
  if (found->second.type.front() != type) damaged(fmt::format("block {} does not have the type {}", name, type));
  return &found->second;
}

template <class Short, class T>
void BlockFileReader::read_numbers(const Block& block, T* to) const {
  if (width_of(block.type) == sizeof(T)) {
    read(first_block_ + block.offset, to, block.bytes);
  } else {
    std::vector<Short> numbers(block.bytes / sizeof(Short));
    read(first_block_ + block.offset, numbers.data(), block.bytes);
    std::copy(numbers.begin(), numbers.end(), to);
  }
  if constexpr (std::is_floating_point_v<T>)
    if (finite_ && !std::all_of(to, to + block.count(), [](T number) { return std::isfinite(number); }))
      damaged(fmt::format("block {} has a number that is not finite", block.name));
}

Matrix BlockFileReader::matrix(const std::string& name) const {
  const Block* block = find(name, 'f');
  if (block == nullptr) return {};
  Matrix matrix(block->rows, block->cols);
  read_numbers<float>(*block, matrix.data());
  return matrix;
}

std::vector<double> BlockFileReader::numbers(const std::string& name) const {
  const Block* block = find(name, 'f');
  if (block == nullptr) return {};
  std::vector<double> numbers(block->count());
  read_numbers<float>(*block, numbers.data());
  return numbers;
}

std::vector<Index> BlockFileReader::indices(const std::string& name) const {
  const Block* block = find(name, 'i');
  if (block == nullptr) return {};
  std::vector<Index> numbers(block->count());
  read_numbers<std::int32_t>(*block, numbers.data());
  return numbers;
}

}  // namespace weft::detail
