// A block of parsed rows as bytes. Columns that are mostly zero, as in sparse formats and one-hot tables, keep their
// other cells only.
#pragma once

#include <weft/matrix.hpp>

#include <string>

namespace weft::detail {

/// At most 65536 rows: a row within a block is a 16-bit number.
inline constexpr Index kMostPackedRows = Index{1} << 16;

/// `columns`: columns × rows.
std::string pack_block(View<const double> columns);
/// `columns` has the shape of the block that was packed.
void unpack_block(const std::string& bytes, View<double> columns);

}  // namespace weft::detail
