#pragma once

#include <weft/visibility.hpp>

#include <string>

namespace WEFT_PUBLIC weft {

/// "major.minor.patch" of the library that is running.
const char* version();

/// The libraries and vector instructions used on this machine.
struct ComputeInfo {
  std::string processor;     ///< the widest vector instructions it offers: "avx512", "avx2" or "sse2"
  std::string vectors;       ///< those that weft's own kernels use
  std::string blas;          ///< name, version and file of the BLAS library
  std::string blas_kernels;  ///< which of its kernels, and who chose them
  int blas_threads = 0;      ///< of the process; weft's own calls use one each. 0: unknown

  std::string to_json() const;
};

/// Loads the BLAS library; throws weft::Error if there is none.
ComputeInfo compute_info();

}  // namespace weft
