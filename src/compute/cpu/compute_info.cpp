#include <weft/activation.hpp>
#include <weft/version.hpp>

#include "compute/cpu/blas_library.hpp"

namespace weft {

ComputeInfo compute_info() {
  const detail::BlasReport blas = detail::blas_report();
  return {detail::processor_vectors(), vector_instructions(), blas.library, blas.kernels, blas.threads};
}

}  // namespace weft
