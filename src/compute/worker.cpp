#include "compute/worker.hpp"

#include "compute/gpu.hpp"

namespace weft::detail {

namespace {

/// Fewer are factorised by the processor before their matrix has been copied there and back.
constexpr Index kLeastUnknowns = 1000;

}  // namespace

Worker Worker::for_equations(const Run& run, Index n) {
  const auto size = static_cast<double>(n);
  return {n < kLeastUnknowns ? cpu() : device_for(run, size * size * size / 3), run.thread_count()};
}

}  // namespace weft::detail
