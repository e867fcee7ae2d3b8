#include "methods/local/member_plan.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "distributed/dealt_work.hpp"
#include "methods/local/held_out.hpp"
#include "methods/local/row_tree.hpp"
#include "model/member_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr int kAttempts = 6;  // with ten times λ each

Leaf make_leaf(const Kernel& kernel, Matrix landmarks, KernelFit fit) {
  const Inputs inputs = Inputs::plain(landmarks.rows());
  return {FeatureMap::from_sections({kernel, std::move(landmarks)}, inputs), std::move(fit.coefficients),
          std::move(fit.intercepts)};
}

/// Σ w y / Σ w.
std::vector<double> mean_targets(const LabelledRows& rows) {
  std::vector<double> means(at(rows.outputs()));
  double total = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    total += rows.weight(i);
    for (Index o = 0; o < rows.outputs(); ++o) means[at(o)] += rows.weight(i) * rows.y(i, o);
  }
  for (double& mean : means) mean /= total;
  return means;
}

/// Mean targets alone, where nothing else can be solved.
Leaf constant_leaf(const LabelledRows& rows) {
  return {FeatureMap::from_parts({}, Inputs::plain(rows.x.rows())), Matrix(0, rows.outputs()), mean_targets(rows)};
}

double total_weight(const LabelledRows& rows) {
  double total = 0;
  for (Index i = 0; i < rows.rows(); ++i) total += rows.weight(i);
  return total;
}

/// The first solution of `solve`(K, λ), with λ ten times as large after each failure. K is computed again: a copy would
/// take twice the memory.
template <class Solve>
auto solve_leaf(const MemberPlan& plan, const LabelledRows& rows, const Run& run, Solve solve) {
  const Kernel kernel = plan.kernel();
  double lambda = plan.lambda * (plan.mean_loss ? total_weight(rows) : 1);
  for (int attempt = 1;; ++attempt, lambda *= 10) {
    DeviceMatrix<double> values = lower_kernel(kernel, rows.x, run);
    auto solution = solve(values, lambda);
    if (solution || attempt == kAttempts) return solution;
  }
}

/// rows.x: transformed inputs.
Leaf fit_leaf(const MemberPlan& plan, LabelledRows rows, const Run& run) {
  if (rows.rows() > plan.size) rows = merge_equal(rows);  // no input separates them
  auto fit = solve_leaf(plan, rows, run, [&](DeviceMatrix<double>& kernel, double lambda) {
    return solve_exact(kernel, rows.y, rows.weights, lambda, run.thread_count());
  });
  return fit ? make_leaf(plan.kernel(), std::move(rows.x), *std::move(fit)) : constant_leaf(rows);
}

struct HeldOutLeaf {
  Leaf leaf;
  Matrix held_scores;
};

Matrix leaf_predictions(Leaf leaf, const LabelledRows& rows, const Run& run) {
  const Member member{"", 1, {}, {}, {std::move(leaf)}};
  return member_predictions({&member, 1}, rows.x, run);
}

/// `rows`: those that are not held out before the others; `first_y`: their targets without the others.
HeldOutLeaf fit_leaf_with_held_out(const MemberPlan& plan, LabelledRows rows, Matrix first_y, const Run& run) {
  const Index first = first_y.rows();
  if (first <= plan.size) {
    auto both = solve_leaf(plan, rows, run, [&](DeviceMatrix<double>& kernel, double lambda) {
      return solve_with_held_out(kernel, rows.y, first_y, rows.weights, lambda, run.thread_count());
    });
    if (both) return {make_leaf(plan.kernel(), std::move(rows.x), std::move(both->fit)), std::move(both->held_scores)};
  }
  std::vector<Index> order(at(rows.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  LabelledRows before = rows.subset(std::span(order).first(at(first)));
  before.y = std::move(first_y);
  Leaf alone = fit_leaf(plan, std::move(before), run);
  const LabelledRows held = rows.subset(std::span(order).subspan(at(first)));
  return {fit_leaf(plan, merge_equal(rows), run), leaf_predictions(std::move(alone), held, run)};
}

/// One after the other in every input.
Matrix joined(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows(), a.cols() + b.cols());
  for (Index j = 0; j < a.rows(); ++j) std::copy_n(b.row(j), b.cols(), std::copy_n(a.row(j), a.cols(), result.row(j)));
  return result;
}

/// The rows of a fold, transformed, those that are held out last.
LabelledRows joined(const MemberPlan& plan, const Fold& fold) {
  LabelledRows all{joined(plan.transform.apply(fold.fit.x), plan.transform.apply(fold.held.x)),
                   Matrix(fold.fit.rows() + fold.held.rows(), fold.fit.outputs()), fold.fit.weights};
  std::copy_n(fold.held.y.data(), fold.held.y.rows() * all.outputs(),
              std::copy_n(fold.fit.y.data(), fold.fit.y.rows() * all.outputs(), all.y.data()));
  if (fold.fit.weights.empty() && !fold.held.weights.empty()) all.weights.assign(at(fold.fit.rows()), 1);
  if (!all.weights.empty())
    for (Index i = 0; i < fold.held.rows(); ++i) all.weights.push_back(fold.held.weight(i));
  return all;
}

void pack(const Leaf& leaf, Packer& packer) {
  const KernelSections* sections = leaf.map.sections();
  packer.add(leaf.map.inputs().columns()).add(sections != nullptr);
  if (sections != nullptr) packer.add(sections->landmarks);
  packer.add(leaf.coefficients).add(leaf.intercepts);
}

Leaf unpack_leaf(const MemberPlan& plan, Unpacker& unpacker) {
  const auto inputs = unpacker.number<Index>();
  Matrix landmarks;
  const auto has_landmarks = unpacker.number<bool>();
  if (has_landmarks) landmarks = unpacker.matrix();
  KernelFit fit{unpacker.matrix(), unpacker.numbers<double>()};
  if (has_landmarks) return make_leaf(plan.kernel(), std::move(landmarks), std::move(fit));
  return {FeatureMap::from_parts({}, Inputs::plain(inputs)), std::move(fit.coefficients), std::move(fit.intercepts)};
}

std::string to_bytes(const HeldOutLeaf& fitted) {
  Packer packer;
  pack(fitted.leaf, packer);
  return std::move(packer.add(fitted.held_scores)).bytes();
}

HeldOutLeaf from_bytes(const MemberPlan& plan, const std::string& bytes) {
  Unpacker unpacker(bytes);
  Leaf leaf = unpack_leaf(plan, unpacker);
  return {std::move(leaf), unpacker.matrix()};
}

/// `fit_one(k, run)` for every leaf, side by side by threads and processes.
template <class FitOne>
std::vector<HeldOutLeaf> fit_leaves(const MemberPlan& plan, Index leaves, const Run& run, Communicator* processes,
                                    FitOne fit_one) {
  std::vector<std::optional<HeldOutLeaf>> fitted(at(leaves));
  Run inner = run;
  if (leaves > 1) inner.threads = 1;
  const std::vector<Index> own = dealt_pieces(processes, leaves);
  parallel_for(static_cast<Index>(own.size()), run.thread_count(), [&](Index k) {
    run.check_cancelled();
    fitted[at(own[at(k)])] = fit_one(own[at(k)], inner);
  });
  exchange_results(processes, fitted, to_bytes, [&](const std::string& bytes) { return from_bytes(plan, bytes); });
  std::vector<HeldOutLeaf> all;
  for (std::optional<HeldOutLeaf>& leaf : fitted) all.push_back(*std::move(leaf));
  return all;
}

}  // namespace

