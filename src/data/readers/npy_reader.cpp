#include "data/readers/npy_reader.hpp"

#include "core/nameless_file.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& name, const std::string& message, const std::string& hint) {
  throw Error(ErrorKind::data, message, name, hint);
}

// The text behind 'key': in the header's Python dictionary, blanks skipped.
std::string_view value_of(std::string_view header, const char* key, const std::string& name) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = fmt::format("{}{}{}", quote, key, quote);
    const std::size_t at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    const std::size_t colon = header.find(':', at);
    if (colon != std::string_view::npos) return trim(header.substr(colon + 1));
  }
  fail(name, fmt::format("the .npy header has no '{}'", key), "write the file again with numpy.save");
}

ScalarType parse_type(std::string_view text, const std::string& name) {
  const char* remedy = "save a plain array of numbers, such as array.astype('float64')";
  if (text.empty() || (text[0] != '\'' && text[0] != '"'))
    fail(name, "the .npy file holds records, not numbers", remedy);
  const std::string_view code = text.substr(1, text.find(text[0], 1) - 1);
  const auto unsupported = [&] {
    fail(name, fmt::format("numbers of type {} are not supported", shown(code)), remedy);
  };
  if (code.size() != 3) unsupported();
  ScalarType type;
  type.big_endian = code[0] == '>';
  type.size = static_cast<std::size_t>(code[2] - '0');
  const bool order_known = code[0] == '<' || code[0] == '>' || (code[0] == '|' && type.size == 1);
  const bool whole_size = type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
  if (code[1] == 'f' && whole_size && type.size > 1)
    type.kind = ScalarKind::floating;
  else if (code[1] == 'i' && whole_size)
    type.kind = ScalarKind::signed_integer;
  else if (code[1] == 'u' && whole_size)
    type.kind = ScalarKind::unsigned_integer;
  else if (code[1] == 'b' && type.size == 1)
    type.kind = ScalarKind::boolean;
  else
    unsupported();
  if (!order_known) unsupported();
  return type;
}

std::vector<Index> parse_shape(std::string_view text, const std::string& name) {
  std::vector<Index> shape;
  const std::size_t close = text.find(')');
  if (text.empty() || text[0] != '(' || close == std::string_view::npos)
    fail(name, "the shape in the .npy header cannot be read", "write the file again with numpy.save");
  for (const std::string& part : split_list(text.substr(1, close - 1))) {
    if (part.empty()) continue;  // (5,)
    Index extent = 0;
    const auto result = std::from_chars(part.data(), part.data() + part.size(), extent);
    if (result.ec != std::errc{} || result.ptr != part.data() + part.size() || extent < 0)
      fail(name, fmt::format("{} is not a valid array size", shown(part)), "write the file again with numpy.save");
    shape.push_back(extent);
  }
  return shape;
}

std::string read_header_text(ByteSource& source, const std::string& name, std::size_t& offset) {
  unsigned char start[12] = {};
  read_exactly(source, reinterpret_cast<char*>(start), 8, name);
  if (std::memcmp(start, "\x93NUMPY", 6) != 0) fail(name, "this is not a .npy file", "check ‹format›");
  const int version = start[6];
  if (version < 1 || version > 3)
    fail(name, fmt::format(".npy version {} is not supported", version), "write the file again with numpy.save");
  const std::size_t width = version == 1 ? 2 : 4;
  read_exactly(source, reinterpret_cast<char*>(start) + 8, width, name);
  std::size_t size = 0;
  for (std::size_t i = width; i-- > 0;) size = size * 256 + start[8 + i];
  if (size > kLongestHeader) fail(name, "the .npy header is damaged", "write the file again with numpy.save");
  std::string header(size, '\0');
  read_exactly(source, header.data(), size, name);
  offset = 8 + width + size;
  return header;
}

class NpyReader : public RowReader {
 public:
  NpyReader(std::unique_ptr<ByteSource> source, const std::string& name, const NpyHeader& header,
            const std::optional<FileRegion>& region)
      : source_(std::move(source)),
        name_(name),
        header_(header),
        by_columns_(header.fortran_order && header.columns > 1) {
    for (Index j = 0; j < header.columns; ++j) columns_.push_back({fmt::format("x{}", j), false});
    if (region) open_region(*region);
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index) const override { return no_texts_; }
  bool next(RawBlock& block, Index max_rows) override;
  std::string place(Index row, Index column) const override {
    return fmt::format("{}:{}:{}", name_, block_start_ + row + 1, column + 1);
  }
  double fraction() const override { return static_cast<double>(rows_read_) / static_cast<double>(header_.rows); }
  void use_threads(int threads) override { threads_ = threads; }

 private:
  void open_region(const FileRegion& region);
  void copy_to_temporary();
  void read_rows(Index count);
  void read_columns(Index count);
  void check_finite() const;

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  NpyHeader header_;
  bool by_columns_;
  std::unique_ptr<FileHandle> file_;         // of these two the one that an array by columns is read from
  std::unique_ptr<NamelessFile> temporary_;  // the array alone
  std::size_t data_offset_ = 0;              // in file_
  std::vector<Column> columns_;
  std::vector<std::string> no_texts_;
  std::vector<char> bytes_;
  Matrix cells_;
  Index rows_read_ = 0;
  Index block_start_ = 0;
  int threads_ = 1;
};

