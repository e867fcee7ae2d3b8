#include "compute/cpu/blas_library.hpp"

#include "compute/cpu/fixed_kernels.hpp"
#include "core/address_space.hpp"
#include "core/parallel.hpp"

#include <weft/error.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <omp.h>

namespace weft::detail {

namespace {

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";
constexpr const char* kLibraryVariable = "WEFT_BLAS";
constexpr std::array kOpenBlas = {"libopenblas.so.0", "libopenblas.so"};

struct Loaded {
  void* library = nullptr;
  BlasLibrary functions{};
  BlasReport report;
};

void* open_library(const char* name, int more = 0) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL | more);
}

[[noreturn]] void refuse(const std::string& problem) {
  throw Error(ErrorKind::file, "no BLAS library: " + problem, {},
              fmt::format("install OpenBLAS (Debian: libopenblas0), or name a BLAS with CBLAS and LAPACK in {}",
                          kLibraryVariable));
}

template <class Function>
void find(void* library, const char* symbol, Function*& function, bool needed = true) {
  function = reinterpret_cast<Function*>(dlsym(library, symbol));
  if (function == nullptr && needed) refuse(fmt::format("it has no function {}", symbol));
}

BlasLibrary find_functions(void* library) {
  BlasLibrary f{};
  find(library, "cblas_dgemm", f.dgemm);
  find(library, "cblas_sgemm", f.sgemm);
  find(library, "cblas_dsyrk", f.dsyrk);
  find(library, "cblas_ssyrk", f.ssyrk);
  find(library, "cblas_dsymm", f.dsymm);
  find(library, "cblas_dtrmm", f.dtrmm);
  find(library, "cblas_dtrsm", f.dtrsm);
  find(library, "cblas_strsm", f.strsm);
  find(library, "cblas_dgemv", f.dgemv);
  find(library, "cblas_dsymv", f.dsymv);
  find(library, "cblas_dtrsv", f.dtrsv);
  find(library, "cblas_strsv", f.strsv);
  find(library, "cblas_daxpy", f.daxpy);
  find(library, "cblas_ddot", f.ddot);
  find(library, "cblas_dnrm2", f.dnrm2);
  find(library, "dpotrf_", f.dpotrf);
  find(library, "spotrf_", f.spotrf);
  find(library, "dpocon_", f.dpocon);
  find(library, "dsyevd_", f.dsyevd);
  find(library, "dsytrd_", f.dsytrd);
  find(library, "dormtr_", f.dormtr);
  find(library, "dsygst_", f.dsygst);
  find(library, "dpttrf_", f.dpttrf);
  find(library, "dpttrs_", f.dpttrs);
  find(library, "dptcon_", f.dptcon);
  find(library, "openblas_get_num_threads", f.get_num_threads, false);
  find(library, "openblas_set_num_threads", f.set_num_threads, false);
  find(library, "openblas_get_config", f.get_config, false);
  find(library, "openblas_get_corename", f.get_corename, false);
  return f;
}

bool intel() {
  __builtin_cpu_init();
  return __builtin_cpu_is("intel") != 0;
}

std::string core_of(const BlasLibrary& functions) {
  return functions.get_corename != nullptr ? functions.get_corename() : "";
}

