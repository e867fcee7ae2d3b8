// IDX files (the MNIST format): the first extent counts rows, the others are flattened to columns p0, p1, …
#pragma once

#include <weft/data.hpp>

#include "data/readers/byte_source.hpp"

#include <memory>
#include <string>

namespace weft::detail {

/// Four bytes: 0, 0, type, dimensions.
bool is_idx(std::string_view start);

/// The existing labels file that belongs to an images file (images → labels, idx3 → idx1, with or without .gz), or
/// empty.
std::string idx_labels_path(const std::string& images_path);

/// `labels` may be empty; else it becomes the last column, target, and must have as many rows.
std::unique_ptr<RowReader> read_idx(std::unique_ptr<ByteSource> images, const std::string& name,
                                    std::unique_ptr<ByteSource> labels, const std::string& labels_name);

}  // namespace weft::detail
