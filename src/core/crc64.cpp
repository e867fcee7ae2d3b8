// Bytes are the coefficients of a polynomial over GF(2), the first bit that of the highest power, and the CRC is its
// remainder modulo P. Bit i of a word holds the coefficient of x^(63 − i).
#include "core/crc64.hpp"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace weft::detail {

namespace {

constexpr std::uint64_t kPolynomial = 0xC96C5795D7870F42;

constexpr std::uint64_t times_x(std::uint64_t state) {
  return (state >> 1) ^ ((state & 1) != 0 ? kPolynomial : 0);
}

using Table = std::array<std::array<std::uint64_t, 256>, 8>;

// Row 0 advances the state by one byte; row k by k zero bytes more, so that eight look-ups take eight bytes at once.
constexpr Table make_table() {
  Table table{};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t state = byte;
    for (int bit = 0; bit < 8; ++bit) state = times_x(state);
    table[0][byte] = state;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[k][byte] = (table[k - 1][byte] >> 8) ^ table[0][table[k - 1][byte] & 0xFF];
  return table;
}

constexpr Table kTable = make_table();

std::uint64_t add_by_table(std::uint64_t state, const unsigned char* bytes, std::size_t size) {
  static_assert(std::endian::native == std::endian::little, "eight bytes are taken as one little-endian word");
  for (; size >= 8; size -= 8, bytes += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    word ^= state;
    state = 0;
    for (std::size_t k = 0; k < 8; ++k) state ^= kTable[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; size > 0; --size, ++bytes) state = (state >> 8) ^ kTable[0][(state ^ *bytes) & 0xFF];
  return state;
}

// a·b mod P.
constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  for (; a != 0; a <<= 1, b = times_x(b))
    if (a >> 63 != 0) result ^= b;
  return result;
}

// x^n mod P.
constexpr std::uint64_t power_of_x(std::uint64_t n) {
  std::uint64_t result = std::uint64_t{1} << 63;  // x^0
  for (std::uint64_t square = result >> 1; n != 0; n >>= 1, square = product(square, square))
    if ((n & 1) != 0) result = product(result, square);
  return result;
}

#if defined(__x86_64__)

constexpr std::size_t kLanes = 8;
constexpr std::size_t kLaneBytes = 16;
constexpr std::size_t kFoldBytes = kLanes * kLaneBytes;

// A lane is 128 coefficients h·x^64 + l, h in the low word. Moved by `bits` it is h·(x^(bits+64) mod P) + l·(x^bits mod
// P), two products without carries. Such a product of reflected words comes out multiplied by x, so the factors are one
// power lower.
template <std::size_t bits>
__attribute__((target("pclmul,sse4.1"))) inline __m128i moved(__m128i lane) {
  constexpr std::uint64_t kHigh = power_of_x(bits + 63), kLow = power_of_x(bits - 1);
  const __m128i factors = _mm_set_epi64x(static_cast<long long>(kLow), static_cast<long long>(kHigh));
  return _mm_xor_si128(_mm_clmulepi64_si128(lane, factors, 0x00), _mm_clmulepi64_si128(lane, factors, 0x11));
}

__attribute__((target("pclmul,sse4.1"))) inline __m128i lane_at(const unsigned char* bytes) {
  __m128i lane;
  std::memcpy(&lane, bytes, sizeof lane);
  return lane;
}

// The state of what lanes that lie after each other have the remainder of: 16 bytes, which go through the table.
__attribute__((target("pclmul,sse4.1"))) std::uint64_t rest_of(__m128i* lanes, std::size_t count) {
  for (std::size_t k = 1; k < count; ++k) lanes[k] = _mm_xor_si128(moved<8 * kLaneBytes>(lanes[k - 1]), lanes[k]);
  unsigned char rest[kLaneBytes];
  std::memcpy(rest, &lanes[count - 1], sizeof rest);
  return add_by_table(0, rest, sizeof rest);
}

// Folding as in Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ" (Intel, 2009): each lane
// is moved past the next step and the bytes there are added. `size` is at least kFoldBytes.
__attribute__((target("pclmul,sse4.1"))) std::uint64_t add_by_products(std::uint64_t state, const unsigned char* bytes,
                                                                       std::size_t size) {
  __m128i lanes[kLanes];
  for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = lane_at(bytes + k * kLaneBytes);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi64_si128(static_cast<long long>(state)));
  for (bytes += kFoldBytes, size -= kFoldBytes; size >= kFoldBytes; bytes += kFoldBytes, size -= kFoldBytes)
    for (std::size_t k = 0; k < kLanes; ++k)
      lanes[k] = _mm_xor_si128(moved<8 * kFoldBytes>(lanes[k]), lane_at(bytes + k * kLaneBytes));
  return add_by_table(rest_of(lanes, kLanes), bytes, size);
}