// A plain file's size must fit its shape; a compressed one is found short while reading.
void NpyReader::open_region(const FileRegion& region) {
  const auto needed = static_cast<double>(checked_bytes(header_.rows, header_.columns, header_.type.size));
  if (region.size < needed + static_cast<double>(header_.data_offset))
    fail(name_, fmt::format("the file ends too early for its shape ({}, {})", header_.rows, header_.columns),
         "fetch or write it again");
  if (!by_columns_) return;
  file_ = std::make_unique<FileHandle>(region.path);
  data_offset_ = region.offset + header_.data_offset;
}

void NpyReader::copy_to_temporary() {
  temporary_ = std::make_unique<NamelessFile>();
  auto left = static_cast<std::size_t>(checked_bytes(header_.rows, header_.columns, header_.type.size));
  for (std::string piece; left > 0; left -= piece.size()) {
    piece.resize(std::min(left, std::size_t{1} << 20));
    read_exactly(*source_, piece.data(), piece.size(), name_);
    if (!temporary_->append(piece))
      fail(name_, "an array in Fortran order goes through a temporary file, and there is no space for it",
           "store it uncompressed in a file, or save numpy.ascontiguousarray(array)");
  }
}

bool NpyReader::next(RawBlock& block, Index max_rows) {
  const Index count = std::min(block_rows(max_rows, header_.columns), header_.rows - rows_read_);
  if (count <= 0) return false;
  cells_.reshape(header_.columns, count);
  if (by_columns_)
    read_columns(count);
  else
    read_rows(count);
  block_start_ = rows_read_;
  rows_read_ += count;
  check_finite();
  block.columns = cells_.view();
  block.first_row = block_start_;
  return true;
}

void NpyReader::read_rows(Index count) {
  bytes_.resize(static_cast<std::size_t>(count * header_.columns) * header_.type.size);
  read_exactly(*source_, bytes_.data(), bytes_.size(), name_);
  convert_rows(header_.type, bytes_.data(), cells_.view(), threads_);
}

void NpyReader::read_columns(Index count) {
  if (file_ == nullptr && temporary_ == nullptr) copy_to_temporary();
  bytes_.resize(static_cast<std::size_t>(count) * header_.type.size);
  for (Index j = 0; j < header_.columns; ++j) {
    const std::size_t offset = static_cast<std::size_t>(j * header_.rows + rows_read_) * header_.type.size;
    if (file_ != nullptr)
      file_->read_at(bytes_.data(), bytes_.size(), data_offset_ + offset);
    else
      temporary_->read(offset, bytes_.size()).copy(bytes_.data(), bytes_.size());
    convert_scalars(header_.type, bytes_.data(), count, cells_.row(j));
  }
}

void NpyReader::check_finite() const {
  if (header_.type.kind != ScalarKind::floating) return;
  if (const auto bad = first_infinite(cells_, threads_))
    throw Error(ErrorKind::data, "a cell is infinite", place(bad->row, bad->column),
                "fix it, or store NaN for a missing value");
}

}  // namespace

NpyHeader read_npy_header(ByteSource& source, const std::string& name) {
  NpyHeader header;
  const std::string text = read_header_text(source, name, header.data_offset);
  header.type = parse_type(value_of(text, "descr", name), name);
  header.fortran_order = value_of(text, "fortran_order", name).substr(0, 4) == "True";
  const std::vector<Index> shape = parse_shape(value_of(text, "shape", name), name);
  if (shape.empty() || shape.size() > 2)
    fail(name, fmt::format("the array has {} dimensions", shape.size()),
         "save rows × columns, such as array.reshape(m, -1)");
  header.rows = shape[0];
  header.columns = shape.size() == 2 ? shape[1] : 1;
  if (header.rows == 0 || header.columns == 0) fail(name, "the array is empty", "give an array with rows of data");
  if (header.columns > kMaxColumns || checked_bytes(header.rows, header.columns, header.type.size) < 0)
    fail(name, fmt::format("a shape of ({}, {}) is larger than weft supports", header.rows, header.columns),
         "check that the file is not damaged");
  return header;
}

std::unique_ptr<RowReader> read_npy(std::unique_ptr<ByteSource> source, const std::string& path) {
  const NpyHeader header = read_npy_header(*source, path);
  std::optional<FileRegion> region;
  if (can_reopen(path) && !is_compressed(path))
    region = {path, 0, FileHandle(path).size()};
  else
    require_bytes(*source, 0, 0, static_cast<std::size_t>(header.columns) * header.type.size, path);
  return read_npy(std::move(source), path, header, region);
}

std::unique_ptr<RowReader> read_npy(std::unique_ptr<ByteSource> source, const std::string& name,
                                    const NpyHeader& header, const std::optional<FileRegion>& region) {
  return std::make_unique<NpyReader>(std::move(source), name, header, region);
}

}  // namespace weft::detail
