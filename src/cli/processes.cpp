#include "cli/processes.hpp"

#include <weft/error.hpp>
#include <weft/version.hpp>

#include "cli/session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include <dlfcn.h>
#include <fmt/format.h>

namespace weft::cli {

namespace {

constexpr const char* kModuleVariable = "WEFT_MPI";
constexpr const char* kModule = "libweft_mpi.so";
constexpr std::array kShared = {"train", "tune", "predict", "evaluate"};

std::unique_ptr<Communicator> connected;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// What Open MPI's mpirun, and those that speak PMI (MPICH, Intel MPI), put into the environment.
template <std::size_t N>
int launched(std::array<const char*, N> names, int otherwise) {
  for (const char* name : names)
    if (const char* value = std::getenv(name)) return std::atoi(value);
  return otherwise;
}
int launched_size() {
  return launched(std::array{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 0);
}
int launched_rank() {
  return launched(std::array{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0);
}

/// Among the processes of this machine.
int launched_local_rank() {
  return launched(std::array{"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}, 0);
}

[[noreturn]] void refuse_module(const std::string& problem) {
  throw Error(ErrorKind::file, "this weft cannot run under mpirun: " + problem, {},
              fmt::format("build it where an MPI is installed (Debian: libopenmpi-dev, libscalapack-openmpi-dev), or "
                          "name the module in {}",
                          kModuleVariable));
}

/// Beside the command, where the build and the installation put it.
void* open_module() {
  if (const char* named = std::getenv(kModuleVariable)) {
    if (void* handle = dlopen(named, RTLD_NOW | RTLD_LOCAL)) return handle;
    refuse_module(dlerror());
  }
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
  for (const char* place : {"lib", WEFT_LIBRARY_FOLDER})
    if (const auto file = folder / place / kModule; std::filesystem::exists(file)) {
      if (void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
      refuse_module(dlerror());
    }
  refuse_module("its module for MPI was not built");
}

}  // namespace

bool under_mpirun() {
  return launched_size() > 0;
}

void check_processes(const std::string& command) {
  if (launched_size() > 0) share_devices(launched_local_rank());
  if (launched_size() < 2) return;
  if (launched_rank() > 0) be_silent();
  const bool harmless = command.empty() || command.front() == '-' || command == "version" || command == "help";
  if (!harmless && std::find(kShared.begin(), kShared.end(), command) == kShared.end())
    throw Error(ErrorKind::option, fmt::format("{} processes would all do the same", launched_size()),
                "weft " + command, "run it without mpirun; train, tune, predict and evaluate share their work out");
}

Communicator& processes() {
  if (connected) return *connected;
  // Before ScaLAPACK loads the BLAS: its kernels are then those that weft chooses, and weft needs no copy of its own.
  static_cast<void>(compute_info());
  void* const module = open_module();
  using Connect = Communicator*();
  auto* const connect = reinterpret_cast<Connect*>(dlsym(module, "weft_mpi_communicator"));
  if (connect == nullptr) refuse_module(dlerror());
  connected.reset(connect());
  return *connected;
}

bool is_first_process() {
  return launched_rank() == 0;
}

void wait_for_first_process() {
  if (!under_mpirun()) return;
  std::string nothing;
  processes().broadcast(nothing, 0);
}

void let_others_speak() {
  using namespace std::chrono_literals;
  constexpr int kMostWaits = 20;
  if (const int rank = launched_rank(); rank > 0) std::this_thread::sleep_for(3s + 100ms * std::min(rank, kMostWaits));
}

void fail_together(const std::string& line, int exit_code) {
  let_others_speak();
  if (!connected) {
    if (launched_rank() == 0) std::fputs(line.c_str(), stderr);
    return;
  }
  // Those that are ended stop as if on request; mpirun speaks for them, and for Ctrl-C.
  constexpr int kStopped = 130;
  if (exit_code != kStopped || connected->size() == 1) std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  if (connected->size() > 1) connected->abort(exit_code);
}

void disconnect() {
  connected.reset();
}

}  // namespace weft::cli
