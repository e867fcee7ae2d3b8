#include "compute/gpu.hpp"

#include <weft/devices.hpp>
#include <weft/error.hpp>
#include <weft/version.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include <dlfcn.h>
#include <fmt/format.h>

namespace weft::detail {

std::string cuda_version(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

namespace {

constexpr const char* kModuleVariable = "WEFT_CUDA";
constexpr const char* kModule = "libweft_cuda.so";

/// The file that this function is part of: the command, libweft.so or Python's extension module.
std::filesystem::path own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_file), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failed;
  const auto resolved = std::filesystem::canonical(info.dli_fname, failed);
  return failed ? std::filesystem::path() : resolved;
}

/// Where the build and the installation put the module: beside the library, or in the library folders of the command or
/// of the build.
std::string module_file() {
  if (const char* named = std::getenv(kModuleVariable)) return named;
  const std::filesystem::path folder = own_file().parent_path();
  for (const auto& place : {folder, folder / "weft", folder.parent_path() / "lib",
                            folder.parent_path() / WEFT_LIBRARY_FOLDER, folder.parent_path().parent_path() / "lib"}) {
    std::error_code failed;
    if (std::filesystem::exists(place / kModule, failed)) return place / kModule;
  }
  return {};
}

struct Loaded {
  const GpuModule* module = nullptr;
  std::string problem;
};

Loaded load() {
  const std::string file = module_file();
  if (file.empty()) return {nullptr, "this weft was built without the module for NVIDIA GPUs"};
  void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, fmt::format("the module for NVIDIA GPUs cannot be loaded: {}", dlerror())};
  using Entry = const GpuModule*();
  auto* const entry = reinterpret_cast<Entry*>(dlsym(handle, kGpuModuleEntry));
  if (entry == nullptr) return {nullptr, fmt::format("{} is not a module of weft", file)};
  const GpuModule* const module = entry();
  if (std::string(module->version) != version())
    return {nullptr, fmt::format("{} belongs to weft {}, this is weft {}", file, module->version, version())};
  return {module, {}};
}

const Loaded& loaded() {
  static const Loaded result = load();
  return result;
}

Gpus find() {
  Gpus found;
  const GpuModule* const module = loaded().module;
  found.problem = loaded().problem;
  if (module == nullptr) return found;
  found.driver = module->driver;
  found.runtime = module->runtime;
  if (module->driver == 0)
    found.problem = "no NVIDIA driver is installed";
  else if (module->count == 0 && module->driver < module->runtime)
    found.problem = fmt::format("the NVIDIA driver is too old: it supports CUDA {}, weft needs {}",
                                cuda_version(module->driver), cuda_version(module->runtime));
  else if (module->count == 0)
    found.problem = fmt::format("no GPU can be used: {}", module->problem);
  for (int number = 0; number < module->count; ++number) {
    GpuDescription description{};
    module->describe(number, &description);
    found.devices.push_back(description);
  }
  return found;
}

}  // namespace

const Gpus& gpus() {
  static const Gpus result = find();
  return result;
}

const Device& gpu(int number) {
  const auto count = static_cast<int>(gpus().devices.size());
  if (count == 0)
    throw Error(ErrorKind::option, gpus().problem, "‹device›", "give cpu, or auto to use a GPU where there is one");
  if (number < 0 || number >= count)
    throw Error(ErrorKind::option, fmt::format("there is no GPU {}", number), "‹device›",
                count == 1 ? "give gpu; there is one" : fmt::format("there are gpu:0 to gpu:{}", count - 1));
  return *loaded().module->device(number);
}

namespace {

/// The number in gpu:N; of gpu%N and auto%N, where processes of one machine share its GPUs, N modulo how many there
/// are; 0 without one.
int number_in(const std::string& device) {
  const std::size_t mark = device.find_first_of(":%");
  if (mark == std::string::npos) return 0;
  const int number = std::stoi(device.substr(mark + 1));
  const auto count = static_cast<int>(device[mark] == '%' ? gpus().devices.size() : 0);
  return count > 0 ? number % count : number;
}

}  // namespace

bool may_use_gpu(const Run& run) {
  return &device_for(run, std::numeric_limits<double>::infinity()) != &cpu();
}

const Device& device_for(const Run& run, double operations) {
  if (run.device.empty() || run.device == "cpu") return cpu();
  if (run.device.starts_with("auto"))
    return operations < kWorthAGpu || gpus().devices.empty() ? cpu() : gpu(number_in(run.device));
  return operations < kOnGpu ? cpu() : gpu(number_in(run.device));
}

const Device& device_for(const Run& run, const Kernel& kernel, double operations) {
  const Device& device = device_for(run, operations);
  return device.computes(kernel.kind()) ? device : cpu();
}

const Device& device_for(const Run& run, const FeatureMap& map, double operations) {
  const Device& device = device_for(run, operations);
  if (map.kernel() != nullptr) return device.computes(map.kernel()->kind()) ? device : cpu();
  const auto known = [&](const FeaturePart& part) { return device.computes(part); };
  return std::all_of(map.parts().begin(), map.parts().end(), known) ? device : cpu();
}

}  // namespace weft::detail

namespace weft {

std::string shared_device(const std::string& device, int local_rank) {
  return device == "gpu" || device == "auto" ? fmt::format("{}%{}", device, local_rank) : device;
}

void check_device(const Run& run) {
  if (run.device.starts_with("gpu")) detail::gpu(detail::number_in(run.device));
}

}  // namespace weft
