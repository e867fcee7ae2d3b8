// Who computes with matrices of the host: a device for what takes n³ operations and, where the matrices are copied
// there for that, n²; threads for the rest.
#pragma once

#include "compute/device.hpp"

namespace weft::detail {

struct Worker {
  const Device* device;
  int threads;

  Worker(int threads_) : device(&cpu()), threads(threads_) {}
  Worker(const Device& device_, int threads_) : device(&device_), threads(threads_) {}
  /// For equations of n unknowns: a GPU, where `run` has one, from as many as pay for the copies there and back.
  static Worker for_equations(const Run& run, Index n);

  Worker with_threads(int threads_) const { return {*device, threads_}; }
};

}  // namespace weft::detail
