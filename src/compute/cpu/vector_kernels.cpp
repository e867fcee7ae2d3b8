#include "compute/cpu/vector_kernels.hpp"

#include <weft/activation.hpp>

#include "compute/cpu/fixed_kernels.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

namespace weft::detail {

namespace {

KernelChoice choose() {
  // Widest first; each row is usable on this processor.
  std::vector<KernelChoice> usable;
#if defined(WEFT_HAVE_LIBMVEC)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    usable.push_back({"avx512", &kernels_avx512()});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) usable.push_back({"avx2", &kernels_avx2()});
  usable.push_back({"sse2", &kernels_sse2()});
#endif
  usable.push_back({"scalar", &kernels_scalar()});
  const char* wanted = kernels_are_fixed() ? kFixedInstructions : std::getenv("WEFT_INSTRUCTIONS");
  if (wanted != nullptr)
    for (const KernelChoice& choice : usable)
      if (std::string_view(choice.instructions) == wanted) return choice;
  return usable.front();
}

}  // namespace

const KernelChoice& chosen_kernels() {
  static const KernelChoice choice = choose();
  return choice;
}

}  // namespace weft::detail

namespace weft {

const char* vector_instructions() {
  return detail::chosen_kernels().instructions;
}

}  // namespace weft
