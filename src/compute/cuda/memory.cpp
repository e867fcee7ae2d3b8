#include "compute/cuda/memory.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft::detail::cuda {

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation)
    throw Error(ErrorKind::memory, "the GPU has not enough free memory", "‹device›",
                "use fewer features, landmarks or rows, ‹precision› single, or ‹device› cpu");
  throw std::runtime_error(std::string("CUDA: ") + call + ": " + cudaGetErrorString(status));
}

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLAS: ") + call + ": " + cublasGetStatusString(status));
}

void check(cusolverStatus_t status, const char* call) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuSOLVER: ") + call + ": status " + std::to_string(static_cast<int>(status)));
}

namespace {

enum class Memory { pageable, pinned, device };

Memory memory_of(const void* address) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, address), "cudaPointerGetAttributes");
  if (attributes.type == cudaMemoryTypeDevice) return Memory::device;
  return attributes.type == cudaMemoryTypeHost ? Memory::pinned : Memory::pageable;
}

/// Pieces of pinned memory that serve in turn.
class PinnedPieces {
 public:
  PinnedPieces(std::size_t bytes, std::size_t count) : bytes_(bytes), pieces_(count) {}
  ~PinnedPieces() {
    for (const Piece& piece : pieces_) {
      if (piece.memory == nullptr) continue;
      cudaEventDestroy(piece.read);
      cudaFreeHost(piece.memory);
    }
  }
  PinnedPieces(const PinnedPieces&) = delete;
  PinnedPieces& operator=(const PinnedPieces&) = delete;

  std::size_t bytes() const { return bytes_; }
  /// Sends `rows` rows of `width` bytes, which together are no longer than a piece; `write` puts them there.
  template <class Write>
  void send(cudaStream_t stream, char* to, std::size_t to_pitch, std::size_t width, std::size_t rows, Write write) {
    Piece& piece = pieces_[next_];
    next_ = (next_ + 1) % pieces_.size();
    if (piece.memory == nullptr) {
      check(cudaEventCreateWithFlags(&piece.read, cudaEventDisableTiming), "cudaEventCreate");
      void* memory = nullptr;
      check(cudaMallocHost(&memory, bytes_), "cudaMallocHost");
      piece.memory = static_cast<char*>(memory);
    } else {
      check(cudaEventSynchronize(piece.read), "cudaEventSynchronize");
    }
    write(piece.memory);
    check(cudaMemcpy2DAsync(to, to_pitch, piece.memory, width, width, rows, cudaMemcpyDefault, stream), "copy");
    check(cudaEventRecord(piece.read, stream), "cudaEventRecord");
  }

 private:
  struct Piece {
    char* memory = nullptr;
    cudaEvent_t read = nullptr;  // when the device has read it
  };

  std::size_t bytes_;
  std::vector<Piece> pieces_;
  std::size_t next_ = 0;
};

/// The way of rows of the host to the device. The device reads ordinary memory only while the host waits for all that
/// it was asked before, and at a sixth of the rate (an H200: 6.6 and 55 GB/s); through pinned pieces the host copies
/// what comes next while the device works. Short ones have pieces of their own, so that many may be under way.
class Staging {
 public:
  static constexpr std::size_t kLong = std::size_t{4} << 20, kShort = std::size_t{16} << 10;

  /// Sends `rows` rows of `width` bytes, none of which is longer than kLong unless there is only one.
  void send(cudaStream_t stream, const char* from, std::size_t from_pitch, char* to, std::size_t to_pitch,
            std::size_t width, std::size_t rows) {
    PinnedPieces& pieces = width * rows <= kShort ? short_ : long_;
    if (rows == 1) {
      for (std::size_t first = 0; first < width; first += pieces.bytes()) {
        const std::size_t bytes = std::min(pieces.bytes(), width - first);
        pieces.send(stream, to + first, bytes, bytes, 1,
                    [&](char* memory) { std::memcpy(memory, from + first, bytes); });
      }
      return;
    }
    send_made(stream, to, to_pitch, width, rows, [&](std::size_t first, std::size_t count, char* memory) {
      for (std::size_t i = 0; i < count; ++i) std::memcpy(memory + i * width, from + (first + i) * from_pitch, width);
    });
  }

  /// The same of rows that `make(first, count, memory)` writes, one after the other.
  template <class Make>
  void send_made(cudaStream_t stream, char* to, std::size_t to_pitch, std::size_t width, std::size_t rows, Make make) {
    PinnedPieces& pieces = width * rows <= kShort ? short_ : long_;
    const std::size_t together = pieces.bytes() / width;
    for (std::size_t first = 0; first < rows; first += together) {
      const std::size_t count = std::min(together, rows - first);
      pieces.send(stream, to + first * to_pitch, to_pitch, width, count,
                  [&](char* memory) { make(first, count, memory); });
    }
  }

 private:
  PinnedPieces short_{kShort, 64}, long_{kLong, 6};
};

/// Of one thread and device; ends with the thread.
struct OwnQueue : Queue {
  Staging staging;

  OwnQueue() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    check(cublasCreate(&blas), "cublasCreate");
    check(cublasSetStream(blas, stream), "cublasSetStream");
    check(cusolverDnCreate(&solver), "cusolverDnCreate");
    check(cusolverDnSetStream(solver, stream), "cusolverDnSetStream");
  }
  // A thread that ends after CUDA was shut down cannot release anything: statuses are not looked at.
  ~OwnQueue() {
    cudaStreamSynchronize(stream);
    cusolverDnDestroy(solver);
    cublasDestroy(blas);
    cudaStreamDestroy(stream);
  }
  OwnQueue(const OwnQueue&) = delete;
  OwnQueue& operator=(const OwnQueue&) = delete;
};

