#include "compute/cpu/blas_library.hpp"

#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace weft::detail {
namespace {

TEST(BlasLibrary, ParallelForLeavesItsThreadsAsTheyWere) {
  if (blas().get_num_threads == nullptr) GTEST_SKIP() << "not OpenBLAS";
  const auto threads = blas().get_num_threads;
  const int before = threads();
  parallel_for(10, 2, [&](Index) { EXPECT_EQ(threads(), 1); });
  EXPECT_EQ(threads(), before);
  {
    const SerialBlas outer;
    const SerialBlas inner;
    EXPECT_EQ(threads(), 1);
  }
  EXPECT_EQ(threads(), before);
}

TEST(BlasLibrary, KernelsNarrowerThanTheProcessorAreReplaced) {
  // OpenBLAS 0.3.21 takes a Xeon of family 6, model 207 for a Prescott.
  EXPECT_STREQ(better_core("Prescott", "avx512", true), "SkylakeX");
  EXPECT_STREQ(better_core("Haswell", "avx512", true), "SkylakeX");
  EXPECT_STREQ(better_core("Nehalem", "avx2", true), "Haswell");
  EXPECT_STREQ(better_core("Barcelona", "avx2", false), "Zen");
  EXPECT_STREQ(better_core("Prescott", "avx512", false), "SkylakeX");
}

TEST(BlasLibrary, KernelsThatFitStay) {
  EXPECT_EQ(better_core("SkylakeX", "avx512", true), nullptr);
  EXPECT_EQ(better_core("Cooperlake", "avx512", true), nullptr);
  EXPECT_EQ(better_core("Zen", "avx2", false), nullptr);
  EXPECT_EQ(better_core("Zen", "avx512", false), nullptr);
  EXPECT_EQ(better_core("Haswell", "avx2", true), nullptr);
  EXPECT_EQ(better_core("Prescott", "sse2", true), nullptr);
  EXPECT_EQ(better_core("", "avx512", true), nullptr);  // another library
}

TEST(BlasLibrary, ReportsWhatIsUsed) {
  blas();
  const BlasReport report = blas_report();
  EXPECT_NE(report.library.find(".so"), std::string::npos) << report.library;
  if (blas().get_corename == nullptr) GTEST_SKIP() << "not OpenBLAS";
  EXPECT_TRUE(report.kernels.starts_with(blas().get_corename())) << report.kernels;
  EXPECT_GT(report.threads, 0);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE") == nullptr,
            report.kernels.find("OPENBLAS_CORETYPE=") == std::string::npos);
}

}  // namespace
}  // namespace weft::detail
