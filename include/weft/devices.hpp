// What can compute on this machine: the processor, and GPUs that the module for NVIDIA GPUs finds.
#pragma once

#include <weft/run.hpp>

#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

struct DeviceInfo {
  std::string name;         ///< as RunOptions::device has it: "cpu", "gpu:0"
  std::string description;  ///< instructions of the processor, model of the GPU
  double memory = 0;        ///< bytes; of a GPU its own
  double free_memory = 0;   ///< bytes that other programs leave
  std::string capability;   ///< of a GPU, such as "9.0"; empty for the processor
};

struct DeviceList {
  std::vector<DeviceInfo> devices;  ///< the processor comes first
  std::string driver;               ///< newest CUDA that the driver supports, such as "13.0"; empty where there is none
  std::string problem;              ///< why there is no GPU, in one line; empty where there is one

  std::string to_json() const;
};

/// Loads the module for GPUs. A machine without one, or with a driver that is missing or too old, has the processor
/// alone.
DeviceList list_devices();

/// What Run::device is to be in one of several processes of one machine, which share its GPUs: "gpu" and "auto" take
/// the one whose number is `local_rank` modulo how many there are; others stay as they are.
std::string shared_device(const std::string& device, int local_rank);

/// Throws Error(option) where run.device asks for a GPU that is not there: better before a table is read than after.
void check_device(const Run& run);

}  // namespace weft
