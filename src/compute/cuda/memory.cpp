#include "compute/cuda/memory.hpp"

#include <weft/error.hpp>

#include <map>
#include <memory>
#include <string>

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

/// Of one thread and device; ends with the thread.
struct OwnQueue : Queue {
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

template <class T>
void copy_rows(const CudaDevice& device, View<const T> from, View<T> to) {
  if (from.rows == 0 || from.cols == 0 || from.data == to.data) return;
  constexpr std::size_t kSize = sizeof(T);
  const auto bytes = [](Index count) { return static_cast<std::size_t>(count) * kSize; };
  const bool to_host = !on_device(to.data);
  const cudaStream_t stream = device.queue().stream;
  if (from.stride == from.cols && to.stride == to.cols)
    check(cudaMemcpyAsync(to.data, from.data, bytes(from.rows * from.cols), cudaMemcpyDefault, stream), "copy");
  else
    check(cudaMemcpy2DAsync(to.data, bytes(to.stride), from.data, bytes(from.stride), bytes(from.cols),
                            static_cast<std::size_t>(from.rows), cudaMemcpyDefault, stream),
          "copy");
  if (to_host) device.finish();
}

}  // namespace

bool on_device(const void* memory) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice;
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
  thread_local std::map<int, std::unique_ptr<OwnQueue>> queues;
  check(cudaSetDevice(number_), "cudaSetDevice");
  std::unique_ptr<OwnQueue>& own = queues[number_];
  if (!own) own = std::make_unique<OwnQueue>();
  return *own;
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

}  // namespace weft::detail::cuda
