// What libweft_cuda.so offers to the library that loads it. Nothing else is called across that border but Device.
#pragma once

#include "compute/device.hpp"

#include <cstddef>

namespace weft::detail {

struct GpuDescription {
  char name[256];
  std::size_t memory, free_memory;  ///< bytes
  int major, minor;                 ///< compute capability
  int processors;
};

struct GpuModule {
  const char* version;  ///< of the weft that it was built with: the layout of what is passed is that version's
  int driver, runtime;  ///< CUDA's numbers, 13000 for 13.0; driver 0: none is installed
  int count;            ///< of devices that can be used
  const char* problem;  ///< why there is none, in CUDA's words; empty otherwise
  void (*describe)(int number, GpuDescription* description);
  /// Lives as long as the process.
  const Device* (*device)(int number);
};

inline constexpr const char* kGpuModuleEntry = "weft_gpu_module";  ///< const GpuModule* weft_gpu_module()

}  // namespace weft::detail
