#include "core/huge_pages.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace weft::detail {

void prefer_huge_pages(void* data, std::size_t bytes) {
  constexpr std::uintptr_t kPage = std::uintptr_t{1} << 21;
  const auto first = (reinterpret_cast<std::uintptr_t>(data) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / kPage * kPage;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace weft::detail
