#include "data/readers/idx_reader.hpp"

#include "data/readers/scalar_type.hpp"
#include "data/text.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

namespace weft::detail {

namespace {

// Type codes of the format; all numbers are big-endian.
bool find_type(unsigned char code, ScalarType& type) {
  switch (code) {
    case 0x08:
      type = {ScalarKind::unsigned_integer, 1, true};
      return true;
    case 0x09:
      type = {ScalarKind::signed_integer, 1, true};
      return true;
    case 0x0b:
      type = {ScalarKind::signed_integer, 2, true};
      return true;
    case 0x0c:
      type = {ScalarKind::signed_integer, 4, true};
      return true;
    case 0x0d:
      type = {ScalarKind::floating, 4, true};
      return true;
    case 0x0e:
      type = {ScalarKind::floating, 8, true};
      return true;
    default:
      return false;
  }
}

// One IDX file, read front to back.
class IdxFile {
 public:
  IdxFile(std::unique_ptr<ByteSource> source, std::string name) : source_(std::move(source)), name_(std::move(name)) {
    unsigned char start[4] = {};
    read_exactly(*source_, reinterpret_cast<char*>(start), sizeof start, name_);
    if (start[0] != 0 || start[1] != 0 || !find_type(start[2], type_) || start[3] == 0)
      throw Error(ErrorKind::data, "this is not an IDX file", name_, "check ‹format›");
    rows_ = read_extent();
    for (int dimension = 1; dimension < start[3]; ++dimension) {
      columns_ *= read_extent();
      if (columns_ > kMaxColumns) break;
    }
    if (columns_ > kMaxColumns || checked_bytes(rows_, columns_, type_.size) < 0)
      throw Error(ErrorKind::data, "the dimensions are larger than weft supports", name_,
                  "check that the file is not damaged");
    if (rows_ == 0 || columns_ == 0)
      throw Error(ErrorKind::data, "the file has no data", name_, "give a file with rows of data");
    require_bytes(*source_, 4.0 + 4.0 * start[3], static_cast<double>(rows_) * static_cast<double>(columns_ * width()),
                  static_cast<std::size_t>(columns_ * width()), name_);
  }

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  const std::string& name() const { return name_; }

  /// Reads the rows of `to`, columns × rows; returns where a cell is infinite.
  std::optional<CellPosition> read(View<double> to) {
    bytes_.resize(static_cast<std::size_t>(to.cols * columns_) * type_.size);
    read_exactly(*source_, bytes_.data(), bytes_.size(), name_);
    convert_rows(type_, bytes_.data(), to);
    return type_.kind == ScalarKind::floating ? first_infinite(to) : std::nullopt;
  }

 private:
  Index width() const { return static_cast<Index>(type_.size); }
  Index read_extent() {
    unsigned char bytes[4] = {};
    read_exactly(*source_, reinterpret_cast<char*>(bytes), sizeof bytes, name_);
    return (Index{bytes[0]} << 24) | (Index{bytes[1]} << 16) | (Index{bytes[2]} << 8) | Index{bytes[3]};
  }

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  ScalarType type_;
  Index rows_ = 0;
  Index columns_ = 1;
  std::vector<char> bytes_;
};

class IdxReader : public RowReader {
 public:
  IdxReader(std::unique_ptr<IdxFile> images, std::unique_ptr<IdxFile> labels)
      : images_(std::move(images)), labels_(std::move(labels)) {
    for (Index j = 0; j < images_->columns(); ++j) columns_.push_back({fmt::format("p{}", j), false});
    if (labels_ == nullptr) return;
    columns_.push_back({"target", false});
    if (labels_->rows() != images_->rows() || labels_->columns() != 1)
      throw Error(ErrorKind::data,
                  fmt::format("{} × {} labels do not fit the {} rows of {}", labels_->rows(), labels_->columns(),
                              images_->rows(), images_->name()),
                  labels_->name(), "fetch both files again, or move the file of labels elsewhere to read without it");
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index) const override { return no_texts_; }
  bool next(RawBlock& block, Index max_rows) override {
    const auto columns = static_cast<Index>(columns_.size());
    const Index count = std::min(block_rows(max_rows, columns), images_->rows() - rows_read_);
    if (count <= 0) return false;
    cells_.reshape(columns, count);
    read_part(*images_, 0);
    if (labels_ != nullptr) read_part(*labels_, columns - 1);
    block.columns = cells_.view();
    block.first_row = block_start_ = rows_read_;
    rows_read_ += count;
    return true;
  }
  std::string place(Index row, Index column) const override {
    const bool label = labels_ != nullptr && column + 1 == static_cast<Index>(columns_.size());
    return fmt::format("{}:{}:{}", label ? labels_->name() : images_->name(), block_start_ + row + 1,
                       label ? 1 : column + 1);
  }
  double fraction() const override { return static_cast<double>(rows_read_) / static_cast<double>(images_->rows()); }

 private:
  void read_part(IdxFile& file, Index first_column) {
    if (const auto bad = file.read(cells_.view().row_range(first_column, file.columns())))
      throw Error(ErrorKind::data, "a cell is infinite", fmt::format("{}:{}", file.name(), rows_read_ + bad->row + 1),
                  "fix it, or store NaN for a missing value");
  }

  std::unique_ptr<IdxFile> images_;
  std::unique_ptr<IdxFile> labels_;
  std::vector<Column> columns_;
  std::vector<std::string> no_texts_;
  Matrix cells_;
  Index rows_read_ = 0;
  Index block_start_ = 0;
};

bool replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.rfind(from);
  if (at == std::string::npos) return false;
  text.replace(at, from.size(), to);
  return true;
}

}  // namespace

bool is_idx(std::string_view start) {
  ScalarType type;
  return start.size() >= 4 && start[0] == 0 && start[1] == 0 && find_type(static_cast<unsigned char>(start[2]), type) &&
         start[3] > 0 && start[3] < 9;
}

std::string idx_labels_path(const std::string& images_path) {
  const std::filesystem::path path(images_path);
  std::string name = path.filename().string();
  if (!replace(name, "images", "labels")) return {};
  replace(name, "idx3", "idx1");
  const bool packed = path.extension() == ".gz";
  const std::string other = packed ? name.substr(0, name.size() - 3) : name + ".gz";
  for (const std::string& candidate : {name, other}) {
    const std::filesystem::path labels = path.parent_path() / candidate;
    if (std::filesystem::is_regular_file(labels)) return labels.string();
  }
  return {};
}

std::unique_ptr<RowReader> read_idx(std::unique_ptr<ByteSource> images, const std::string& name,
                                    std::unique_ptr<ByteSource> labels, const std::string& labels_name) {
  auto image_file = std::make_unique<IdxFile>(std::move(images), name);
  auto label_file = labels == nullptr ? nullptr : std::make_unique<IdxFile>(std::move(labels), labels_name);
  return std::make_unique<IdxReader>(std::move(image_file), std::move(label_file));
}

}  // namespace weft::detail
