// Whole fits and predictions on a GPU, from tables in the memory of the host, beside their floors in the same run:
// cuBLAS's dsyrk, cuSOLVER's dpotrf, features of rows that are there already. Answers are compared with the
// processor's on fewer rows first.
// Usage: bench_fits [floors|least-squares|least-squares-2048|least-squares-8192|kernel-ridge|local|predictions]…; all
// without arguments.
#include "compute/device_matrix.hpp"
#include "compute/gpu.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "methods/local/kernel_equations.hpp"

#include <weft/fit.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "tiny.hpp"

namespace {

using weft::Index;
using weft::Matrix;
using weft::Run;
using weft::View;
using namespace weft::detail;

Run run_on(const char* device, int threads = 0) {
  Run run;
  run.device = device;
  run.threads = threads;
  return run;
}

/// Uniform inputs, and a smooth function of ten of them with noise.
struct Table {
  Matrix x, y;
  Table(Index rows, Index inputs) : x(rows, inputs), y(rows, 1) {
    const Random random(1, RandomStream::noise);
    parallel_for(rows, Run{}.thread_count(), [&](Index i) {
      const auto row = static_cast<std::uint64_t>(i);
      for (Index j = 0; j < inputs; ++j) x(i, j) = random.uniform(row, static_cast<std::uint32_t>(j));
      const double* v = x.row(i);
      y(i, 0) = 10 * std::sin(3.14159 * v[0] * v[1]) + 20 * (v[2] - 0.5) * (v[2] - 0.5) + 10 * v[3] + 5 * v[4] +
                random.normal(row, static_cast<std::uint32_t>(inputs));
    });
  }
  weft::Data data(Index rows) const { return weft::array(x.view().row_range(0, rows), y.view().row_range(0, rows)); }
};

double timed(const std::function<void()>& work) {
  const Stopwatch clock;
  work();
  return clock.seconds();
}

double best_of(int rounds, const std::function<void()>& work) {
  double best = 1e300;
  for (int k = 0; k < rounds; ++k) best = std::min(best, timed(work));
  return best;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double apart = 0, largest = 0;
  for (Index k = 0; k < a.rows() * a.cols(); ++k) {
    apart = std::max(apart, std::abs(a.data()[k] - b.data()[k]));
    largest = std::max(largest, std::abs(a.data()[k]));
  }
  return apart / largest;
}

void print_stages(const weft::Model& model) {
  for (const auto& [stage, seconds] : model.parts().report.seconds) fmt::print("  {} {:.2f} s", stage, seconds);
  fmt::print("\n");
}

/// Sums of Φ of `features` that are in the device's memory, block after block: operations per second.
double syrk_rate(Index features, Index block, Index rows) {
  const Device& device = gpu(0);
  DeviceMatrix<double> phi(device, features, block), gram(device, features, features), moments(device, features, 2);
  Matrix some(features, block), right(2, block);
  for (Index k = 0; k < features * block; ++k) some.data()[k] = 1e-3 * static_cast<double>(k % 1009);
  device.copy(std::as_const(some).view(), phi.view());
  device.clear(gram);
  device.clear(moments);
  const auto add = [&](Index count) {
    for (Index first = 0; first < count; first += block)
      device.add_sums(View<const double>(phi.view()), phi.view(), right, gram, moments, 1);
    device.finish();
  };
  add(block);
  const double seconds = timed([&] { add(rows); });
  const auto t = static_cast<double>(features);
  return static_cast<double>(rows) * t * t / seconds;
}

/// Seconds so far.
struct ProcessorTime {
  double own, user, system;
  ProcessorTime() {
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    own = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    getrusage(RUSAGE_SELF, &usage);
    user = seconds(usage.ru_utime);
    system = seconds(usage.ru_stime);
  }
};

weft::FamilyOptions family(Index features) {
  weft::FamilyOptions options;
  options.family = "rw-relu";
  options.features = features;
  return options;
}

/// Features of rows that are in the device's memory, and no sums: seconds.
double feature_seconds(Index features, Index inputs, Index rows) {
  const Device& device = gpu(0);
  weft::FamilyOptions options = family(features);
  const auto map = weft::FeatureMap::draw(options, weft::Inputs::plain(inputs));
  const Index block = kBlockRows;
  const Table table(block, inputs);
  Matrix x(inputs, block);
  for (Index i = 0; i < block; ++i)
    for (Index j = 0; j < inputs; ++j) x(j, i) = table.x(i, j);
  const DeviceMatrix<double> there(device, x);
  DeviceMatrix<double> phi(device, features, block);
  const auto make = [&](Index count) {
    for (Index first = 0; first < count; first += block)
      device.smoothings({map.parts(), map.device_copies()}, there, phi.view(), {});
    device.finish();
  };
  make(block);
  return timed([&] { make(rows); });
}

bool least_squares(const Table& table, Index features) {
  const auto fit = [&](const char* device, Index rows, std::optional<double> lambda) {
    weft::FitRequest request{.train = table.data(rows), .family = family(features), .run = run_on(device)};
    request.fit.lambda = lambda;
    return weft::fit(request);
  };
  const Index rows = table.x.rows(), some = std::min<Index>(rows, 20000);
  const weft::Data test = table.data(std::min<Index>(some, 2000));
  const double apart = largest_difference(fit("cpu", some, 1e-3).predict(test), fit("gpu", some, 1e-3).predict(test));
  fmt::print("least squares, {} rows x {} inputs, T = {}: predictions differ by {:.1e} ({} rows)\n", rows,
             table.x.cols(), features, apart, some);
  const auto t = static_cast<double>(features), n = static_cast<double>(rows);
  // As long as a fit: a GPU is slower when it is hot.
  const Index long_enough = std::min<Index>(rows, 16'000'000'000 / (features * features) * 10'000);
  const double rate = syrk_rate(features, 8192, long_enough);
  const double made = feature_seconds(features, table.x.cols(), long_enough) * n / static_cast<double>(long_enough);
  fmt::print("  dsyrk {:.1f} TFLOP/s: sums at least {:.2f} s, features {:.2f} s\n", rate / 1e12, n * t * t / rate,
             made);
  for (int round = 0; round < 2; ++round) {
    const Stopwatch clock;
    const ProcessorTime before;
    const weft::Model model = fit("gpu", rows, {});
    fmt::print("  end to end, 33 lambdas: {:.2f} s;", clock.seconds());
    print_stages(model);
    const ProcessorTime after;
    fmt::print("  processor time of the thread that asks the GPU {:.2f} s, of all {:.1f} s and the system's {:.1f} s\n",
               after.own - before.own, after.user - before.user, after.system - before.system);
    std::fflush(stdout);
  }
  return apart < 1e-8;
}

bool kernel_ridge(Index rows, Index inputs) {
  const Table table(rows, inputs);
  const Run run = run_on("gpu");
  const weft::Kernel kernel = weft::Kernel::laplace(static_cast<double>(inputs) / 3);
  Matrix x(inputs, rows), y(rows, 10);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < inputs; ++j) x(j, i) = table.x(i, j);
    for (Index o = 0; o < 10; ++o) y(i, o) = std::sin(table.y(i, 0) + static_cast<double>(o));
  }
  const double lambda = 1e-2;
  double block = 0, solved = 0;
  std::optional<KernelFit> fit;
  for (int round = 0; round < 2; ++round) {
    const Stopwatch clock;
    DeviceMatrix<double> values = lower_kernel(kernel, x, run);
    values.device().finish();
    block = clock.seconds();
    fit = solve_exact(values, y, {}, lambda, 1);
    solved = clock.seconds();
  }
  // y = K a + lambda a + c at some rows.
  double residual = 0;
  const Index some = std::min<Index>(rows, 20);
  Matrix section(rows, some);
  cpu().kernel_values(kernel, x, kernel.prepare(x), x.view().col_range(0, some), section, false, run_on("cpu"));
  for (Index i = 0; i < some; ++i) {
    double sum = fit->intercepts[0] + lambda * fit->coefficients(i, 0) - y(i, 0);
    for (Index j = 0; j < rows; ++j) sum += section(j, i) * fit->coefficients(j, 0);
    residual = std::max(residual, std::abs(sum));
  }
  weft::FitRequest request{.train = weft::array(table.x, table.y), .run = run};
  auto& own = request.fit.use<weft::KernelRidgeOptions>();
  own.kernel = std::string("laplace");
  own.bandwidth = std::to_string(inputs / 3);
  request.fit.lambda = 1e-6;
  const Stopwatch fit_clock;
  const weft::Model model = weft::fit(request);
  const double fitted = fit_clock.seconds();
  const Device& device = gpu(0);
  DeviceMatrix<double> identity(device, rows, rows);
  device.clear(identity);
  device.add_to_diagonal(identity.view(), std::vector<double>(static_cast<std::size_t>(rows), 2.0).data());
  device.finish();
  const double factored = timed([&] {
    device.factor(identity.view(), 1);
    device.finish();
  });
  const auto n = static_cast<double>(rows), d = static_cast<double>(inputs);
  fmt::print(
      "kernel ridge, {} rows x {} inputs, laplace, 10 outputs: residual {:.1e}\n  kernel {:.2f} s ({:.2f} T "
      "differences/s), all {:.2f} s; dpotrf {:.2f} s ({:.1f} TFLOP/s)\n",
      rows, inputs, residual, block, n * n / 2 * d / block / 1e12, solved, factored, n * n * n / 3 / factored / 1e12);
  fmt::print("  --fit kernel-ridge --lambda, one output, with condition and leave-one-out errors: {:.2f} s;", fitted);
  print_stages(model);
  std::fflush(stdout);
  return residual < 1e-6;
}

