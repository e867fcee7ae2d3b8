#include "data/readers/scalar_type.hpp"

#include "core/transpose_rows.hpp"
#include "data/row_tiles.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace weft::detail {

namespace {

// IEEE 754 binary16: sign, 5 bits of exponent, 10 of fraction.
struct Half {
  std::uint16_t bits;
  explicit operator double() const {
    const int exponent = bits >> 10 & 0x1f;
    const int fraction = bits & 0x3ff;
    double size = std::ldexp(exponent == 0 ? fraction : 1024 + fraction, std::max(exponent, 1) - 25);
    if (exponent == 0x1f)
      size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    return bits >> 15 == 0 ? size : -size;
  }
};

template <class T>
void convert(bool swap, const char* bytes, Index count, double* to) {
  for (Index i = 0; i < count; ++i, bytes += sizeof(T)) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes, sizeof(T));
    if (swap) std::reverse(raw, raw + sizeof(T));
    T value;
    std::memcpy(&value, raw, sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

using Convert = void (*)(bool, const char*, Index, double*);

Convert converter(const ScalarType& type) {
  switch (type.kind) {
    case ScalarKind::boolean:
      return convert<std::uint8_t>;
    case ScalarKind::floating:
      return type.size == 2 ? convert<Half> : type.size == 4 ? convert<float> : convert<double>;
    case ScalarKind::signed_integer:
      return type.size == 1   ? convert<std::int8_t>
             : type.size == 2 ? convert<std::int16_t>
             : type.size == 4 ? convert<std::int32_t>
                              : convert<std::int64_t>;
    case ScalarKind::unsigned_integer:
      return type.size == 1   ? convert<std::uint8_t>
             : type.size == 2 ? convert<std::uint16_t>
             : type.size == 4 ? convert<std::uint32_t>
                              : convert<std::uint64_t>;
  }
  assert(false);
  return nullptr;
}

}  // namespace

void convert_scalars(const ScalarType& type, const char* bytes, Index count, double* to) {
  const bool swap = type.big_endian != (std::endian::native == std::endian::big);
  converter(type)(swap, bytes, count, to);
}

void convert_rows(const ScalarType& type, const char* bytes, View<double> to, int threads) {
  for_each_row_tile(to.rows, to.cols, threads, [&](Index, Tile rows) {
    constexpr Index kTogether = 64;
    Matrix some(kTogether, to.rows);
    for (Index first = rows.first; first < rows.first + rows.count; first += kTogether) {
      const Index count = std::min(kTogether, rows.first + rows.count - first);
      convert_scalars(type, bytes + static_cast<std::size_t>(first * to.rows) * type.size, count * to.rows,
                      some.data());
      transpose_rows(some.view().row_range(0, count), to.col_range(first, count));
    }
  });
}

std::optional<CellPosition> first_infinite(View<const double> columns, int threads) {
  std::vector<std::optional<CellPosition>> found(static_cast<std::size_t>(tile_count(columns.cols, kRowTile)));
  for_each_row_tile(columns.rows, columns.cols, threads, [&](Index k, Tile tile) {
    Index rows = tile.count;
    for (Index c = 0; c < columns.rows; ++c) {
      const double* const cells = columns.row(c) + tile.first;
      const double* const bad = std::find_if(cells, cells + rows, [](double cell) { return std::isinf(cell); });
      if (bad == cells + rows) continue;
      rows = bad - cells;  // only an earlier row is of interest now
      found[static_cast<std::size_t>(k)] = {tile.first + rows, c};
    }
  });
  const auto first = std::find_if(found.begin(), found.end(), [](const auto& cell) { return cell.has_value(); });
  return first != found.end() ? *first : std::nullopt;
}

}  // namespace weft::detail
