// Every reader of tables. However the bytes are cut into chunks and rows into blocks, the cells are the same.
#include <weft/data.hpp>
#include <weft/encoder.hpp>
#include <weft/error.hpp>

#include "data/readers/csv_reader.hpp"
#include "data/readers/idx_reader.hpp"
#include "data/readers/libsvm_reader.hpp"
#include "data/readers/npy_reader.hpp"
#include "data/readers/npz_reader.hpp"
#include "fuzz/fuzz_target.hpp"
#include "fuzz/inputs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <zlib.h>

namespace weft::fuzz {

using namespace detail;

namespace {

constexpr Index kMostCells = 1 << 16;  // a compressed file may hold more than anybody has time for

/// The first kMostCells cells in their order, as text.
std::string all_cells(RowReader& reader, Index rows_at_once) {
  std::string cells;
  const auto columns = static_cast<Index>(reader.columns().size());
  const Index most_rows = std::max<Index>(1, kMostCells / std::max<Index>(1, columns));
  RawBlock block;
  for (Index rows = 0; rows < most_rows; rows += block.rows()) {
    const Index wanted = std::min(rows_at_once, most_rows - rows);
    if (!reader.next(block, wanted)) break;
    require(block.columns.rows == columns, "a block with another number of columns");
    require(block.rows() > 0 && block.rows() <= wanted && block.first_row == rows, "a block with other rows");
    require(!reader.place(block.rows() - 1, columns - 1).empty(), "a cell without a place");
    for (Index i = 0; i < block.rows(); ++i)
      for (Index j = 0; j < columns; ++j) {
        const double cell = block.columns(j, i);
        require(!std::isinf(cell), "an infinite cell");
        const bool text = reader.columns()[static_cast<std::size_t>(j)].text && !std::isnan(cell);
        if (text) require(cell >= 0 && cell < static_cast<double>(reader.dictionary(j).size()), "an unknown text");
        cells += text ? reader.dictionary(j)[static_cast<std::size_t>(cell)] : fmt::format("{}", cell);
        cells += '\n';
      }
  }
  return cells;
}

/// Both in large pieces and in small ones. open(chunk) makes a reader. `same_error`: which of several mistakes is told
/// does not depend on the pieces.
void compare_cuts(const auto& open, bool same_error = true) {
  std::optional<std::string> cells;
  bool refused = false;
  for (const std::size_t chunk : {kChunkSize, std::size_t{7}}) {
    std::string found;
    try {
      found = all_cells(*open(chunk), chunk == 7 ? 3 : 1000);
    } catch (const Error& error) {
      if (cells && cells != error.what() && (same_error || !refused))
        throw Violation(fmt::format("how the file is cut decides: {} | {}", cells->substr(0, 200), error.what()));
      if (cells) throw;
      refused = true;
      found = error.what();
    }
    if (cells) require(cells == found, "cells that depend on how the file is cut");
    cells = found;
  }
}

// The first line holds the options.
void csv(std::string_view input) {
  const std::string_view line = input.substr(0, input.find('\n'));
  input.remove_prefix(std::min(input.size(), line.size() + 1));
  ReadOptions options;
  bool tabs = false;
  for (const char c : line) {
    if (c == 'h') options.header = HeaderLine::yes;
    if (c == 'n') options.header = HeaderLine::no;
    if (c == 's') ++options.skip_rows;
    if (c == 't') tabs = true;
    if (c == 'd') options.decimal = DecimalMark::comma;
    if (c == 'm') options.na_values = "999,unknown";
    if (c == 'c') options.categorical = "0";
    if (c == '#') options.comment = "#";
    if (c == ';' || c == '|' || c == ' ') options.delimiter = c;
  }
  compare_cuts([&](std::size_t chunk) { return read_csv(memory_bytes(input), "table.csv", options, tabs, chunk); });
}

void libsvm(std::string_view input) {
  const LibsvmShape shape = scan_libsvm(memory_bytes(input), "table.svm", 11);
  const LibsvmShape same = scan_libsvm(memory_bytes(input), "table.svm");
  require(shape.inputs == same.inputs && shape.targets == same.targets && shape.first_index == same.first_index,
          "a shape that depends on how the file is cut");
  if (shape.inputs + shape.targets > 500) return;  // rows are dense: too slow
  compare_cuts([&](std::size_t chunk) { return read_libsvm(memory_bytes(input), "table.svm", shape, chunk); });
  static_cast<void>(is_libsvm_line(input.substr(0, input.find('\n'))));
}

void npy(std::string_view input) {
  const std::string& path = memory_file().with(input);
  const auto open = [&](std::size_t) { return read_npy(open_bytes(path), path); };
  compare_cuts(open);
}

void npz(std::string_view input) {
  const std::string& path = memory_file().with(input);
  static_cast<void>(is_npz(path));
  static_cast<void>(is_npz_compressed(path));
  // Of two damaged arrays the one is named whose end is read first.
  compare_cuts([&](std::size_t) { return read_npz(path); }, false);
}

// A byte that says whether labels follow, two with their length, labels, images.
void idx(std::string_view input) {
  if (input.size() < 3) return;
  const std::size_t size = static_cast<unsigned char>(input[1]) + 256u * static_cast<unsigned char>(input[2]);
  const std::string_view labels = input.substr(3, size);
  const std::string_view images = input.substr(3 + labels.size());
  compare_cuts([&](std::size_t) {
    return read_idx(memory_bytes(images), "images", input[0] % 2 == 1 ? memory_bytes(labels) : nullptr, "labels");
  });
}

void gzip(std::string_view input) {
  const std::unique_ptr<ByteSource> source = open_bytes(memory_file().with(input));
  std::string buffer(4096, '\0');
  for (std::size_t total = 0, count = 1; count > 0 && total < (1 << 20); total += count) {
    count = source->read(buffer.data(), total % 3 == 0 ? buffer.size() : 17);
    require(count <= buffer.size(), "more bytes than asked for");
  }
}

// As a user gives it: recognised, its columns found, encoded.
void table(std::string_view input) {
  ReadOptions options;
  options.target = "-1";
  const Data data = read(memory_file().with(input), options);
  if (data.open()->columns().size() > 1000) return;
  EncodeOptions encode;
  encode.max_levels = 5;
  const Encoder encoder = Encoder::fit(data, encode);
  const auto reader = encoder.open_training(data, true);
  Block block;
  for (Index rows = 0; rows < encoder.rows_seen() && reader->next(block, 100); rows += block.rows())
    for (Index j = 0; j < block.x.rows(); ++j)
      require(std::all_of(block.x.row(j), block.x.row(j) + block.rows(), [](double x) { return std::isfinite(x); }),
              "an input that is not finite");
  require(Encoder::from_json(encoder.to_json()).to_json() == encoder.to_json(), "an encoder that changes");
}

std::string npy_bytes(const std::string& type, const std::string& shape, const std::string& data,
                      bool fortran = false) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, fortran ? "True" : "False", shape);
  header.resize((header.size() + 11 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size() % 256) +
         static_cast<char>(header.size() / 256) + header + data;
}

std::vector<std::string> npy_seeds() {
  return {npy_bytes("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, NAN})),
          npy_bytes("<i4", "(3,)", bytes_of<std::int32_t>({1, -2, 3})),
          npy_bytes(">f4", "(2, 2)", bytes_of<float>({1, 2, 3, 4}), true), npy_bytes("|b1", "(2, 1)", {"\0\1", 2}),
          npy_bytes("<f2", "(1, 2)", bytes_of<std::uint16_t>({0x3c00, 0x7bff}))};
}

/// A zip archive of files that are stored or, where it says so, deflated.
std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& files, bool deflated) {
  std::string bytes, directory;
  const auto number = [](std::size_t value, int size) {
    std::string text;
    for (int k = 0; k < size; ++k) text += static_cast<char>(value >> (8 * k));
    return text;
  };
  for (const auto& [name, content] : files) {
    constexpr std::size_t kGzipStart = 10, kGzipEnd = 8;  // gzip is deflate between a header and a trailer
    const std::string packed = gzipped(content);
    const std::string stored = deflated ? packed.substr(kGzipStart, packed.size() - kGzipStart - kGzipEnd) : content;
    const std::size_t sum = crc32_z(0, reinterpret_cast<const unsigned char*>(content.data()), content.size());
    const std::string common = number(20, 2) + number(0, 2) + number(deflated ? 8 : 0, 2) + number(0, 4) +
                               number(sum, 4) + number(stored.size(), 4) + number(content.size(), 4) +
                               number(name.size(), 2) + number(0, 2);
    directory += "PK\1\2" + number(20, 2) + common + number(0, 6) + number(0, 4) + number(bytes.size(), 4) + name;
    bytes += "PK\3\4" + common + name + stored;
  }
  return bytes + directory + "PK\5\6" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) +
         number(directory.size(), 4) + number(bytes.size(), 4) + number(0, 2);
}

