// NumPy's .npy files: 1-D and 2-D arrays of numbers, C or Fortran order.
#pragma once

#include <weft/data.hpp>

#include "data/readers/byte_source.hpp"
#include "data/readers/scalar_type.hpp"

#include <memory>
#include <optional>
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

/// Where the bytes of a .npy file lie as they are: a whole file, or part of an archive.
struct FileRegion {
  std::string path;
  std::size_t offset = 0;
  double size = 0;
};

/// Columns x0 …; a 1-D array is one column. `source` must be fresh. Fortran order jumps about in the array: without a
/// region (compressed, or a pipe) it goes through a temporary file.
std::unique_ptr<RowReader> read_npy(std::unique_ptr<ByteSource> source, const std::string& path);
std::unique_ptr<RowReader> read_npy(std::unique_ptr<ByteSource> source, const std::string& name,
                                    const NpyHeader& header, const std::optional<FileRegion>& region);

}  // namespace weft::detail
