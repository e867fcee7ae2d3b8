#include "compute/cpu/fixed_kernels.hpp"

#include <weft/deterministic.hpp>
#include <weft/error.hpp>

#include <atomic>
#include <string_view>

#include "compute/cpu/blas_library.hpp"

namespace weft {

namespace {

std::atomic<bool> fixed{false};
std::atomic<bool> decided{false};

}  // namespace

namespace detail {

bool kernels_are_fixed() {
  decided = true;
  return fixed;
}

}  // namespace detail

void use_fixed_kernels() {
  if (fixed) return;
  if (std::string_view(detail::processor_vectors()) == "sse2")
    throw Error(ErrorKind::option, "this processor has no AVX2 and FMA, which the fixed kernels need",
                "‹deterministic›", "leave it out; results are then the same on processors of one kind");
  if (decided)
    throw Error(ErrorKind::option, "this process has chosen its kernels already", "‹deterministic›",
                "ask for fixed kernels before anything is computed");
  fixed = true;
}

}  // namespace weft
