// Operations on a GPU beside the same on the processor: answers first, then times. Data start in the memory of the
// host; what a fit keeps on the device between operations stays there.
#include "compute/device_matrix.hpp"
#include "compute/gpu.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"

#include <weft/feature_map.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "tiny.hpp"

namespace {

using weft::Index;
using weft::Matrix;
using weft::Run;
using weft::View;
using namespace weft::detail;

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  const Random random(seed, RandomStream::noise);
  Matrix a(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      a(i, j) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
  return a;
}

/// What an operation does on a device: the answer, and its floating-point operations.
struct Task {
  std::string name;
  double operations;
  std::function<Matrix(const Device&)> run;
};

double largest(const Matrix& a) {
  double found = 0;
  for (Index k = 0; k < a.rows() * a.cols(); ++k) found = std::max(found, std::abs(a.data()[k]));
  return found;
}

double difference(const Matrix& a, const Matrix& b) {
  double found = 0;
  for (Index k = 0; k < a.rows() * a.cols(); ++k) found = std::max(found, std::abs(a.data()[k] - b.data()[k]));
  return found / std::max(1e-300, largest(a));
}

constexpr double kLongEnough = 1;  // seconds of rounds

double best_time(const Task& task, const Device& device, int rounds) {
  double best = 1e300;
  const Stopwatch all;
  for (int round = 0; round == 0 || (round < rounds && all.seconds() < kLongEnough); ++round) {
    const Stopwatch clock;
    task.run(device);
    best = std::min(best, clock.seconds());
  }
  return best;
}

/// Features of blocks of rows and their sums: a fit by least squares without its solution.
Task sums(Index features, Index inputs, Index rows) {
  weft::FamilyOptions family;
  family.family = "rw-relu:" + std::to_string(features);
  const auto map = std::make_shared<weft::FeatureMap>(weft::FeatureMap::draw(family, weft::Inputs::plain(inputs)));
  const auto x = std::make_shared<Matrix>(random_matrix(inputs, rows, 1));
  const auto right = std::make_shared<Matrix>(random_matrix(2, rows, 2));
  const auto t = static_cast<double>(features), n = static_cast<double>(rows);
  return {
      fmt::format("features and sums, T = {}, {} inputs, {} rows", features, inputs, rows),
      n * t * (2 * static_cast<double>(inputs) + t), [=](const Device& device) {
        constexpr Index kBlock = 2048;
        const Run run;
        DeviceMatrix<double> gram(device, features, features), moments(device, features, 2), phi(device);
        device.clear(gram);
        device.clear(moments);
        for (Index first = 0; first < rows; first += kBlock) {
          const Index count = std::min(kBlock, rows - first);
          phi.reshape(features, count);
          device.smoothings({map->parts(), map->device_copies()}, x->view().col_range(first, count), phi.view(), run);
          device.add_sums(View<const double>(phi.view()), phi.view(), right->view().col_range(first, count), gram,
                          moments, run.thread_count());
        }
        return moments.on_host();
      }};
}

/// A leaf: kernel matrix, factor, solution.
Task leaf(const weft::Kernel& kernel, Index inputs, Index rows) {
  const auto x = std::make_shared<Matrix>(random_matrix(inputs, rows, 3));
  const auto y = std::make_shared<Matrix>(random_matrix(rows, 1, 4));
  const auto n = static_cast<double>(rows);
  return {fmt::format("{} kernel ridge, {} rows, {} inputs", kernel.name(), rows, inputs),
          n * n * (static_cast<double>(inputs) + n / 3), [=](const Device& device) {
            const Run run;
            const DeviceMatrix<double> there(device, *x);
            DeviceMatrix<double> values(device, rows, rows), solution(device, *y);
            device.kernel_values(kernel, there, kernel.prepare(*x), there, values, true, run);
            const std::vector<double> penalty(static_cast<std::size_t>(rows), 0.1);
            device.add_to_diagonal(values.view(), penalty.data());
            if (!device.factor(values.view(), run.thread_count())) throw std::runtime_error("not positive definite");
            device.solve_lower(View<const double>(values.view()), false, solution.view(), run.thread_count());
            device.solve_lower(View<const double>(values.view()), true, solution.view(), run.thread_count());
            return solution.on_host();
          }};
}

/// Gradients of a sum of kernel sections, as the relevance of inputs needs them.
Task gradients(const weft::Kernel& kernel, Index inputs, Index centres, Index rows) {
  const auto a = std::make_shared<Matrix>(random_matrix(inputs, centres, 5));
  const auto b = std::make_shared<Matrix>(random_matrix(inputs, rows, 6));
  const auto alpha = std::make_shared<Matrix>(random_matrix(centres, 1, 7));
  return {fmt::format("gradients of {} {} sections at {} rows, {} inputs", centres, kernel.name(), rows, inputs),
          4.0 * static_cast<double>(centres) * static_cast<double>(rows) * static_cast<double>(inputs),
          [=](const Device& device) {
            Matrix out(inputs, rows);
            device.kernel_gradients(kernel, *a, kernel.prepare(*a), *alpha, *b, out, {});
            return out;
          }};
}

bool compare(const Task& task, int rounds) {
  const double apart = difference(task.run(cpu()), task.run(gpu(0)));
  const double host = best_time(task, cpu(), rounds), there = best_time(task, gpu(0), rounds);
  fmt::print("| {} | {:.1e} | {:.4g} | {:.4g} | {:.3g} | {:.1f} |\n", task.name, apart, 1e3 * host, 1e3 * there,
             task.operations / there / 1e9, host / there);
  std::fflush(stdout);
  return apart < 1e-9;
}

}  // namespace

int main() {
  if (gpus().devices.empty()) {
    fmt::print(stderr, "skipped: {}\n", gpus().problem);
    return 77;
  }
  fmt::print(
      "{}, processor with {} threads\n\n| operation | largest difference | processor, ms | GPU, ms | GFLOP/s | "
      "processor / GPU "
      "|\n|---|---|---|---|---|---|\n",
      gpus().devices.front().name, Run{}.thread_count());
  bool equal = true;
  const int rounds = bench::unless_tiny(5, 1);
  // From a block of few features, where a GPU begins to gain, to many.
  using Sizes = std::vector<std::pair<Index, Index>>;  // features, rows
  const Sizes sizes = {{100, 2048}, {250, 2048}, {500, 2048}, {1000, 2048}, {1000, 65536}, {2048, 65536}, {8192, 8192}};
  for (const auto& [features, rows] : bench::unless_tiny<Sizes>(sizes, {{40, 300}}))
    equal = compare(sums(features, bench::unless_tiny<Index>(100, 5), rows), rounds) && equal;
  for (const Index rows : bench::unless_tiny<std::vector<Index>>({250, 500, 1000, 2000, 4000, 8000}, {80})) {
    equal = compare(leaf(weft::Kernel::laplace(8), 20, rows), rounds) && equal;
    equal = compare(leaf(weft::Kernel::rbf(4), 20, rows), rounds) && equal;
  }
  const Index many = bench::unless_tiny<Index>(4000, 60);
  equal = compare(gradients(weft::Kernel::laplace(8), 20, many, many), rounds) && equal;
  equal = compare(gradients(weft::Kernel::laplace_l2(8), 100, many, many), rounds) && equal;
  return equal ? 0 : 1;
}
