// SHA-256 (FIPS 180-4). Written out because it is the only hash weft needs: libcrypto for it would be a dependency of
// every program that links weft, and libcurl may stand on another TLS library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace weft::detail {

class Sha256 {
 public:
  void add(const void* data, std::size_t size);
  /// 64 hexadecimal digits of what was added so far.
  std::string value() const;

 private:
  static constexpr std::size_t kBlock = 64;
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, kBlock> pending_ = {};  ///< the size_ % 64 last bytes
  std::uint64_t size_ = 0;
};

}  // namespace weft::detail
