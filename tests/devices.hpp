// Tests of every device: the CPU, and the GPU that WEFT_CUDA names or, without it, the one that the host emulates.
#pragma once

#include "compute/gpu.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "paths.hpp"

namespace weft::testing {

/// Before the first use of a GPU in this process.
inline void use_emulated_gpu() {
  const std::string emulated = emulated_gpu();
  if (std::getenv("WEFT_CUDA") == nullptr && std::filesystem::exists(emulated))
    setenv("WEFT_CUDA", emulated.c_str(), 0);
}

/// nullptr where there is none.
inline const detail::Device* tested_gpu() {
  use_emulated_gpu();
  return detail::gpus().devices.empty() ? nullptr : &detail::gpu(0);
}

/// The parameter is "cpu" or "gpu".
class DeviceTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = GetParam() == std::string("cpu") ? &detail::cpu() : tested_gpu();
    if (device_ == nullptr) GTEST_SKIP() << "no GPU: " << detail::gpus().problem;
  }
  const detail::Device& device() const { return *device_; }

 private:
  const detail::Device* device_ = nullptr;
};

inline auto every_device() {
  return ::testing::Values("cpu", "gpu");
}
inline std::string device_name(const ::testing::TestParamInfo<const char*>& info) {
  return info.param;
}

}  // namespace weft::testing
