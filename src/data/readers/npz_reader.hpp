// NumPy's .npz archives: arrays of the same number of rows side by side.
#pragma once

#include <weft/data.hpp>

#include <memory>
#include <string>

namespace weft::detail {

/// Whether a zip archive holds arrays and nothing else.
bool is_npz(const std::string& path);
/// Whether one of its arrays is compressed.
bool is_npz_compressed(const std::string& path);

/// An array NAME of one column is the column NAME, one of several NAME0, NAME1, …; an archive of one array has the
/// columns of a .npy file, x0 ….
std::unique_ptr<RowReader> read_npz(const std::string& path);

}  // namespace weft::detail
