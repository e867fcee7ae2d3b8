// NumPy's .npy files: 1-D and 2-D arrays of numbers, C or Fortran order.
#pragma once

#include <weft/data.hpp>

#include "data/readers/byte_source.hpp"
#include "data/readers/scalar_type.hpp"

#include <memory>
#include <string>

namespace weft::detail {

struct NpyHeader {
  ScalarType type;
  bool fortran_order = false;
  Index rows = 0;
  Index columns = 1;
  std::size_t data_offset = 0;
};

/// Reads the header off the front of `source` (format versions 1 to 3).
NpyHeader read_npy_header(ByteSource& source, const std::string& name);

/// Columns x0 …; a 1-D array is one column. `source` must be fresh. Fortran order jumps about in the file and therefore
/// needs one that is not compressed.
std::unique_ptr<RowReader> read_npy(std::unique_ptr<ByteSource> source, const std::string& path);

}  // namespace weft::detail