std::vector<std::string> npz_seeds() {
  const auto arrays = npy_seeds();
  return {zip_bytes({{"x.npy", arrays[0]}, {"y.npy", npy_bytes("<f4", "(2,)", bytes_of<float>({1, 2}))}}, false),
          zip_bytes({{"x.npy", arrays[0]}, {"y.npy", arrays[3]}}, true), zip_bytes({{"a.npy", arrays[1]}}, true)};
}

std::vector<std::string> idx_seeds() {
  const std::string images("\0\0\x08\x03\0\0\0\2\0\0\0\2\0\0\0\1\1\2\3\4", 20);
  const std::string labels("\0\0\x08\1\0\0\0\2\7\x09", 10);
  const std::string floats("\0\0\x0d\2\0\0\0\1\0\0\0\2\x3f\x80\0\0\x40\0\0\0", 20);
  return {std::string("\0\0\0", 3) + images, std::string("\1\x0a\0", 3) + labels + images,
          std::string("\0\0\0", 3) + floats};
}

std::vector<std::string> csv_seeds() {
  return {"\na,b,kind\n1,2.5,red\n-3,,\"blue, or\nnot\"\n4e2,NA,red\n",
          "d;\nx;y\n1,5;2\n2,25;\n\"3,0\";4\n",
          "t\n1\t2\n3\t4\n",
          "ns \n# comment\n 1   2\n3 4\n",
          "hm#\nsep=;\n#\na;b\n999;unknown\n1;\"say \"\"yes\"\"\"\r\n",
          "c\n1,2020-01-01\n2,2020-02-03T04:05\n"};
}