// The same with four lanes in a register, four registers at a time. `size` is at least kWideFoldBytes.
constexpr std::size_t kWide = 4;
constexpr std::size_t kWideFoldBytes = kWide * sizeof(__m512i);

template <std::size_t bits>
__attribute__((target("avx512f,vpclmulqdq"))) inline __m512i moved_wide(__m512i lanes) {
  constexpr std::uint64_t kHigh = power_of_x(bits + 63), kLow = power_of_x(bits - 1);
  const auto high = static_cast<long long>(kHigh), low = static_cast<long long>(kLow);
  const __m512i factors = _mm512_set_epi64(low, high, low, high, low, high, low, high);
  return _mm512_xor_si512(_mm512_clmulepi64_epi128(lanes, factors, 0x00),
                          _mm512_clmulepi64_epi128(lanes, factors, 0x11));
}

__attribute__((target("avx512f,vpclmulqdq,pclmul,sse4.1"))) std::uint64_t add_by_wide_products(
    std::uint64_t state, const unsigned char* bytes, std::size_t size) {
  __m512i wide[kWide];
  for (std::size_t k = 0; k < kWide; ++k) wide[k] = _mm512_loadu_si512(bytes + k * sizeof(__m512i));
  wide[0] = _mm512_xor_si512(wide[0], _mm512_zextsi128_si512(_mm_cvtsi64_si128(static_cast<long long>(state))));
  for (bytes += kWideFoldBytes, size -= kWideFoldBytes; size >= kWideFoldBytes;
       bytes += kWideFoldBytes, size -= kWideFoldBytes)
    for (std::size_t k = 0; k < kWide; ++k)
      wide[k] =
          _mm512_xor_si512(moved_wide<8 * kWideFoldBytes>(wide[k]), _mm512_loadu_si512(bytes + k * sizeof(__m512i)));
  __m128i lanes[kWideFoldBytes / kLaneBytes];
  std::memcpy(lanes, wide, sizeof lanes);
  return add_by_table(rest_of(lanes, kWideFoldBytes / kLaneBytes), bytes, size);
}

bool has_products() {
  static const bool has = (__builtin_cpu_init(), __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1"));
  return has;
}

bool has_wide_products() {
  static const bool has = has_products() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
  return has;
}

#endif

}  // namespace

void Crc64::add(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
#if defined(__x86_64__)
  if (size >= 2 * kWideFoldBytes && has_wide_products()) {
    state_ = add_by_wide_products(state_, bytes, size);
    return;
  }
  if (size >= kFoldBytes && has_products()) {
    state_ = add_by_products(state_, bytes, size);
    return;
  }
#endif
  state_ = add_by_table(state_, bytes, size);
}

// The state is linear in that at the start and in the bytes: `next` lacks the difference of the starts, moved past its
// bytes.
void Crc64::append(const Crc64& next, std::uint64_t size) {
  state_ = next.state_ ^ product(state_ ^ kStart, power_of_x(8 * size));
}

}  // namespace weft::detail
