#include "data/readers/npz_reader.hpp"

#include "data/readers/npy_reader.hpp"
#include "data/readers/zip_archive.hpp"
#include "data/text.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::string_view kArrayEnding = ".npy";

bool is_array(const ZipEntry& entry) {
  return std::string_view(entry.name).ends_with(kArrayEnding);
}

std::string array_name(const ZipEntry& entry) {
  return entry.name.substr(0, entry.name.size() - kArrayEnding.size());
}

struct NpzArray {
  std::string name;
  Index rows;
  std::unique_ptr<RowReader> reader;

  Index columns() const { return static_cast<Index>(reader->columns().size()); }
};

NpzArray open_array(const std::string& path, const ZipEntry& entry) {
  const std::string name = array_name(entry);
  const std::string place = fmt::format("{}:{}", path, name);
  auto source = open_zip_entry(path, entry);
  const NpyHeader header = read_npy_header(*source, place);
  std::optional<FileRegion> region;
  if (!entry.deflated) region = {path, static_cast<std::size_t>(entry.offset), static_cast<double>(entry.size)};
  return {name, header.rows, read_npy(std::move(source), place, header, region)};
}

class NpzReader : public RowReader {
 public:
  explicit NpzReader(const std::string& path) {
    for (const ZipEntry& entry : read_zip_entries(path)) arrays_.push_back(open_array(path, entry));
    check_rows(path);
    std::unordered_set<std::string> seen;
    for (const NpzArray& array : arrays_)
      for (Index j = 0; j < array.columns(); ++j) {
        columns_.push_back({column_name(array, j), false});
        if (!seen.insert(columns_.back().name).second)
          throw Error(ErrorKind::data, fmt::format("two columns are named {}", shown(columns_.back().name)), path,
                      "rename one of the arrays");
      }
    if (static_cast<Index>(columns_.size()) > kMaxColumns)
      throw Error(ErrorKind::data, fmt::format("{} columns are more than weft supports", columns_.size()), path,
                  "save fewer arrays");
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index) const override { return no_texts_; }
  double fraction() const override { return arrays_.front().reader->fraction(); }
  std::string place(Index row, Index column) const override {
    for (const NpzArray& array : arrays_) {
      if (column < array.columns()) return array.reader->place(row, column);
      column -= array.columns();
    }
    return {};
  }

  bool next(RawBlock& block, Index max_rows) override {
    // Not more than any of the arrays delivers at once: all deliver the same rows.
    const Index rows = block_rows(max_rows, static_cast<Index>(columns_.size()));
    Index first = 0;
    for (const NpzArray& array : arrays_) {
      if (!array.reader->next(block, rows)) return false;
      if (first == 0) cells_.reshape(static_cast<Index>(columns_.size()), block.rows());
      for (Index j = 0; j < block.columns.rows; ++j)
        std::copy_n(block.columns.row(j), block.rows(), cells_.row(first + j));
      first += array.columns();
    }
    block.columns = cells_.view();
    return true;
  }
  void use_threads(int threads) override {
    for (const NpzArray& array : arrays_) array.reader->use_threads(threads);
  }

 private:
  std::string column_name(const NpzArray& array, Index j) const {
    if (arrays_.size() == 1) return fmt::format("x{}", j);
    return array.columns() == 1 ? array.name : fmt::format("{}{}", array.name, j);
  }

  void check_rows(const std::string& path) const {
    if (arrays_.empty()) throw Error(ErrorKind::data, "the archive holds no array", path, "write it with numpy.savez");
    for (const NpzArray& array : arrays_)
      if (array.rows != arrays_.front().rows)
        throw Error(ErrorKind::data,
                    fmt::format("array {} has {} rows and array {} has {}", arrays_.front().name, arrays_.front().rows,
                                array.name, array.rows),
                    path, "save the arrays of one table together, such as numpy.savez(file, X=X, y=y)");
  }

  std::vector<NpzArray> arrays_;
  std::vector<Column> columns_;
  std::vector<std::string> no_texts_;
  Matrix cells_;
};

}  // namespace

bool is_npz(const std::string& path) {
  const std::vector<ZipEntry> entries = read_zip_entries(path);
  return !entries.empty() && std::all_of(entries.begin(), entries.end(), is_array);
}

bool is_npz_compressed(const std::string& path) {
  const std::vector<ZipEntry> entries = read_zip_entries(path);
  return std::any_of(entries.begin(), entries.end(), [](const ZipEntry& entry) { return entry.deflated; });
}

std::unique_ptr<RowReader> read_npz(const std::string& path) {
  return std::make_unique<NpzReader>(path);
}

}  // namespace weft::detail
