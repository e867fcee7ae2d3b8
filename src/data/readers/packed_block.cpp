#include "data/readers/packed_block.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

namespace weft::detail {

namespace {

// A count of cells that are kept, or this mark where all are, before each column.
constexpr std::uint32_t kAll = 0xffffffff;
// Two bytes for the row beside the eight of the cell: worth it below 4/5 of the cells.
constexpr std::size_t kBytesPerKept = sizeof(std::uint16_t) + sizeof(double);

void append(std::string& bytes, const void* data, std::size_t size) {
  bytes.append(static_cast<const char*>(data), size);
}

// By its bits: −0 is not 0.
bool is_zero(double cell) {
  return std::bit_cast<std::uint64_t>(cell) == 0;
}

}  // namespace

std::string pack_block(View<const double> columns) {
  assert(columns.cols <= kMostPackedRows);
  const auto rows = static_cast<std::size_t>(columns.cols);
  std::string bytes;
  std::vector<std::uint16_t> kept;
  std::vector<double> cells;
  for (Index c = 0; c < columns.rows; ++c) {
    const double* const column = columns.row(c);
    const auto zeros = static_cast<std::size_t>(std::count_if(column, column + rows, is_zero));
    if ((rows - zeros) * kBytesPerKept >= rows * sizeof(double)) {
      append(bytes, &kAll, sizeof kAll);
      append(bytes, column, rows * sizeof(double));
      continue;
    }
    kept.clear();
    cells.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      if (is_zero(column[i])) continue;
      kept.push_back(static_cast<std::uint16_t>(i));
      cells.push_back(column[i]);
    }
    const auto count = static_cast<std::uint32_t>(kept.size());
    append(bytes, &count, sizeof count);
    append(bytes, kept.data(), kept.size() * sizeof(std::uint16_t));
    append(bytes, cells.data(), cells.size() * sizeof(double));
  }
  return bytes;
}

void unpack_block(const std::string& bytes, View<double> columns) {
  const char* at = bytes.data();
  const auto take = [&](void* to, std::size_t size) {
    if (size > 0) std::memcpy(to, at, size);  // an empty vector has no address
    at += size;
  };
  std::vector<std::uint16_t> kept;
  std::vector<double> cells;
  for (Index c = 0; c < columns.rows; ++c) {
    double* const column = columns.row(c);
    std::uint32_t count = 0;
    take(&count, sizeof count);
    if (count == kAll) {
      take(column, static_cast<std::size_t>(columns.cols) * sizeof(double));
      continue;
    }
    kept.resize(count);
    cells.resize(count);
    take(kept.data(), count * sizeof(std::uint16_t));
    take(cells.data(), count * sizeof(double));
    std::fill_n(column, columns.cols, 0.0);
    for (std::size_t i = 0; i < count; ++i) column[kept[i]] = cells[i];
  }
  assert(at == bytes.data() + bytes.size());
}

}  // namespace weft::detail
