#include "data/readers/scalar_type.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace weft::detail {

namespace {

template <class T>
void convert(bool swap, const char* bytes, Index count, double* to, Index step) {
  for (Index i = 0; i < count; ++i, bytes += sizeof(T)) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes, sizeof(T));
    if (swap) std::reverse(raw, raw + sizeof(T));
    T value;
    std::memcpy(&value, raw, sizeof(T));
    to[i * step] = static_cast<double>(value);
  }
}

using Convert = void (*)(bool, const char*, Index, double*, Index);

Convert converter(const ScalarType& type) {
  switch (type.kind) {
    case ScalarKind::boolean:
      return convert<std::uint8_t>;
    case ScalarKind::floating:
      return type.size == 4 ? convert<float> : convert<double>;
    case ScalarKind::signed_integer:
      return type.size == 1   ? convert<std::int8_t>
             : type.size == 2 ? convert<std::int16_t>
             : type.size == 4 ? convert<std::int32_t>
                              : convert<std::int64_t>;
    case ScalarKind::unsigned_integer:
      return type.size == 1   ? convert<std::uint8_t>
             : type.size == 2 ? convert<std::uint16_t>
             : type.size == 4 ? convert<std::uint32_t>
                              : convert<std::uint64_t>;
  }
  assert(false);
  return nullptr;
}

}  // namespace

void convert_scalars(const ScalarType& type, const char* bytes, Index count, double* to, Index step) {
  const bool swap = type.big_endian != (std::endian::native == std::endian::big);
  converter(type)(swap, bytes, count, to, step);
}

}  // namespace weft::detail