std::vector<std::string> libsvm_seeds() {
  return {"1 1:0.5 7:-2e3\n-1 2:1 # comment\n\n1 qid:3 3:4\n", "0,1 0:1\n1,2 5:.5\n"};
}

// All with a target in the last column.
std::vector<std::string> table_seeds() {
  const std::string numbers = "a,b,y\n1,2.5,3\n-3,,4\n4e2,7,5\n";
  std::vector<std::string> seeds = {numbers, gzipped(numbers), libsvm_seeds()[0], npz_seeds()[0]};
  std::string messy = "n,date,kind,flag,y\n";
  for (int i = 0; i < 30; ++i)
    messy += fmt::format("{},2024-0{}-1{},k{},{},{}\n", i % 7 == 0 ? "" : std::to_string(i * i), 1 + i % 9, i % 9,
                         i % 11, i % 2 == 0 ? "yes" : "no", i % 3);
  seeds.push_back(messy);
  return seeds;
}

}  // namespace

void add_tables(std::vector<Target>& targets) {
  targets.push_back({"csv", 2000, 4000, csv, csv_seeds});
  targets.push_back({"libsvm", 2000, 10000, libsvm, libsvm_seeds});
  targets.push_back({"npy", 2000, 3000, npy, npy_seeds});
  targets.push_back({"npz", 4000, 3000, npz, npz_seeds});
  targets.push_back({"idx", 2000, 10000, idx, idx_seeds});
  targets.push_back({"gzip", 2000, 3000, gzip, [] {
                       return std::vector<std::string>{gzipped("a,b\n1,2\n"),
                                                       gzipped(std::string(5000, 'a')) + gzipped("b"),
                                                       gzipped("") + std::string(20, '\0')};
                     }});
  targets.push_back({"table", 4000, 300, table, table_seeds});
}

}  // namespace weft::fuzz
