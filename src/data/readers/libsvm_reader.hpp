// LIBSVM / svmlight files: `label index:value … # comment`, delivered dense. Several labels with commas are several
// targets; qid: tokens are ignored.
#pragma once

#include <weft/data.hpp>

#include "data/readers/line_reader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace weft::detail {

struct LibsvmShape {
  Index first_index = 1;  ///< 0 when the file counts from 0
  Index inputs = 0;
  Index targets = 1;
  std::vector<Index> indices = {};  ///< those that occur, ascending, of a wide file; empty: all of them are columns
};

/// Files with more inputs than this have columns for those that occur alone: the others are 0 in every row.
inline constexpr Index kDenseInputs = 10000;

/// One fast pass over the file for the largest index.
LibsvmShape scan_libsvm(std::unique_ptr<ByteSource> source, const std::string& name,
                        std::size_t chunk_size = kChunkSize);

/// One more pass, for a file with more than kDenseInputs inputs: sets `indices`, and `inputs` to their number.
void find_occurring(std::unique_ptr<ByteSource> source, const std::string& name, LibsvmShape& shape,
                    std::size_t chunk_size = kChunkSize);

/// Columns x1 … xn (x0 … when the file counts from 0), then target (target0 … when several).
std::unique_ptr<RowReader> read_libsvm(std::unique_ptr<ByteSource> source, const std::string& name,
                                       const LibsvmShape& shape, std::size_t chunk_size = kChunkSize);

/// Whether a line reads `number[,number…] index:value …`.
bool is_libsvm_line(std::string_view line);

}  // namespace weft::detail
