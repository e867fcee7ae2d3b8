// What the reader tests share: files in a folder that goes away, whole tables in memory, errors taken apart.
#pragma once

#include "temporary_folder.hpp"

#include <weft/data.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>
#include <zlib.h>

#include "data/memory_table.hpp"

namespace weft::testing {

using namespace detail;

class TemporaryFolder : public weft::detail::TemporaryFolder {
 public:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
};

inline std::string gzip(const std::string& bytes) {
  z_stream stream = {};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string packed(deflateBound(&stream, bytes.size()) + 64, '\0');
  std::string input = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("deflate");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// A whole table; text cells as their texts.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<std::string>>
      texts;  ///< by row and column; empty where the column is numeric or the cell missing
};

inline Table read_all(RowReader& reader, Index block_size = 4096) {
  Table table;
  for (const Column& column : reader.columns()) table.names.push_back(column.name);
  RawBlock block;
  while (reader.next(block, block_size)) {
    EXPECT_EQ(block.first_row, static_cast<Index>(table.rows.size()));
    EXPECT_LE(block.rows(), block_size);
    EXPECT_EQ(block.columns.rows, static_cast<Index>(table.names.size()));
    for (Index i = 0; i < block.rows(); ++i) {
      table.rows.emplace_back();
      table.texts.emplace_back();
      for (Index j = 0; j < block.columns.rows; ++j) {
        const double cell = block.columns(j, i);
        table.rows.back().push_back(cell);
        const bool text = reader.columns()[static_cast<std::size_t>(j)].text && !std::isnan(cell);
        table.texts.back().push_back(text ? reader.dictionary(j)[static_cast<std::size_t>(cell)] : std::string{});
      }
    }
  }
  EXPECT_FALSE(reader.next(block, block_size)) << "the end must last";
  return table;
}

inline Table read_all(const Data& data, Index block_size = 4096) {
  return read_all(*data.open(), block_size);
}

using Rows = std::vector<std::vector<double>>;

/// Equal cells, NaN equal to NaN.
inline void expect_rows(const Rows& actual, const Rows& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].size(), expected[i].size()) << "row " << i;
    for (std::size_t j = 0; j < actual[i].size(); ++j) {
      if (std::isnan(expected[i][j]))
        EXPECT_TRUE(std::isnan(actual[i][j])) << i << "," << j;
      else
        EXPECT_EQ(actual[i][j], expected[i][j]) << i << "," << j;
    }
  }
}

/// The weft::Error an action throws; fails the test when it throws none.
inline Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << "one line";
    return error;
  }
  ADD_FAILURE() << "no weft::Error was thrown";
  return {ErrorKind::data, "nothing was thrown"};
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace weft::testing
