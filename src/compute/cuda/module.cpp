#include "compute/gpu_module.hpp"

#include "compute/cuda/cuda_device.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>

namespace weft::detail::cuda {

namespace {

void describe(int number, GpuDescription* description) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  std::strncpy(description->name, properties.name, sizeof(description->name) - 1);
  description->name[sizeof(description->name) - 1] = 0;
  description->major = properties.major;
  description->minor = properties.minor;
  description->processors = properties.multiProcessorCount;
  check(cudaSetDevice(number), "cudaSetDevice");
  check(cudaMemGetInfo(&description->free_memory, &description->memory), "cudaMemGetInfo");
}

const Device* device(int number) {
  static std::mutex mutex;
  static std::map<int, std::unique_ptr<CudaDevice>> devices;
  const std::lock_guard lock(mutex);
  std::unique_ptr<CudaDevice>& found = devices[number];
  if (!found) found = std::make_unique<CudaDevice>(number);
  return found.get();
}

GpuModule make_module() {
  GpuModule module{WEFT_VERSION, 0, 0, 0, "", describe, device};
  cudaDriverGetVersion(&module.driver);  // 0, without an error, where there is no driver
  cudaRuntimeGetVersion(&module.runtime);
  const cudaError_t status = cudaGetDeviceCount(&module.count);
  if (status == cudaSuccess && module.count > 0) return module;
  module.count = 0;
  module.problem = cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status);
  cudaGetLastError();
  return module;
}

}  // namespace

}  // namespace weft::detail::cuda

extern "C" [[gnu::visibility("default")]] const weft::detail::GpuModule* weft_gpu_module() {
  static const weft::detail::GpuModule module = weft::detail::cuda::make_module();
  return &module;
}
