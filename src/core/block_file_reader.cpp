#include "core/block_file.hpp"

#include <weft/error.hpp>
#include <weft/run.hpp>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <fmt/format.h>

#include "core/block_file_format.hpp"
#include "core/crc64.hpp"
#include "core/huge_pages.hpp"
#include "core/parallel.hpp"

namespace weft::detail {

namespace {

// What a thread takes at a time, what of it is read while it stays in the second-level cache, and what of that is
// summed and looked at while it is in the first.
constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 22, kStepBytes = std::uint64_t{1} << 18,
                        kLookBytes = std::uint64_t{1} << 14;
// Below, a second thread takes as long to wake up as it would save.
constexpr std::uint64_t kSerialBytes = 2 * kPieceBytes;

/// The exponent of one double, or of two floats, in eight bytes, and the lowest bit of each.
struct Exponents {
  std::uint64_t all, lowest;
};
constexpr Exponents kDouble{0x7FF0'0000'0000'0000, 0x0010'0000'0000'0000},
    kFloats{0x7F80'0000'7F80'0000, 0x0080'0000'0080'0000};

/// The exponent of infinite numbers and NaN has every bit set: one more carries into the sign's place, and only there.
bool all_finite(Exponents exponents, const char* data, std::uint64_t bytes) {
  std::uint64_t carries = 0, word = 0;
  for (; bytes >= sizeof word; data += sizeof word, bytes -= sizeof word) {
    std::memcpy(&word, data, sizeof word);
    carries |= (word & exponents.all) + exponents.lowest;
  }
  word = 0;
  std::memcpy(&word, data, bytes);
  carries |= (word & exponents.all) + exponents.lowest;
  return (carries & (exponents.all + exponents.lowest)) == 0;
}

#if defined(__x86_64__)
/// The same for whole vectors. It is spelled out because -O2 of GCC 12 leaves such loops as they are.
__attribute__((target("avx2"))) bool all_finite_vectors(Exponents exponents, const char* data, std::uint64_t bytes) {
  const __m256i all = _mm256_set1_epi64x(static_cast<long long>(exponents.all)),
                lowest = _mm256_set1_epi64x(static_cast<long long>(exponents.lowest));
  __m256i carries = _mm256_setzero_si256();
  for (const char* const end = data + bytes; data != end; data += sizeof carries) {
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(data));
    carries = _mm256_or_si256(carries, _mm256_add_epi64(_mm256_and_si256(words, all), lowest));
  }
  return _mm256_testz_si256(carries, _mm256_add_epi64(all, lowest)) != 0;
}
#endif

bool piece_is_finite(const std::string& type, const char* data, std::uint64_t bytes) {
  if (type.front() != 'f') return true;
  const Exponents exponents = type == "f8" ? kDouble : kFloats;
#if defined(__x86_64__)
  static const bool has_vectors = (__builtin_cpu_init(), __builtin_cpu_supports("avx2"));
  const std::uint64_t whole = has_vectors ? bytes / sizeof(__m256i) * sizeof(__m256i) : 0;
  return (whole == 0 || all_finite_vectors(exponents, data, whole)) &&
         all_finite(exponents, data + whole, bytes - whole);
#else
  return all_finite(exponents, data, bytes);
#endif
}

}  // namespace

/// A file, or its bytes in memory. Any thread may read.
class BlockFileReader::Bytes {
 public:
  Bytes(const std::string& path, const std::string& contents) : path_(path) {
    std::error_code status;
    if (std::filesystem::exists(path, status) && !std::filesystem::is_regular_file(path, status))
      throw Error(ErrorKind::file, "it is not a regular file", path, "give a regular file; pipes are not supported");
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0)
      throw Error(ErrorKind::file, fmt::format("cannot open it: {}", std::strerror(errno)), path,
                  fmt::format("give a {} file that exists and is readable", contents));
    const auto end = ::lseek(descriptor_, 0, SEEK_END);
    size_ = end < 0 ? 0 : static_cast<std::uint64_t>(end);
  }
  Bytes(const std::string& name, const std::string& bytes, std::nullptr_t)
      : path_(name), memory_(bytes.data()), size_(bytes.size()) {}
  ~Bytes() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  std::uint64_t size() const { return size_; }
  std::uint64_t end() const { return size_ - kChecksumBytes; }  ///< of what the checksum covers

  void read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
    if (memory_ != nullptr) {
      std::memcpy(to, memory_ + offset, bytes);
      return;
    }
    for (std::uint64_t done = 0; done < bytes;) {
      const ssize_t count =
          ::pread(descriptor_, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0)
        throw Error(ErrorKind::file, "it cannot be read completely", path_, "check the disk and copy the file again");
      done += static_cast<std::uint64_t>(count);
    }
  }

 private:
  std::string path_;
  const char* memory_ = nullptr;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Bytes of the file that are read at once: of a block, or of what lies between blocks.
