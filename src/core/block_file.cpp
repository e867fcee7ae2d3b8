#include "core/block_file.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "core/block_file_format.hpp"
#include "core/crc64.hpp"

namespace weft::detail {

namespace {

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
    const char zeros[kBlockAlignment] = {};
    write(zeros, aligned_offset(sink_.size()) - sink_.size());
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

std::string block_file_format(const std::string& path) {
  if (!is_block_file(path)) return {};
  std::error_code status;
  const std::uint64_t size = std::filesystem::file_size(path, status);
  std::ifstream file(path, std::ios::binary);
  std::uint64_t length = 0;
  file.seekg(static_cast<std::streamoff>(kStartBytes - sizeof length));
  file.read(reinterpret_cast<char*>(&length), sizeof length);
  if (!file || size < kStartBytes || length > std::min(kMostHeaderBytes, size - kStartBytes)) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(text.data(), static_cast<std::streamsize>(length));
  if (!file || nests_too_deeply(text)) return {};
  const Json header = Json::parse(text, nullptr, false);
  const auto format = header.is_object() ? header.find("format") : header.end();
  return format != header.end() && format->is_string() ? format->get<std::string>() : std::string();
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
  const std::uint64_t offset = aligned_offset(end_);
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

}  // namespace weft::detail
