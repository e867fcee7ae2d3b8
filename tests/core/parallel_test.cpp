#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace weft {

using namespace detail;
namespace {

TEST(ParallelFor, CallsEveryPieceOnce) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::atomic<int>> calls(1000);
    parallel_for(1000, threads, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, PassesExceptionsOn) {
  EXPECT_THROW(parallel_for(100, 3,
                            [](Index i) {
                              if (i == 37) throw std::runtime_error("piece 37");
                            }),
               std::runtime_error);
}

}  // namespace
}  // namespace weft