OwnQueue& own_queue(int number) {
  thread_local std::map<int, std::unique_ptr<OwnQueue>> queues;
  check(cudaSetDevice(number), "cudaSetDevice");
  std::unique_ptr<OwnQueue>& own = queues[number];
  if (!own) own = std::make_unique<OwnQueue>();
  return *own;
}

template <class T>
void copy_rows(const CudaDevice& device, View<const T> from, View<T> to) {
  if (from.rows == 0 || from.cols == 0 || from.data == to.data) return;
  constexpr std::size_t kSize = sizeof(T);
  const auto bytes = [](Index count) { return static_cast<std::size_t>(count) * kSize; };
  const Memory target = memory_of(to.data);
  OwnQueue& queue = own_queue(device.number());
  const bool whole = from.rows == 1 || (from.stride == from.cols && to.stride == to.cols);
  const std::size_t rows = whole ? 1 : static_cast<std::size_t>(from.rows);
  const std::size_t width = bytes(whole ? from.rows * from.cols : from.cols);
  const bool staged =
      target == Memory::device && (whole || width <= Staging::kLong) && memory_of(from.data) == Memory::pageable;
  if (staged)
    queue.staging.send(queue.stream, reinterpret_cast<const char*>(from.data), bytes(from.stride),
                       reinterpret_cast<char*>(to.data), bytes(to.stride), width, rows);
  else if (whole)
    check(cudaMemcpyAsync(to.data, from.data, width, cudaMemcpyDefault, queue.stream), "copy");
  else
    check(cudaMemcpy2DAsync(to.data, bytes(to.stride), from.data, bytes(from.stride), width, rows, cudaMemcpyDefault,
                            queue.stream),
          "copy");
  if (target != Memory::device) device.finish();
}

}  // namespace

bool on_device(const void* memory) {
  return memory_of(memory) == Memory::device;
}

DeviceMatrix<int> upload_places(const CudaDevice& device, std::span<const Index> from) {
  const std::vector<int> narrow(from.begin(), from.end());
  DeviceMatrix<int> to(device, 1, static_cast<Index>(narrow.size()));
  const std::size_t bytes = narrow.size() * sizeof(int);
  OwnQueue& queue = own_queue(device.number());
  if (bytes > 0)
    queue.staging.send(queue.stream, reinterpret_cast<const char*>(narrow.data()), bytes,
                       reinterpret_cast<char*>(to.view().data), bytes, bytes, 1);
  return to;
}

CudaDevice::CudaDevice(int number) : number_(number) {
  check(cudaSetDevice(number), "cudaSetDevice");
  // Memory that was released stays with the process: blocks of the same sizes are asked for again and again.
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, number), "cudaDeviceGetDefaultMemPool");
  unsigned long long keep = ~0ULL;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
}

const Queue& CudaDevice::queue() const {
  return own_queue(number_);
}

void* CudaDevice::allocate(std::size_t bytes) const {
  void* memory = nullptr;
  if (bytes > 0) check(cudaMallocAsync(&memory, bytes, queue().stream), "cudaMallocAsync");
  return memory;
}

// In the order of this thread's work; who hands memory to another thread calls finish() before.
void CudaDevice::release(void* memory) const noexcept {
  if (memory != nullptr) cudaFreeAsync(memory, queue().stream);
}

void CudaDevice::copy(View<const double> from, View<double> to) const {
  copy_rows(*this, from, to);
}

void CudaDevice::copy(View<const float> from, View<float> to) const {
  copy_rows(*this, from, to);
}

void CudaDevice::send(View<double> to, const MakeRows& make) const {
  if (to.rows == 0 || to.cols == 0) return;
  const std::size_t width = static_cast<std::size_t>(to.cols) * sizeof(double);
  if (memory_of(to.data) != Memory::device) return make(0, to);
  if (width > Staging::kLong) {
    auto made = Matrix::unset(to.rows, to.cols);
    make(0, made);
    return copy(made, to);
  }
  OwnQueue& queue = own_queue(number_);
  queue.staging.send_made(
      queue.stream, reinterpret_cast<char*>(to.data), static_cast<std::size_t>(to.stride) * sizeof(double), width,
      static_cast<std::size_t>(to.rows), [&](std::size_t first, std::size_t count, char* memory) {
        make(static_cast<Index>(first), {reinterpret_cast<double*>(memory), static_cast<Index>(count), to.cols});
      });
}

void CudaDevice::clear(View<double> matrix) const {
  Output<double> out(*this, matrix, Output<double>::Before::unspecified);
  const View<double> own = out.view();
  if (matrix.rows > 0 && matrix.cols > 0)
    check(cudaMemset2DAsync(own.data, static_cast<std::size_t>(own.stride) * sizeof(double), 0,
                            static_cast<std::size_t>(own.cols) * sizeof(double), static_cast<std::size_t>(own.rows),
                            queue().stream),
          "cudaMemset2D");
  out.store();
}

void CudaDevice::finish() const {
  check(cudaStreamSynchronize(queue().stream), "cudaStreamSynchronize");
}

double CudaDevice::free_memory() const {
  std::size_t free = 0, total = 0;
  check(cudaSetDevice(number_), "cudaSetDevice");
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  // What the pool keeps of the memory that was released can be had again.
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, number_), "cudaDeviceGetDefaultMemPool");
  unsigned long long reserved = 0, used = 0;
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), "cudaMemPoolGetAttribute");
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), "cudaMemPoolGetAttribute");
  return static_cast<double>(free) + static_cast<double>(reserved - used);
}

}  // namespace weft::detail::cuda
