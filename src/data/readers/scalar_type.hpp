// Numbers as binary files hold them.
#pragma once

#include <weft/matrix.hpp>

#include <optional>

namespace weft::detail {

enum class ScalarKind { boolean, signed_integer, unsigned_integer, floating };

struct ScalarType {
  ScalarKind kind = ScalarKind::floating;
  std::size_t size = 8;  ///< bytes: 1, 2, 4, 8; floating 2, 4 or 8
  bool big_endian = false;
};

/// Converts `count` numbers to doubles.
void convert_scalars(const ScalarType& type, const char* bytes, Index count, double* to);
/// Converts rows of to.rows numbers, one row after the other, to the columns of a block: to is columns × rows.
void convert_rows(const ScalarType& type, const char* bytes, View<double> to, int threads = 1);

struct CellPosition {
  Index row;
  Index column;
};
/// Of columns × rows: the infinite cell in the first row that has one, and there in the first column.
std::optional<CellPosition> first_infinite(View<const double> columns, int threads = 1);

/// rows × columns × size without overflow; negative when it would overflow a 63-bit count.
inline Index checked_bytes(Index rows, Index columns, std::size_t size) {
  Index cells = 0;
  Index bytes = 0;
  if (rows < 0 || columns < 0 || __builtin_mul_overflow(rows, columns, &cells) ||
      __builtin_mul_overflow(cells, static_cast<Index>(size), &bytes))
    return -1;
  return bytes;
}

}  // namespace weft::detail
