// Threads of a block as fibers: one runs until it reaches a barrier or ends, then another one of those that may go on.
#include "cuda_runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include <ucontext.h>

namespace cuda_emulator {

void report_launch_error(cudaError_t error);

Place place;

namespace {

constexpr unsigned kMostThreads = 1024, kMostBlocks = 65535;
constexpr std::size_t kStack = 64 << 10;

[[noreturn]] void stop(const char* reason) {
  std::fprintf(stderr, "CUDA emulator: %s\n", reason);
  std::abort();
}

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack = std::make_unique<char[]>(kStack);
  dim3 thread{0, 0, 0};
  bool ended = true;
};

ucontext_t scheduler;
Fiber* current = nullptr;  // nullptr: a thread without a fiber, which may not reach a barrier
const std::function<void()>* body = nullptr;

void run_body() {
  (*body)();
  current->ended = true;
}

void begin(Fiber& fiber, dim3 thread) {
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStack;
  fiber.context.uc_link = &scheduler;
  makecontext(&fiber.context, run_body, 0);
  fiber.thread = thread;
  fiber.ended = false;
}

void resume(Fiber& fiber) {
  current = &fiber;
  place.thread = fiber.thread;
  swapcontext(&scheduler, &fiber.context);
  current = nullptr;
}

/// One block, its threads in the order given, which changes at every barrier.
void run_block(std::vector<dim3>& order, std::mt19937& random, std::vector<std::unique_ptr<Fiber>>& fibers) {
  std::shuffle(order.begin(), order.end(), random);
  begin(*fibers.front(), order.front());
  resume(*fibers.front());
  if (fibers.front()->ended) {  // no barrier: the others need no fibers
    for (std::size_t k = 1; k < order.size(); ++k) {
      place.thread = order[k];
      (*body)();
    }
    return;
  }
  std::vector<Fiber*> waiting = {fibers.front().get()};
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (fibers.size() <= k) fibers.push_back(std::make_unique<Fiber>());
    begin(*fibers[k], order[k]);
    resume(*fibers[k]);
    waiting.push_back(fibers[k].get());
  }
  for (;;) {
    const auto ended = std::count_if(waiting.begin(), waiting.end(), [](const Fiber* f) { return f->ended; });
    if (static_cast<std::size_t>(ended) == waiting.size()) return;
    if (ended != 0) stop("a barrier that not all threads of a block reach");
    std::shuffle(waiting.begin(), waiting.end(), random);
    for (Fiber* fiber : waiting) resume(*fiber);
  }
}

void run_grid(dim3 grid, dim3 block, const std::function<void()>& thread) {
  static std::mt19937 random(1);  // NOLINT: the same order in every run
  static std::vector<std::unique_ptr<Fiber>> fibers;
  if (fibers.empty()) fibers.push_back(std::make_unique<Fiber>());
  body = &thread;
  std::vector<dim3> order;
  for (unsigned z = 0; z < block.z; ++z)
    for (unsigned y = 0; y < block.y; ++y)
      for (unsigned x = 0; x < block.x; ++x) order.emplace_back(x, y, z);
  place.threads = block;
  place.blocks = grid;
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        place.block = dim3(x, y, z);
        run_block(order, random, fibers);
      }
}

}  // namespace

void barrier() {
  if (current == nullptr) stop("a barrier that not all threads of a block reach");
  swapcontext(&current->context, &scheduler);
}

void launch(dim3 grid, dim3 block, cudaStream_t stream, std::function<void()> thread) {
  const bool valid = block.x * block.y * block.z >= 1 && block.x * block.y * block.z <= kMostThreads && block.z <= 64 &&
                     grid.x >= 1 && grid.y >= 1 && grid.z >= 1 && grid.y <= kMostBlocks && grid.z <= kMostBlocks;
  if (!valid) return report_launch_error(cudaErrorInvalidConfiguration);
  enqueue(stream, [grid, block, thread = std::move(thread)] { run_grid(grid, block, thread); });
}

}  // namespace cuda_emulator