bool local(Index rows) {
  const Table table(rows, 20);
  weft::LocalOptions own;
  weft::FitRequest request{.train = table.data(rows), .run = run_on("gpu")};
  request.fit.method = own;
  const Stopwatch clock;
  const weft::Model model = weft::fit(request);
  const double seconds = clock.seconds();
  const Table test(20000, 20);
  fmt::print("local models, {} rows x 20 inputs, leaves of 2000, two trees, relevance 2: {:.2f} s;", rows, seconds);
  print_stages(model);
  std::fflush(stdout);
  return true;
}

bool predictions(Index rows, Index features) {
  const Table table(rows, 20);
  weft::FitRequest request{.train = table.data(std::min<Index>(rows, 20000)), .family = family(features)};
  request.fit.lambda = 1e-3;
  const weft::Model model = weft::fit(request);
  const weft::Data data = table.data(rows);
  Matrix here, there = model.predict(data, run_on("gpu"));
  const double host = best_of(1, [&] { here = model.predict(data, run_on("cpu", 2)); });
  const double device = best_of(3, [&] { there = model.predict(data, run_on("gpu")); });
  const double apart = largest_difference(here, there);
  fmt::print(
      "predictions of {} rows x 20 inputs, T = {}: differ by {:.1e}; two threads {:.2f} s, GPU {:.2f} s, {:.1f} "
      "times\n",
      rows, features, apart, host, device, host / device);
  std::fflush(stdout);
  return apart < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  if (gpus().devices.empty()) {
    fmt::print(stderr, "skipped: {}\n", gpus().problem);
    return 77;
  }
  const std::set<std::string> chosen(argv + 1, argv + argc);
  const auto asked = [&](const char* name) { return chosen.empty() || chosen.contains(name); };
  fmt::print("{}, processor with {} threads\n", gpus().devices.front().name, Run{}.thread_count());
  bool right = true;
  if (asked("floors"))
    for (const Index features : bench::unless_tiny<std::vector<Index>>({2048, 8192}, {40}))
      for (const Index block : bench::unless_tiny<std::vector<Index>>({2048, 4096, 8192, 16384}, {128}))
        fmt::print("dsyrk, T = {}, blocks of {} rows: {:.1f} TFLOP/s\n", features, block,
                   syrk_rate(features, block, bench::unless_tiny<Index>(262144, 256)) / 1e12);
  if (asked("least-squares") || chosen.contains("least-squares-2048") || chosen.contains("least-squares-8192")) {
    const Table table(bench::unless_tiny<Index>(10'000'000, 500), bench::unless_tiny<Index>(100, 6));
    for (const Index features : bench::unless_tiny<std::vector<Index>>({2048, 8192}, {40}))
      if (asked("least-squares") || asked(fmt::format("least-squares-{}", features).c_str()))
        right = least_squares(table, features) && right;
  }
  if (asked("kernel-ridge"))
    right = kernel_ridge(bench::unless_tiny<Index>(60000, 100), bench::unless_tiny<Index>(784, 10)) && right;
  if (asked("local")) right = local(bench::unless_tiny<Index>(1'000'000, 300)) && right;
  if (asked("predictions"))
    right = predictions(bench::unless_tiny<Index>(1'000'000, 500), bench::unless_tiny<Index>(1000, 40)) && right;
  return right ? 0 : 1;
}
