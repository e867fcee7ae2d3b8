#include "cuda_runtime.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

struct weft_emulated_stream {
  std::deque<std::function<void()>> work;
};
struct weft_emulated_event {
  weft_emulated_stream* stream = nullptr;  // what it waits for, until that is done
};

namespace {

constexpr std::size_t kTotal = std::size_t{4} << 30;
constexpr std::size_t kAlignment = 16;

struct Allocation {
  void* pages;
  std::size_t mapped;  // without the page at the end
};

// One lock for everything: the device does one thing at a time.
std::recursive_mutex mutex;
std::map<std::uintptr_t, Allocation> allocations;  // by the address that the program has
std::map<std::uintptr_t, std::size_t> pinned;
std::set<weft_emulated_stream*> streams;
std::size_t used = 0;
int running = 0;
thread_local cudaError_t last_error = cudaSuccess;

using Lock = std::lock_guard<std::recursive_mutex>;

cudaError_t failed(cudaError_t error) {
  return last_error = error;
}

[[noreturn]] void stop(const char* reason) {
  std::fprintf(stderr, "CUDA emulator: %s\n", reason);
  std::abort();
}

void protect(int protection) {
  for (const auto& [address, allocation] : allocations)
    if (mprotect(allocation.pages, allocation.mapped, protection) != 0) stop("mprotect failed");
}

/// Memory of the device may be touched while one of these lives.
class Running {
 public:
  Running() {
    if (running++ == 0) protect(PROT_READ | PROT_WRITE);
  }
  ~Running() {
    if (--running == 0) protect(PROT_NONE);
  }
};

void run(weft_emulated_stream* stream) {
  if (stream->work.empty()) return;
  const Running access;
  while (!stream->work.empty()) {
    const std::function<void()> next = std::move(stream->work.front());
    stream->work.pop_front();
    next();
  }
}

template <class Map>
bool within(const Map& map, const void* memory, std::size_t (*size)(const typename Map::mapped_type&)) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  auto next = map.upper_bound(address);
  if (next == map.begin()) return false;
  --next;
  return address < next->first + size(next->second);
}

bool on_device(const void* memory) {
  return within(allocations, memory, [](const Allocation& a) { return a.mapped; });
}

bool is_pinned(const void* memory) {
  return within(pinned, memory, [](const std::size_t& bytes) { return bytes; });
}

thread_local int current_device = 0;  // of $WEFT_EMULATED_GPUS

/// $WEFT_EMULATED_LOG: which process has memory of which device, a line per allocation.
void log_device() {
  const char* file = std::getenv("WEFT_EMULATED_LOG");
  if (file == nullptr) return;
  std::FILE* const log = std::fopen(file, "a");
  if (log == nullptr) stop("the log of devices cannot be opened");
  std::fprintf(log, "%d %d\n", static_cast<int>(getpid()), current_device);
  std::fclose(log);
}

void release(void* memory) {
  const auto found = allocations.find(reinterpret_cast<std::uintptr_t>(memory));
  if (found == allocations.end()) stop("memory is freed that was not allocated");
  const auto [pages, mapped] = found->second;
  used -= mapped;
  allocations.erase(found);
  munmap(pages, mapped + static_cast<std::size_t>(getpagesize()));
}

}  // namespace

namespace cuda_emulator {

void enqueue(cudaStream_t stream, std::function<void()> work) {
  const Lock lock(mutex);
  if (streams.count(stream) == 0) stop("work for a stream that does not exist");
  stream->work.push_back(std::move(work));
}

}  // namespace cuda_emulator

