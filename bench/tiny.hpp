// $WEFT_BENCH_TINY makes every benchmark small enough for ./test: answers are still compared, times mean nothing.
#pragma once

#include <cstdlib>

namespace bench {

template <class T>
T unless_tiny(T full, T tiny) {
  return std::getenv("WEFT_BENCH_TINY") != nullptr ? tiny : full;
}

}  // namespace bench
