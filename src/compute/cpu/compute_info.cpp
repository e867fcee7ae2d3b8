#include <weft/activation.hpp>
#include <weft/version.hpp>

#include "compute/cpu/blas_library.hpp"
#include "core/json_text.hpp"

namespace weft {

ComputeInfo compute_info() {
  const detail::BlasReport blas = detail::blas_report();
  return {detail::processor_vectors(), vector_instructions(), blas.library, blas.kernels, blas.threads};
}

std::string ComputeInfo::to_json() const {
  return detail::json_document({{"processor", processor},
                                {"vectors", vectors},
                                {"blas", blas},
                                {"blas_kernels", blas_kernels},
                                {"blas_threads", blas_threads}});
}

}  // namespace weft
