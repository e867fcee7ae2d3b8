#include "methods/local/member_plan.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "methods/local/row_tree.hpp"
#include "model/member_scores.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr int kAttempts = 6;  // with ten times λ each

Leaf make_leaf(const Kernel& kernel, Matrix landmarks, KernelFit fit) {
  const Inputs inputs = Inputs::plain(landmarks.rows());
  return {FeatureMap::from_sections({kernel, std::move(landmarks)}, inputs), std::move(fit.coefficients),
          std::move(fit.intercepts)};
}

/// Rows that agree in all inputs, as one row of their weight.
LabelledRows collapsed(const LabelledRows& rows) {
  LabelledRows one{Matrix(rows.x.rows(), 1), Matrix(1, rows.outputs()), {0.0}};
  for (Index j = 0; j < rows.x.rows(); ++j) one.x(j, 0) = rows.x(j, 0);
  for (Index i = 0; i < rows.rows(); ++i) {
    one.weights[0] += rows.weight(i);
    for (Index o = 0; o < rows.outputs(); ++o) one.y(0, o) += rows.weight(i) * rows.y(i, o);
  }
  for (Index o = 0; o < rows.outputs(); ++o) one.y(0, o) /= one.weights[0];
  return one;
}

/// Mean targets alone, where nothing else can be solved.
Leaf constant_leaf(const LabelledRows& rows, Index inputs) {
  const LabelledRows one = collapsed(rows);
  return {FeatureMap::from_parts({}, Inputs::plain(inputs)),
          Matrix(0, rows.outputs()),
          {one.y.row(0), one.y.row(0) + rows.outputs()}};
}

double total_weight(const LabelledRows& rows) {
  double total = 0;
  for (Index i = 0; i < rows.rows(); ++i) total += rows.weight(i);
  return total;
}

/// rows.x: transformed inputs.
Leaf fit_leaf(const MemberPlan& plan, LabelledRows rows, const Run& run) {
  const Kernel kernel = plan.kernel();
  double lambda = plan.lambda * (plan.mean_loss ? total_weight(rows) : 1);
  for (int attempt = 0; attempt < kAttempts; ++attempt, lambda *= 10) {
    Matrix values = kernel.gram(rows.x, run);  // again if a factorisation failed: a copy would take twice the memory
    if (std::optional<KernelFit> fit = solve_exact(values, rows.y, rows.weights, lambda, false, run.thread_count()))
      return make_leaf(kernel, std::move(rows.x), *std::move(fit));
  }
  return constant_leaf(rows, rows.x.rows());
}

}  // namespace

std::string MemberPlan::name() const {
  return fmt::format("{}, {}", form.name, shape == Shape::local ? "local" : "landmarks");
}

Member fit_member(const MemberPlan& plan, const LabelledRows& rows, const Run& run) {
  if (plan.shape == MemberPlan::Shape::landmarks) {
    LandmarkEquations equations = landmark_equations(plan, rows, run);
    equations.add(rows);
    return solve_member(plan, equations);
  }
  LabelledRows own{plan.transform.apply(rows.x), rows.y, rows.weights};
  RowTree tree = grow_tree(own.x, plan.size, plan.variant, plan.seed);
  Member member{plan.name(), 1, plan.transform, std::move(tree.splits), {}};
  const auto leaves = static_cast<Index>(tree.leaves.size());
  std::vector<std::optional<Leaf>> fitted(at(leaves));
  Run inner = run;
  if (leaves > 1) inner.threads = 1;  // leaves side by side
  parallel_for(leaves, run.thread_count(), [&](Index k) {
    run.check_cancelled();
    LabelledRows part = own.subset(tree.leaves[at(k)]);
    fitted[at(k)] = fit_leaf(plan, part.rows() > plan.size ? collapsed(part) : std::move(part), inner);
  });
  for (std::optional<Leaf>& leaf : fitted) member.leaves.push_back(*std::move(leaf));
  return member;
}

double leaf_numbers(Index rows, Index leaf, const Run& run) {
  const auto size = static_cast<double>(std::max<Index>(1, std::min(rows, leaf)));
  return std::min<double>(run.thread_count(), std::ceil(static_cast<double>(rows) / size)) * size * size;
}

LandmarkEquations landmark_equations(const MemberPlan& plan, const LabelledRows& rows, const Run& run) {
  std::vector<Index> chosen = Random(plan.seed, RandomStream::centres).permutation(rows.rows());
  chosen.resize(at(std::min(plan.size, rows.rows())));
  std::sort(chosen.begin(), chosen.end());
  return {plan.kernel(), plan.transform, gather_columns(rows.x, chosen), rows.outputs(), run};
}

Member solve_member(const MemberPlan& plan, const LandmarkEquations& equations) {
  Member member{plan.name(), 1, plan.transform, {}, {}};
  double lambda = plan.lambda;
  for (int attempt = 0; attempt < kAttempts; ++attempt, lambda *= 10)
    if (std::optional<KernelFit> fit = equations.solve(lambda)) {
      member.leaves.push_back(make_leaf(plan.kernel(), equations.landmarks(), *std::move(fit)));
      return member;
    }
  member.leaves.push_back({FeatureMap::from_parts({}, Inputs::plain(equations.landmarks().rows())),
                           Matrix(0, static_cast<Index>(equations.target_means().size())), equations.target_means()});
  return member;
}

Matrix member_predictions(std::span<const Member> members, View<const double> x, const Run& run) {
  Matrix scores(x.cols, static_cast<Index>(members.front().leaves.front().intercepts.size()));
  add_member_scores(members, x, scores, run);
  return scores;
}

LabelledRows residuals(const LabelledRows& rows, std::span<const Member> members, const Run& run) {
  LabelledRows left = rows;
  const Matrix scores = member_predictions(members, rows.x, run);
  for (Index k = 0; k < scores.rows() * scores.cols(); ++k) left.y.data()[k] -= scores.data()[k];
  return left;
}

}  // namespace weft::detail
