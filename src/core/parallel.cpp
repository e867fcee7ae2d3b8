#include "core/parallel.hpp"

extern "C" {
// OpenBLAS's own header name differs between distributions; these two are its stable interface.
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
}

namespace weft::detail {

namespace {
std::mutex blas_mutex;
int blas_users = 0;
int blas_threads_before = 0;
}  // namespace

SerialBlas::SerialBlas() {
  const std::lock_guard lock(blas_mutex);
  if (blas_users++ == 0) {
    blas_threads_before = openblas_get_num_threads();
    if (blas_threads_before != 1) openblas_set_num_threads(1);
  }
}

SerialBlas::~SerialBlas() {
  const std::lock_guard lock(blas_mutex);
  if (--blas_users == 0 && blas_threads_before != 1) openblas_set_num_threads(blas_threads_before);
}

}  // namespace weft::detail
