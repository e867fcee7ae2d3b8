// Fresh memory costs a fault for every page, which takes longer than to fill a small one.
#pragma once

#include <cstddef>

namespace weft::detail {

/// For memory that nobody has written yet. It is a wish: the system may refuse it.
void prefer_huge_pages(void* data, std::size_t bytes);

}  // namespace weft::detail
