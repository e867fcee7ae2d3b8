// CRC-64/XZ (reflected ECMA-182 polynomial). A CRC, not a hash: it detects every run of wrong bits up to
// 64 long, so every damaged byte, and misses any other damage once in 2^64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::detail {

class Crc64 {
 public:
  void add(const void* data, std::size_t size);
  /// As add() with the `size` bytes that `next` was made of: pieces can be summed side by side.
  void append(const Crc64& next, std::uint64_t size);
  std::uint64_t value() const { return ~state_; }

 private:
  static constexpr std::uint64_t kStart = ~std::uint64_t{0};
  std::uint64_t state_ = kStart;
};

}  // namespace weft::detail