cudaError_t cudaGetDeviceCount(int* count) {
  const char* asked = std::getenv("WEFT_EMULATED_GPUS");
  *count = asked != nullptr ? std::atoi(asked) : 1;
  return *count > 0 ? cudaSuccess : failed(cudaErrorNoDevice);
}
cudaError_t cudaSetDevice(int device) {
  int count = 0;
  cudaGetDeviceCount(&count);
  if (device >= count) return failed(cudaErrorInvalidDevice);
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::snprintf(properties->name, sizeof(properties->name), "emulated CUDA device");
  properties->totalGlobalMem = kTotal;
  properties->major = 9;
  properties->multiProcessorCount = 1;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  const char* asked = std::getenv("WEFT_EMULATED_DRIVER");
  *version = asked != nullptr ? std::atoi(asked) : 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const Lock lock(mutex);
  *total = kTotal;
  *free = kTotal - used;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
  return cudaSuccess;
}
// The pool keeps nothing that was released.
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  const Lock lock(mutex);
  *static_cast<unsigned long long*>(value) = used;
  return cudaSuccess;
}

// The end of the memory lies at the end of a page, and the next page belongs to nobody.
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
  log_device();
  const Lock lock(mutex);
  const auto page = static_cast<std::size_t>(getpagesize());
  const std::size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t mapped = (size + page) / page * page;
  if (used + mapped > kTotal) return failed(cudaErrorMemoryAllocation);
  void* pages = mmap(nullptr, mapped + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return failed(cudaErrorMemoryAllocation);
  if (mprotect(pages, mapped, PROT_READ | PROT_WRITE) != 0) stop("mprotect failed");
  std::memset(pages, 0xFF, mapped);  // NaN
  if (running == 0 && mprotect(pages, mapped, PROT_NONE) != 0) stop("mprotect failed");
  *memory = static_cast<char*>(pages) + (mapped - size);
  allocations[reinterpret_cast<std::uintptr_t>(*memory)] = {pages, mapped};
  used += mapped;
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  if (memory != nullptr) cuda_emulator::enqueue(stream, [memory] { release(memory); });
  return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes) {
  const Lock lock(mutex);
  *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  pinned[reinterpret_cast<std::uintptr_t>(*memory)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  const Lock lock(mutex);
  pinned.erase(reinterpret_cast<std::uintptr_t>(memory));
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* memory) {
  const Lock lock(mutex);
  attributes->device = 0;
  attributes->type = on_device(memory)   ? cudaMemoryTypeDevice
                     : is_pinned(memory) ? cudaMemoryTypeHost
                                         : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
// Copies from and to memory that is not pinned are done when the call returns, as CUDA does them.
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  const Lock lock(mutex);
  if (width > to_pitch || width > from_pitch) return failed(cudaErrorInvalidValue);
  if (width == 0 || height == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault && (on_device(to) != to_device || on_device(from) != from_device))
    return failed(cudaErrorInvalidValue);
  const bool waits = (!on_device(to) && !is_pinned(to)) || (!on_device(from) && !is_pinned(from));
  cuda_emulator::enqueue(stream, [=] {
    for (std::size_t i = 0; i < height; ++i)
      std::memcpy(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch, width);
  });
  if (waits) run(stream);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  return cudaMemset2DAsync(memory, bytes, value, bytes, 1, stream);
}
cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
  const Lock lock(mutex);
  if (width == 0 || height == 0) return cudaSuccess;
  if (!on_device(memory)) return failed(cudaErrorInvalidValue);
  cuda_emulator::enqueue(stream, [=] {
    for (std::size_t i = 0; i < height; ++i) std::memset(static_cast<char*>(memory) + i * pitch, value, width);
  });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const Lock lock(mutex);
  *stream = new weft_emulated_stream;
  streams.insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const Lock lock(mutex);
  run(stream);
  streams.erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  const Lock lock(mutex);
  run(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  cuda_emulator::enqueue(stream, [event] {
    if (event->stream != nullptr) run(event->stream);
  });
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new weft_emulated_event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Lock lock(mutex);
  event->stream = stream;
  cuda_emulator::enqueue(stream, [event] { event->stream = nullptr; });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Lock lock(mutex);
  if (event->stream != nullptr) run(event->stream);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Lock lock(mutex);
  if (event->stream != nullptr) run(event->stream);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() {
  return std::exchange(last_error, cudaSuccess);
}
const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    default:
      return "invalid argument";
  }
}

namespace cuda_emulator {
void report_launch_error(cudaError_t error) {
  failed(error);
}
}  // namespace cuda_emulator