std::string MemberPlan::name() const {
  if (shape == Shape::features) return form.name;
  return fmt::format("{}, {}{}", form.name, shape == Shape::local ? "local" : "landmarks",
                     logistic ? ", logistic" : "");
}

Member fit_member(const MemberPlan& plan, const LabelledRows& rows, const Run& run, Communicator* processes) {
  if (plan.shape == MemberPlan::Shape::landmarks) {
    LandmarkEquations equations = landmark_equations(plan, rows, run);
    equations.add(rows);
    return solve_member(plan, equations);
  }
  const LabelledRows own{plan.transform.apply(rows.x), rows.y, rows.weights};
  RowTree tree = grow_tree(own.x, plan.size, {plan.variant, plan.overlap, plan.seed});
  Member member{plan.name(), 1, plan.transform, std::move(tree.splits), {}};
  const auto leaves = static_cast<Index>(tree.leaves.size());
  for (HeldOutLeaf& fitted : fit_leaves(plan, leaves, run, processes, [&](Index k, const Run&inner) {
         return HeldOutLeaf{fit_leaf(plan, own.subset(tree.leaves[at(k)]), inner), Matrix()};
       }))
    member.leaves.push_back(std::move(fitted.leaf));
  return member;
}

HeldOutMember fit_with_held_out(const MemberPlan& plan, const Fold& fold, const Fold& targets, const Run& run,
                                Communicator* processes) {
  const LabelledRows all = joined(plan, targets);
  const Index first = fold.fit.rows();
  RowTree tree = grow_tree(all.x.view().col_range(0, first), plan.size, {plan.variant, plan.overlap, plan.seed});
  const std::vector<std::vector<Index>> held = tree.route(all.x.view().col_range(first, fold.held.rows()));
  const auto leaves = static_cast<Index>(tree.leaves.size());
  std::vector<HeldOutLeaf> fitted = fit_leaves(plan, leaves, run, processes, [&](Index k, const Run& inner) {
    std::vector<Index> rows = tree.leaves[at(k)];
    Matrix first_y(static_cast<Index>(rows.size()), all.outputs());
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::copy_n(fold.fit.y.row(rows[i]), all.outputs(), first_y.row(static_cast<Index>(i)));
    for (const Index i : held[at(k)]) rows.push_back(first + i);
    return fit_leaf_with_held_out(plan, all.subset(rows), std::move(first_y), inner);
  });
  HeldOutMember result{{plan.name(), 1, plan.transform, std::move(tree.splits), {}},
                       Matrix(fold.held.rows(), all.outputs())};
  for (std::size_t k = 0; k < fitted.size(); ++k) {
    for (std::size_t i = 0; i < held[k].size(); ++i)
      std::copy_n(fitted[k].held_scores.row(static_cast<Index>(i)), all.outputs(), result.held_scores.row(held[k][i]));
    result.member.leaves.push_back(std::move(fitted[k].leaf));
  }
  return result;
}

double leaf_numbers(Index rows, Index leaf, const Run& run) {
  const auto all = static_cast<double>(std::max<Index>(1, rows));
  const double searched = all - static_cast<double>(held_out_count(rows));
  const double largest = std::min(all, std::ceil(static_cast<double>(leaf) * all / searched));
  return std::min<double>(run.thread_count(), std::ceil(all / largest)) * largest * largest;
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
