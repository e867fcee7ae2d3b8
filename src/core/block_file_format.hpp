// What writer and reader of block files (block_file.hpp) agree on.
#pragma once

#include <weft/matrix.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft::detail {

static_assert(std::endian::native == std::endian::little, "blocks are written as they lie in memory");
static_assert(sizeof(Index) == 8 && sizeof(double) == 8 && sizeof(float) == 4);

// The line ends and the end-of-file mark show a file that was copied as text, as in PNG.
inline constexpr char kMagic[8] = {'W', 'E', 'F', 'T', '\r', '\n', '\x1a', '\n'};
inline constexpr std::uint64_t kStartBytes = sizeof kMagic + 4 + 8;
inline constexpr std::uint64_t kChecksumBytes = 8;
inline constexpr std::uint64_t kBlockAlignment = 64;
inline constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{1} << 30;

inline std::uint64_t aligned_offset(std::uint64_t offset) {
  return (offset + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

inline std::size_t width_of(const std::string& type) {
  return type.back() == '4' ? 4 : 8;
}

}  // namespace weft::detail
