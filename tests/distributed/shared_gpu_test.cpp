// Rows shared out over processes that have GPUs, which the host emulates.
#include <weft/devices.hpp>
#include <weft/distributed.hpp>

#include "compute/gpu.hpp"
#include "core/random.hpp"
#include "devices.hpp"
#include "distributed/thread_processes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weft::testing {

using namespace detail;
namespace {

constexpr Index kSharedRows = 9000;

class SharedGpu : public ::testing::Test {
 protected:
  SharedGpu() : x_(kSharedRows, 4), y_(kSharedRows, 1), weights_(kSharedRows, 1) {
    const Random random(8, RandomStream::generator);
    for (Index i = 0; i < kSharedRows; ++i) {
      const auto row = static_cast<std::uint64_t>(i);
      for (Index j = 0; j < 4; ++j) x_(i, j) = random.normal(row, static_cast<std::uint32_t>(j));
      y_(i, 0) = 20 + std::sin(x_(i, 0)) + x_(i, 1) * x_(i, 2) + 0.1 * random.normal(row, 9);
      weights_(i, 0) = 0.5 + random.uniform(row, 10);
    }
  }
  void SetUp() override {
    setenv("WEFT_EMULATED_GPUS", "2", 1);
    if (tested_gpu() == nullptr) GTEST_SKIP() << "no GPU: " << gpus().problem;
    if (gpus().devices.size() != 2) GTEST_SKIP() << "this is no emulated GPU";
  }

  Data rows(Index first, Index end) const {
    return array(x_.view().row_range(first, end - first), y_.view().row_range(first, end - first),
                 weights_.view().row_range(first, end - first));
  }
  FitRequest request(const Data& train, const std::string& device, const FitOptions& options) const {
    FitRequest request{.train = train, .family = {.features = 80}, .fit = options};
    request.run.device = device;
    return request;
  }
  /// On `devices`, one per process: the numbers of the model.
  Model together(const std::vector<std::string>& devices, const FitOptions& options) const {
    return on_processes(static_cast<int>(devices.size()), [&](Communicator& process) {
      const SharedTable table({rows(0, 2500), rows(2500, 2510), rows(2510, kSharedRows)}, "files", process);
      return fit(request(table.all(), devices[static_cast<std::size_t>(process.rank())], options), table);
    });
  }

  Matrix x_, y_, weights_;
};

double largest_difference(const Matrix& a, const Matrix& b) {
  double largest = 0;
  for (Index i = 0; i < a.rows(); ++i) largest = std::max(largest, std::abs(a(i, 0) - b(i, 0)));
  return largest;
}

TEST_F(SharedGpu, SumsAreTheSameBitsForAnyNumberOfProcesses) {
  for (const FitOptions& options : {FitOptions{}, FitOptions{.lambda = 1e-3}, FitOptions{.method = LassoOptions{}}}) {
    const Model alone = fit(request(rows(0, kSharedRows), "cpu", options));
    const Model one = together({"gpu%0"}, options);
    const Matrix predictions = alone.predict(rows(0, 500));
    EXPECT_LT(largest_difference(one.predict(rows(0, 500)), predictions), 1e-7);
    for (const std::vector<std::string>& devices :
         {std::vector<std::string>{"gpu%0", "gpu%1"}, {"gpu%0", "gpu%1", "gpu%2"}, {"gpu:1", "gpu:1", "gpu", "gpu"}})
      EXPECT_EQ(largest_difference(together(devices, options).predict(rows(0, 500)), one.predict(rows(0, 500))), 0)
          << devices.size() << " processes";
  }
}

TEST_F(SharedGpu, IsNotUsedWhereOneProcessHasNone) {
  const FitOptions options{.lambda = 1e-3};
  const Model cpus = together({"cpu", "cpu"}, options);
  EXPECT_EQ(largest_difference(together({"auto%0", "cpu"}, options).predict(rows(0, 500)), cpus.predict(rows(0, 500))),
            0);
}

TEST_F(SharedGpu, IsTheOneOfTheProcess) {
  const auto device = [](const std::string& name) {
    weft::Run run;
    run.device = name;
    return &device_for(run, 1e12);
  };
  EXPECT_EQ(device("gpu%0"), &gpu(0));
  EXPECT_EQ(device("gpu%1"), &gpu(1));
  EXPECT_EQ(device("gpu%5"), &gpu(1));
  EXPECT_EQ(device("auto%3"), &gpu(1));
  EXPECT_EQ(device("auto%2"), &gpu(0));
  EXPECT_EQ(shared_device("gpu", 3), "gpu%3");
  EXPECT_EQ(shared_device("auto", 1), "auto%1");
  EXPECT_EQ(shared_device("gpu:1", 2), "gpu:1") << "all processes use the one that was asked for";
  EXPECT_EQ(shared_device("cpu", 2), "cpu");
}

}  // namespace
}  // namespace weft::testing
