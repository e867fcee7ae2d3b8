// One file of a readable header and blocks of numbers, all little-endian:
//   8 bytes magic | u32 format version | u64 length of the header | header (JSON) | zeros up to a multiple of 64
//   | blocks, each at a multiple of 64 from the first | u64 CRC-64/XZ of everything before it
// header["blocks"] lists { name, type "f8", "i8", "f4" or "i4", shape [rows, cols], offset from the first block, bytes
// }. The short types hold numbers that are the same in them, and are read as doubles and indices.
#pragma once

#include <weft/error.hpp>
#include <weft/matrix.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "core/json_text.hpp"

namespace weft::detail {

/// The newest version read. 2 has kernel sections; 3 laplace-l2 and exponents of kernels, members, short types,
/// numbers scaled in two ways and effects of categories; 4 losses of regression; 5 plans that hold out groups or times.
/// What needs none of these is written as 1, which every weft reads.
inline constexpr std::uint32_t kFormatVersion = 5;

/// Whether a file begins as one.
bool is_block_file(const std::string& path);
/// What the header calls the file, read without a look at the checksum or the numbers; empty where it cannot be read.
std::string block_file_format(const std::string& path);

class BlockFileWriter {
 public:
  // The numbers stay the caller's until write(); those of temporaries are kept. Empty ones are left out.
  void add(const std::string& name, const Matrix& numbers);
  void add(const std::string& name, const std::vector<double>& numbers);
  void add(const std::string& name, const std::vector<Index>& numbers);
  void add(const std::string& name, std::vector<double>&& numbers);
  void add(const std::string& name, std::vector<Index>&& numbers);
  // Numbers that the writer keeps, in the short type where none of them changes. For version 3.
  void add_packed(const std::string& name, Matrix numbers);
  void add_packed(const std::string& name, std::vector<Index> numbers);

  void write(const std::string& path, Json header, std::uint32_t version = 1) const;
  /// What write() puts into the file.
  std::string bytes(Json header, std::uint32_t version = 1) const;
  /// The checksum at the end of that.
  std::uint64_t checksum(Json header, std::uint32_t version = 1) const;

 private:
  struct Block {
    Json entry;
    const void* data;
    std::size_t bytes;
    std::shared_ptr<const void> owner;  ///< of the data, where the writer keeps them
  };
  void add(const std::string& name, const char* type, Index rows, Index cols, const void* data,
           std::shared_ptr<const void> owner = nullptr);
  template <class Sink>
  std::uint64_t write_to(Sink& sink, Json header, std::uint32_t version) const;

  std::vector<Block> blocks_;
  std::uint64_t end_ = 0;
};

/// A block of numbers as it lies in the file.
using StoredMatrix = std::variant<Matrix, BasicMatrix<float>>;
using StoredIndices = std::variant<std::vector<Index>, BasicMatrix<std::int32_t>>;

/// Reads every byte of a file once, into memory of its own, and has checked them when the constructor returns; it
/// throws weft::Error(model) where the file is damaged, foreign or too new. Every size is checked against that of the
/// file before anything is allocated.
///
/// The file is not mapped: a model lives for long, and a mapped file that somebody writes over (cp onto it) would
/// change what was checked, or end the process with SIGBUS where it became shorter. bench/load has what that costs.
class BlockFileReader {
 public:
  explicit BlockFileReader(const std::string& path) : BlockFileReader(path, FileOf{"model"}) {}
  struct FileOf {
    const char* contents;
  };
  /// Messages call it so. `meanwhile`, which must not throw, runs beside the parsing of a large file's header.
  BlockFileReader(const std::string& path, FileOf what, const std::function<void()>& meanwhile = {});
  /// Of the bytes of a file; `name` is their place in messages, which call them `contents`.
  BlockFileReader(const std::string& name, const std::string& bytes, const char* contents = "model");

  const Json& header() const { return header_; }
  /// From now on a block with an infinite number or a NaN is damage: it would become the prediction of every row.
  void refuse_non_finite() { finite_ = true; }
  // Each block is handed out once, without a copy where it has the type. One that is not there is empty.
  Matrix matrix(const std::string& name) const;
  StoredMatrix stored_matrix(const std::string& name) const;
  std::vector<double> numbers(const std::string& name) const;
  std::vector<Index> indices(const std::string& name) const;
  StoredIndices stored_indices(const std::string& name) const;
  [[noreturn]] void damaged(const std::string& what) const;
  /// parse(header); where it throws about a text, a number or a list in it that is not as it should be, the file is
  /// damaged.
  template <class Parse>
  auto parsed(const Parse& parse) const {
    try {
      return parse(header_);
    } catch (const Json::exception& error) {
      damaged(error.what());
    } catch (const std::logic_error& error) {  // what std::stoull throws
      damaged(error.what());
    } catch (const Error& error) {
      if (error.place() == path_ || error.kind() == ErrorKind::memory) throw;
      damaged(error.message());
    }
  }
  /// The same where the header must say that it contains what `contents` was given as.
  template <class Parse>
  auto parsed_contents(const Parse& parse) const {
    return parsed([&](const Json& header) {
      if (!header.contains("contents") || header["contents"] != contents_) damaged("it holds something else");
      return parse(header);
    });
  }

 private:
  class Bytes;
  struct Piece;
  struct Block {
    std::string name;
    std::string type;
    Index rows;
    Index cols;
    std::uint64_t offset;
    std::uint64_t bytes;
    std::variant<Matrix, BasicMatrix<float>, std::vector<Index>, BasicMatrix<std::int32_t>> numbers = {};
    bool finite = true;
    bool taken = false;
    void allocate();
    char* data();
  };
  void read(const Bytes& file, const std::function<void()>& meanwhile = {});
  void check_start(const Bytes& file) const;
  void read_header(const Bytes& file);
  void read_block_table(std::uint64_t payload);
  Block block_from(const Json& json, std::uint64_t payload) const;
  void read_numbers(const Bytes& file);
  void check_sum(const Bytes& file, std::uint64_t value) const;
  std::vector<Piece> pieces(std::uint64_t end);
  void read_piece(const Bytes& file, Piece& piece) const;
  Block* take(const std::string& name, char type) const;

  std::string path_;
  std::string contents_ = "model";
  std::uint64_t first_block_ = 0;
  Json header_;
  mutable std::vector<Block> blocks_;          ///< in the order of the file; their numbers move to who asks for them
  std::map<std::string, std::size_t> places_;  ///< by name
  bool finite_ = false;
};

}  // namespace weft::detail
