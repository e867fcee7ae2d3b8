// What identifies the rows of a table wherever they are read: their number and a checksum of their cells.
#pragma once

#include <weft/data.hpp>
#include <weft/run.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::detail {

struct Fingerprint {
  Index rows = 0;
  std::uint64_t checksum = 0;  ///< of names, cells and texts; the blocks in which they are read do not matter

  bool operator==(const Fingerprint&) const = default;
};

/// The same table; where a pass over it ends, the fingerprint of its rows is in `into`. Columns of these names are read
/// as texts, as in the first part of a table of which this is another.
Data fingerprinted(const Data& data, const std::vector<std::string>& texts, std::shared_ptr<Fingerprint> into);

/// In a pass of its own.
Fingerprint fingerprint_of(const Data& data, const std::vector<std::string>& texts, const Run& run);

}  // namespace weft::detail
