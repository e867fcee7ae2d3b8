// Encodes a whole table for tests, and a table with every kind of column.
#pragma once

#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "data/memory_table.hpp"

namespace weft::testing {

using namespace detail;

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// All of a table, encoded in blocks of `rows`: x, y and weights one after the other.
struct Encoded {
  Matrix x;
  Numbers y;
  Numbers weights;
};

inline Encoded encode(const Encoder& encoder, const Data& data, bool with_target = false, Index rows = 1 << 20,
                      int threads = 1) {
  Encoded all;
  std::vector<Numbers> columns(static_cast<std::size_t>(encoder.inputs().columns()));
  const auto stream = encoder.open(data, with_target, {.threads = threads});
  Block block;
  Index done = 0;
  while (stream->next(block, rows)) {
    EXPECT_EQ(block.first_row, done);
    done += block.rows();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double* values = block.x.row(static_cast<Index>(c));
      columns[c].insert(columns[c].end(), values, values + block.rows());
    }
    all.y.insert(all.y.end(), block.y.data(), block.y.data() + block.y.rows() * block.y.cols());
    all.weights.insert(all.weights.end(), block.weights.begin(), block.weights.end());
  }
  all.x = Matrix(static_cast<Index>(columns.size()), done);
  for (std::size_t c = 0; c < columns.size(); ++c)
    std::copy(columns[c].begin(), columns[c].end(), all.x.row(static_cast<Index>(c)));
  return all;
}

inline Numbers row(const Matrix& x, Index c) {
  return Numbers(x.row(c), x.row(c) + x.cols());
}

inline bool same(const Encoded& a, const Encoded& b) {
  return a.x.rows() == b.x.rows() && a.x.cols() == b.x.cols() &&
         std::equal(a.x.data(), a.x.data() + a.x.rows() * a.x.cols(), b.x.data()) && a.y == b.y &&
         a.weights == b.weights;
}

// Numbers of several kinds, a constant, a categorical, a target and weights.
inline std::vector<TableColumn> mixed_table(Index rows) {
  const Random random(11, weft::detail::RandomStream::fit);
  Numbers normal, skewed, constant, target, weights;
  Texts city;
  for (Index i = 0; i < rows; ++i) {
    const auto r = static_cast<std::uint64_t>(i);
    normal.push_back(1000 + random.normal(r));
    skewed.push_back(std::exp(3 * random.normal(r, 1)));
    constant.push_back(0.1);
    city.push_back(std::string(1, static_cast<char>('a' + random.below(5, r, 2))));
    target.push_back(random.normal(r, 3));
    weights.push_back(random.uniform(r, 4));
  }
  return {{"normal", normal}, {"city", city},     {"constant", constant},
          {"y", target},      {"skewed", skewed}, {"w", weights}};
}

/// Enough columns that blocks of some thousand rows are worth several threads.
inline std::vector<TableColumn> wide_table(Index rows) {
  const Random random(12, weft::detail::RandomStream::fit);
  std::vector<TableColumn> table;
  for (std::uint32_t c = 0; c < 60; ++c) {
    Numbers values;
    for (Index i = 0; i < rows; ++i) values.push_back(random.cauchy(static_cast<std::uint64_t>(i), c));
    table.push_back({"c" + std::to_string(c), values});
  }
  return table;
}

}  // namespace weft::testing
