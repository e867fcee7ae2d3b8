// Files inside a zip archive (APPNOTE.TXT 6.3, with zip64): stored or deflated, as numpy.savez and savez_compressed
// write them.
#pragma once

#include "data/readers/byte_source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace weft::detail {

struct ZipEntry {
  std::string name;
  bool deflated = false;
  std::uint32_t checksum = 0;     ///< CRC-32 of the contents
  std::uint64_t packed_size = 0;  ///< in the archive
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  ///< of the first byte in the archive
};

/// What an archive holds, in its order. Throws Error(data) for one that is damaged, encrypted or packed in another way.
std::vector<ZipEntry> read_zip_entries(const std::string& path);

/// The contents of an entry; its checksum is checked where the last byte is read.
std::unique_ptr<ByteSource> open_zip_entry(const std::string& path, const ZipEntry& entry);

}  // namespace weft::detail
