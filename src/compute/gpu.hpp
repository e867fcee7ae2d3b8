// GPUs of this machine, through libweft_cuda.so, which is loaded when one is asked for.
#pragma once

#include "compute/gpu_module.hpp"

#include <string>
#include <vector>

namespace weft::detail {

struct Gpus {
  std::vector<GpuDescription> devices;
  std::string problem;  ///< why there is none, in one line; empty where there is one
  int driver = 0, runtime = 0;
};

/// Those there are. Never throws: a machine without a driver or a module has none.
const Gpus& gpus();
std::string cuda_version(int number);  ///< 13000 is "13.0"
/// Throws Error(option) where there is no such one, with the reason.
const Device& gpu(int number);

/// Whether work of any size may be done by a GPU.
bool may_use_gpu(const Run& run);
/// Where `run` has work of about so many floating-point operations done. A GPU takes over from kOnGpu operations where
/// it was asked for, and from kWorthAGpu with ‹device› auto.
const Device& device_for(const Run& run, double operations);
/// The same, but the CPU where the device does not know the kernel, or one of the families.
const Device& device_for(const Run& run, const Kernel& kernel, double operations);
const Device& device_for(const Run& run, const FeatureMap& map, double operations);
inline constexpr double kOnGpu = 1e6, kWorthAGpu = 1e9;
/// Of kernel values between the columns of a and b.
inline double pair_operations(View<const double> a, View<const double> b) {
  return 2.0 * static_cast<double>(a.rows) * static_cast<double>(a.cols) * static_cast<double>(b.cols);
}

}  // namespace weft::detail