/// A variable of the environment for the time of a loading: other copies of OpenBLAS that this process may load later
/// read the same ones.
class LoadingWith {
 public:
  LoadingWith(const char* name, const char* value) : name_(name) {
    if (const char* now = std::getenv(name)) before_ = now;
    setenv(name, value, 1);
  }
  ~LoadingWith() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  LoadingWith(const LoadingWith&) = delete;
  LoadingWith& operator=(const LoadingWith&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// The file that `library` was loaded from.
std::string file_of(void* library) {
  link_map* place = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &place) == 0 ? place->l_name : "";
}

/// The same file once more, with variables of its own: the loader takes a file under another name for the one it has,
/// so this is a copy in memory (35 MB). Null where the system does not execute such a file. Its functions call each
/// other and not those of their names in the process (RTLD_DEEPBIND, which sanitizers do not support).
void* open_copy(void* library) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kOwnNames = 0;
#else
  constexpr int kOwnNames = RTLD_DEEPBIND;
#endif
  const int from = ::open(file_of(library).c_str(), O_RDONLY | O_CLOEXEC);
  const int copy = ::memfd_create("openblas", MFD_CLOEXEC);
  void* opened = nullptr;
  ssize_t sent = from < 0 || copy < 0 ? -1 : 1;
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;
  while (sent > 0) sent = ::sendfile(copy, from, nullptr, kAtOnce);
  if (sent == 0) opened = open_library(fmt::format("/proc/self/fd/{}", copy).c_str(), kOwnNames);
  if (from >= 0) ::close(from);
  if (copy >= 0) ::close(copy);
  return opened;
}

/// `library` with the kernels for `core`, which its constructor chooses. Where others of the process use it already
/// (NumPy, ScaLAPACK), it is theirs, and weft takes a copy, which needs no threads; null where that cannot be had.
void* with_kernels(const char* core, void* library, const char* name, bool shared) {
  const LoadingWith loading(kCoreVariable, core);
  if (shared) {
    const LoadingWith serial("OPENBLAS_NUM_THREADS", "1");
    return open_copy(library);
  }
  dlclose(library);
  library = open_library(name);
  if (library == nullptr) refuse(dlerror());
  return library;
}

/// OpenBLAS 0.3.21 "NO_LAPACKE DYNAMIC_ARCH …" → OpenBLAS 0.3.21; the file that holds the functions follows.
std::string describe(const BlasLibrary& functions, const std::string& file) {
  std::string name = "unknown BLAS";
  if (functions.get_config != nullptr) {
    const std::string config = functions.get_config();
    name = config.substr(0, config.find(' ', config.find(' ') + 1));
  }
  return file.empty() ? name : fmt::format("{}, {}", name, file);
}

/// The kernels that weft wants of a library whose own are `core`; null: those.
const char* wanted_core(const std::string& core) {
  if (kernels_are_fixed()) return core == kFixedCore ? nullptr : kFixedCore;
  return std::getenv(kCoreVariable) != nullptr ? nullptr : better_core(core, processor_vectors(), intel());
}

std::string kernels_text(const std::string& core, const std::string& own, const char* wanted) {
  if (kernels_are_fixed()) return fmt::format("{}, fixed", core);
  if (const char* asked = std::getenv(kCoreVariable))
    return fmt::format("{}, {}={} in the environment", core, kCoreVariable, asked);
  if (wanted == nullptr) return core + ", chosen by OpenBLAS";
  if (core != own) return fmt::format("{}, chosen by weft: OpenBLAS detected this processor as {}", core, own);
  return fmt::format("{}, slow here: it was loaded before weft; start the program with {}={}", core, kCoreVariable,
                     wanted);
}

Loaded load_openblas(const char* name, bool shared, void* library) {
  std::string file = file_of(library);
  Loaded loaded{library, find_functions(library), {}};
  const std::string own = core_of(loaded.functions);
  const char* wanted = wanted_core(own);
  if (wanted != nullptr)
    if (void* other = with_kernels(wanted, library, name, shared)) {
      loaded.library = other;
      loaded.functions = find_functions(other);
      if (shared) file = "a copy of " + file;
    }
  const std::string core = core_of(loaded.functions);
  if (kernels_are_fixed() && core != kFixedCore)
    throw Error(ErrorKind::option,
                core.empty() ? "this BLAS library does not say which kernels it uses"
                             : fmt::format("OpenBLAS was loaded before weft, with its kernels for {}", core),
                "‹deterministic›", fmt::format("start the program with {}={}", kCoreVariable, kFixedCore));
  loaded.report.library = describe(loaded.functions, file);
  loaded.report.kernels = kernels_text(core, own, wanted);
  return loaded;
}