struct BlockFileReader::Piece {
  std::uint64_t offset;
  std::uint64_t bytes;
  char* to;  ///< nullptr: nobody needs them
  std::size_t block;
  Crc64 sum = {};
  bool finite = true;
};

BlockFileReader::BlockFileReader(const std::string& path, FileOf what, const std::function<void()>& meanwhile)
    : path_(path), contents_(what.contents) {
  read(Bytes(path, contents_), meanwhile);
}

BlockFileReader::BlockFileReader(const std::string& name, const std::string& bytes, const char* contents)
    : path_(name), contents_(contents) {
  read(Bytes(name, bytes, nullptr));
}

void BlockFileReader::damaged(const std::string& what) const {
  throw Error(ErrorKind::model, fmt::format("the {} file is damaged: {}", contents_, what), path_,
              fmt::format("copy the file again, or write the {} again", contents_));
}

void BlockFileReader::read(const Bytes& file, const std::function<void()>& meanwhile) {
  check_start(file);
  try {
    const bool beside = meanwhile && file.size() >= kSerialBytes;
    parallel_for(beside ? 2 : 1, Run{}.thread_count(), [&](Index k) { k == 0 ? read_header(file) : meanwhile(); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::model) throw;
    // Whatever is wrong with it, damage is the better explanation.
    blocks_.clear();
    read_numbers(file);
    throw;
  }
  read_numbers(file);
}

// The version comes before the checksum: a newer format may end differently.
void BlockFileReader::check_start(const Bytes& file) const {
  char magic[sizeof kMagic] = {};
  if (file.size() >= sizeof magic) file.read(0, magic, sizeof magic);
  if (std::memcmp(magic, kMagic, sizeof magic) != 0)
    throw Error(ErrorKind::model, fmt::format("this is not a weft {}", contents_), path_,
                fmt::format("name a file that weft wrote as a {}", contents_));
  if (file.size() < kStartBytes + kChecksumBytes) damaged("it ends within the first bytes");
  std::uint32_t version = 0;
  file.read(sizeof magic, &version, sizeof version);
  if (version > kFormatVersion)
    throw Error(ErrorKind::model,
                fmt::format("format version {} is not supported, this weft reads up to {}", version, kFormatVersion),
                path_, "upgrade weft");
  if (version == 0) damaged("there is no format version 0");
}

void BlockFileReader::read_header(const Bytes& file) {
  std::uint64_t length = 0;
  file.read(kStartBytes - sizeof length, &length, sizeof length);
  const std::uint64_t available = file.end() - kStartBytes;
  if (length > available) damaged(fmt::format("a header of {} bytes does not fit", length));
  if (length > kMostHeaderBytes) damaged(fmt::format("a header of {} bytes is longer than any", length));
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read(kStartBytes, text.data(), text.size());
  if (nests_too_deeply(text)) damaged("its header is nested too deeply");
  try {
    header_ = Json::parse(text);
    first_block_ = std::min(aligned_offset(kStartBytes + length), file.end());
    read_block_table(file.end() - first_block_);
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
  if (offset % kBlockAlignment != 0 || offset > payload || bytes > payload - offset)
    damaged(fmt::format("block {} lies outside the file", name));
  const std::uint64_t count = bytes / width;
  if (rows == 0 || cols == 0 || bytes % width != 0 || rows > count || count / rows != cols || count % rows != 0)
    damaged(fmt::format("block {} of {} bytes cannot be {}x{}", name, bytes, rows, cols));
  return {name, type, static_cast<Index>(rows), static_cast<Index>(cols), offset, bytes};
}

void BlockFileReader::read_block_table(std::uint64_t payload) {
  std::uint64_t end = 0;
  for (const Json& entry : header_.at("blocks")) {  // written in order of their offsets
    Block block = block_from(entry, payload);
    if (!places_.emplace(block.name, blocks_.size()).second) damaged(fmt::format("block {} occurs twice", block.name));
    if (block.offset < end) damaged(fmt::format("block {} overlaps the one before it", block.name));
    end = block.offset + block.bytes;
    blocks_.push_back(std::move(block));
  }
  if (end != payload) damaged("unexpected bytes after the last block");
}

void BlockFileReader::Block::allocate() {
  const auto count = static_cast<std::size_t>(rows * cols);
  if (type == "f8") numbers = Matrix::unset(rows, cols);
  if (type == "f4") numbers = BasicMatrix<float>::unset(rows, cols);
  if (type == "i8") numbers = std::vector<Index>(count);
  if (type == "i4") numbers = BasicMatrix<std::int32_t>::unset(rows, cols);
  prefer_huge_pages(data(), bytes);
}

char* BlockFileReader::Block::data() {
  return std::visit([](auto& held) { return reinterpret_cast<char*>(held.data()); }, numbers);
}

// All of the file up to `end`, in order.
std::vector<BlockFileReader::Piece> BlockFileReader::pieces(std::uint64_t end) {
  std::vector<Piece> pieces;
  std::uint64_t offset = 0;
  const auto cut = [&](std::uint64_t until, char* to, std::size_t block) {
    while (offset < until) {
      const std::uint64_t bytes = std::min(kPieceBytes, until - offset);
      pieces.push_back({offset, bytes, to, block});
      offset += bytes;
      if (to != nullptr) to += bytes;
    }
  };
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    cut(first_block_ + blocks_[k].offset, nullptr, k);
    cut(offset + blocks_[k].bytes, blocks_[k].data(), k);
  }
  cut(end, nullptr, 0);
  return pieces;
}

void BlockFileReader::read_piece(const Bytes& file, Piece& piece) const {
  std::string unused(piece.to == nullptr ? std::min(piece.bytes, kStepBytes) : 0, '\0');
  for (std::uint64_t done = 0; done < piece.bytes; done += kStepBytes) {
    const std::uint64_t bytes = std::min(kStepBytes, piece.bytes - done);
    char* const to = piece.to == nullptr ? unused.data() : piece.to + done;
    file.read(piece.offset + done, to, bytes);
    for (std::uint64_t seen = 0; seen < bytes; seen += kLookBytes) {
      const std::uint64_t some = std::min(kLookBytes, bytes - seen);
      piece.sum.add(to + seen, some);
      if (piece.to != nullptr && !piece_is_finite(blocks_[piece.block].type, to + seen, some)) piece.finite = false;
    }
  }
}

void BlockFileReader::read_numbers(const Bytes& file) {
  for (Block& block : blocks_) block.allocate();
  std::vector<Piece> all = pieces(file.end());
  parallel_for(static_cast<Index>(all.size()), file.size() < kSerialBytes ? 1 : Run{}.thread_count(),
               [&](Index k) { read_piece(file, all[static_cast<std::size_t>(k)]); });
  Crc64 sum;
  for (const Piece& piece : all) {
    sum.append(piece.sum, piece.bytes);
    if (!piece.finite) blocks_[piece.block].finite = false;
  }
  check_sum(file, sum.value());
}

void BlockFileReader::check_sum(const Bytes& file, std::uint64_t value) const {
  std::uint64_t sum = 0;
  file.read(file.end(), &sum, sizeof sum);
  if (sum != value) damaged("its checksum is wrong: the file was changed or truncated");
}

BlockFileReader::Block* BlockFileReader::take(const std::string& name, char type) const {
  const auto place = places_.find(name);
  if (place == places_.end()) return nullptr;
  Block& block = blocks_[place->second];
  if (block.type.front() != type) damaged(fmt::format("block {} does not have the type {}", name, type));
  if (finite_ && !block.finite) damaged(fmt::format("block {} has a number that is not finite", name));
  assert(!block.taken);
  block.taken = true;
  return &block;
}

StoredMatrix BlockFileReader::stored_matrix(const std::string& name) const {
  Block* const block = take(name, 'f');
  if (block == nullptr) return Matrix();
  if (auto* const numbers = std::get_if<BasicMatrix<float>>(&block->numbers)) return std::move(*numbers);
  return std::get<Matrix>(std::move(block->numbers));
}

Matrix BlockFileReader::matrix(const std::string& name) const {
  StoredMatrix stored = stored_matrix(name);
  if (auto* const numbers = std::get_if<Matrix>(&stored)) return std::move(*numbers);
  const auto& numbers = std::get<BasicMatrix<float>>(stored);
  Matrix matrix = Matrix::unset(numbers.rows(), numbers.cols());
  std::copy_n(numbers.data(), numbers.rows() * numbers.cols(), matrix.data());
  return matrix;
}

std::vector<double> BlockFileReader::numbers(const std::string& name) const {
  const Matrix numbers = matrix(name);
  return {numbers.data(), numbers.data() + numbers.rows() * numbers.cols()};
}

StoredIndices BlockFileReader::stored_indices(const std::string& name) const {
  Block* const block = take(name, 'i');
  if (block == nullptr) return std::vector<Index>();
  if (auto* const numbers = std::get_if<BasicMatrix<std::int32_t>>(&block->numbers)) return std::move(*numbers);
  return std::get<std::vector<Index>>(std::move(block->numbers));
}

std::vector<Index> BlockFileReader::indices(const std::string& name) const {
  StoredIndices stored = stored_indices(name);
  if (auto* const numbers = std::get_if<std::vector<Index>>(&stored)) return std::move(*numbers);
  const auto& numbers = std::get<BasicMatrix<std::int32_t>>(stored);
  return {numbers.data(), numbers.data() + numbers.rows() * numbers.cols()};
}

}  // namespace weft::detail
