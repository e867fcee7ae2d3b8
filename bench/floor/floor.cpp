#include "floor/floor.hpp"

#include "compute/cpu/blas_library.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

namespace bench {

using weft::Index;

const FloorPassSet* floor_passes() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return &floor_passes_avx512();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return &floor_passes_avx2();
  return nullptr;
}

double seconds(int threads, const std::function<void()>& body) {
  const auto now = [threads] {
    timespec t{};
    clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
  };
  const double start = now();
  body();
  return now() - start;
}

void let_blas_threads_sleep() {
  weft::detail::blas().set_num_threads(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

SignFloor::SignFloor(const weft::FeatureMap& map, weft::View<const double> x)
    : part_(map.parts()[0]),
      tilt_(weft::detail::tilt_of(part_.family.kernel, part_.sigma, part_.gamma)),
      x_(x),
      p_(std::size_t(x.cols)),
      z_(map.features(), x.cols) {
  for (Index i = 0; i < x.cols; ++i) {
    double square = dense() ? 0 : 1;  // a stump's spread is s itself
    for (Index j = 0; dense() && j < x.rows; ++j) square += x(j, i) * x(j, i);
    p_[std::size_t(i)] = part_.family.activation->terms(tilt_.s * std::sqrt(square)).p;
  }
  if (!dense()) project();
}

bool SignFloor::dense() const {
  return part_.family.projection.kind == weft::Projection::Kind::dense;
}

void SignFloor::project() {
  mu_.reshape(z_.rows(), z_.cols());
  for (Index t = 0; t < mu_.rows(); ++t) {
    const Index j = part_.centres.groups[std::size_t(part_.centres.group_of[std::size_t(t)])].columns[0];
    for (Index i = 0; i < mu_.cols(); ++i) mu_(t, i) = x_(j, i) - tilt_.c * part_.centres.weights(t, 0);
  }
}

void SignFloor::reset() {
  if (!dense()) std::copy(mu_.data(), mu_.data() + mu_.rows() * mu_.cols(), z_.data());
}

void SignFloor::run(int threads) {
  const Index features = z_.rows();
  const Index rows = z_.cols();
  weft::detail::blas().set_num_threads(threads);
  if (dense())
    weft::detail::blas().dgemm(weft::detail::kRowMajor, weft::detail::kNoTranspose, weft::detail::kNoTranspose,
                               int(features), int(rows), int(x_.rows), tilt_.c, part_.centres.weights.data(),
                               int(x_.rows), x_.data, int(x_.stride), 0, z_.data(), int(rows));
  const auto pass = floor_passes()->in_double.sign;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index t = 0; t < features; ++t) pass(rows, p_.data(), nullptr, 0, z_.row(t));
}

}  // namespace bench