/// Where the process may map only so much, OpenBLAS tries for ever to get memory that it cannot have. So what it will
/// need is checked before it is loaded, it starts no threads of its own, and the buffers of weft's threads are mapped
/// at once: later the memory may be taken.
class LimitedMemory {
 public:
  LimitedMemory() : limited_(std::isfinite(address_space_left())) {
    if (!limited_) return;
    constexpr double kMiB = 1024.0 * 1024;
    constexpr double kLibrary = 64 * kMiB;  // its code and tables
    const double needed = kLibrary + kBytesPerThread;
    if (const double left = address_space_left(); left < needed)
      throw Error(ErrorKind::memory,
                  fmt::format("OpenBLAS needs {:.0f} MiB of memory, and the limits of this process leave {:.0f} MiB",
                              needed / kMiB, left / kMiB),
                  {}, "raise them (ulimit -v, ulimit -d)");
    own_threads_.emplace("OPENBLAS_NUM_THREADS", "1");
  }

  void reserve_buffers(void* library) const {
    void* (*allocate)(int) = nullptr;
    void (*release)(void*) = nullptr;
    find(library, "blas_memory_alloc", allocate, false);
    find(library, "blas_memory_free", release, false);
    if (!limited_ || allocate == nullptr || release == nullptr) return;
    std::vector<void*> buffers;
    const int threads = std::min(threads_within_limits(), std::max(omp_get_max_threads(), omp_get_num_procs()));
    while (static_cast<int>(buffers.size()) < threads && address_space_left() > kBytesPerThread)
      buffers.push_back(allocate(0));
    for (void* buffer : buffers) release(buffer);
  }

 private:
  bool limited_;
  std::optional<LoadingWith> own_threads_;
};

Loaded load() {
  const LimitedMemory memory;
  const char* asked = std::getenv(kLibraryVariable);
  std::string problem;
  for (const char* name : kOpenBlas) {
    if (asked != nullptr) name = asked;
    void* earlier = open_library(name, RTLD_NOLOAD);  // another part of the process may be using it now
    if (void* library = open_library(name)) {
      Loaded loaded = load_openblas(name, earlier != nullptr, library);
      memory.reserve_buffers(loaded.library);
      return loaded;
    }
    if (problem.empty()) problem = dlerror();
    if (asked != nullptr) break;
  }
  refuse(problem);
}

const Loaded& loaded() {
  static const Loaded once = load();
  return once;
}

void change_threads(bool serial) {
  static int before = 1;
  if (serial) before = loaded().functions.get_num_threads();
  if (before != 1) loaded().functions.set_num_threads(serial ? 1 : before);
}

}  // namespace

const BlasLibrary& blas() {
  static const BlasLibrary& functions = loaded().functions;
  static const bool configured = [] {
    if (functions.set_num_threads != nullptr && functions.get_num_threads != nullptr)
      SerialBlas::on_change(change_threads);
    return true;
  }();
  static_cast<void>(configured);
  return functions;
}

BlasReport blas_report() {
  BlasReport report = loaded().report;
  if (loaded().functions.get_num_threads != nullptr) report.threads = loaded().functions.get_num_threads();
  return report;
}

const char* processor_vectors() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    return "avx512";
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "avx2" : "sse2";
}

const char* better_core(const std::string& core, const std::string& vectors, bool intel) {
  constexpr std::array<std::string_view, 3> kAvx512 = {"SkylakeX", "Cooperlake", "SapphireRapids"};
  constexpr std::array<std::string_view, 3> kAvx2 = {"Haswell", "Zen", "Excavator"};
  const auto among = [&](const auto& cores) { return std::find(cores.begin(), cores.end(), core) != cores.end(); };
  if (core.empty() || vectors == "sse2" || among(kAvx512)) return nullptr;
  // AVX-512 gains little on Zen 4, which OpenBLAS takes for Zen, and 60 % on Zen 5, which it may not know.
  if (vectors == "avx512" && (intel || !among(kAvx2))) return "SkylakeX";
  if (among(kAvx2)) return nullptr;
  return intel ? "Haswell" : "Zen";
}

}  // namespace weft::detail
