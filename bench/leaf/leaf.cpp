// One leaf of a local model, kernel ridge regression on all its rows, beside the least that it takes: the lower
// triangle of the kernel matrix and LAPACK's dpotrf. What both solve is compared before times. Usage: bench_leaf
// [rounds]
#include "compute/cpu/blas_library.hpp"
#include "compute/device.hpp"
#include "core/random.hpp"
#include "floor/floor.hpp"
#include "methods/local/kernel_equations.hpp"
#include "methods/local/member_plan.hpp"
#include "tiny.hpp"

#include <weft/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using weft::Index;
using weft::Matrix;
using weft::View;
using namespace weft::detail;

constexpr double kLambda = 1e-2;

LabelledRows make_rows(Index count, Index inputs) {
  const Random random(1, RandomStream::generator);
  LabelledRows rows{Matrix(inputs, count), Matrix(count, 1), {}};
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < inputs; ++j)
      rows.x(j, i) = random.normal(static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(j));
    rows.y(i, 0) = std::sin(rows.x(0, i)) + 0.1 * random.normal(static_cast<std::uint64_t>(i), 1000);
  }
  return rows;
}

MemberPlan make_plan(const LabelledRows& rows) {
  MemberPlan plan;
  plan.form.kind = weft::Kernel::Kind::laplace;
  plan.bandwidth = 2 * static_cast<double>(rows.x.rows());
  plan.lambda = kLambda;
  plan.size = rows.rows();
  return plan;
}

/// Replaces the kernel matrix by its factor. LAPACK reads columns: our lower triangle is its upper one.
void factor(View<double> kernel) {
  const auto n = static_cast<int>(kernel.rows);
  for (Index i = 0; i < kernel.rows; ++i) kernel(i, i) += kLambda;
  int info = 0;
  blas().dpotrf("U", &n, kernel.data, &n, &info, 1);
  if (info != 0) throw std::runtime_error("dpotrf failed");
}

/// c and a of (K + λI)a + c1 = y, 1ᵀa = 0 from a factor.
std::vector<double> solve(View<const double> factor, const LabelledRows& rows, double& intercept) {
  Matrix both(rows.rows(), 2);
  for (Index i = 0; i < rows.rows(); ++i) {
    both(i, 0) = rows.y(i, 0);
    both(i, 1) = 1;
  }
  cpu().solve_lower(factor, false, both, 1);
  cpu().solve_lower(factor, true, both, 1);
  double sum = 0, ones = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    sum += both(i, 0);
    ones += both(i, 1);
  }
  intercept = sum / ones;
  std::vector<double> a;
  for (Index i = 0; i < rows.rows(); ++i) a.push_back(both(i, 0) - intercept * both(i, 1));
  return a;
}

double largest_difference(const weft::Leaf& leaf, const std::vector<double>& a, double intercept) {
  double worst = std::abs(leaf.intercepts[0] - intercept);
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(leaf.coefficients(static_cast<Index>(i), 0) - a[i]));
  return worst;
}

bool compare(Index count, Index inputs, int threads, int rounds) {
  const LabelledRows rows = make_rows(count, inputs);
  const MemberPlan plan = make_plan(rows);
  const weft::Run run{.threads = threads};
  double own = 1e300, floor = 1e300, worst = 0;
  for (int round = 0; round < rounds; ++round) {
    DeviceMatrix<double> kernel(weft::detail::cpu());
    blas().set_num_threads(threads);
    floor = std::min(floor, bench::seconds(threads, [&] {
                       kernel = lower_kernel(plan.kernel(), rows.x, run);
                       factor(kernel);
                     }));
    bench::let_blas_threads_sleep();
    weft::Member member;
    own = std::min(own, bench::seconds(threads, [&] { member = fit_member(plan, rows, run); }));
    double intercept = 0;
    const std::vector<double> a = solve(kernel, rows, intercept);
    worst = std::max(worst, largest_difference(member.leaves.front(), a, intercept));
  }
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {:.1e} |\n", count, inputs, threads, 1e3 * floor, 1e3 * own,
             own / floor, worst);
  return worst < 1e-8;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : bench::unless_tiny(5, 1);
  fmt::print(
      "{}\n\n| rows | inputs | threads | kernel + dpotrf, ms | leaf, ms | ratio | largest difference |\n"
      "|---|---|---|---|---|---|---|\n",
      weft::compute_info().blas);
  bool equal = true;
  for (const Index count : bench::unless_tiny<std::vector<Index>>({1000, 2000, 4000}, {60}))
    for (const Index inputs : {10, 100})
      for (const int threads : {1, 2}) equal = compare(count, inputs, threads, rounds) && equal;
  return equal ? 0 : 1;
}
