// Members of a model from a plan: a kernel on transformed inputs, fitted exactly in the leaves of a tree, or on
// landmarks.
#pragma once

#include "methods/local/kernel_equations.hpp"
#include "methods/local/relevance.hpp"

#include <weft/member.hpp>

#include <cstdint>

namespace weft::detail {

struct MemberPlan {
  enum class Shape { local, landmarks };

  KernelForm form = {};
  InputTransform transform = {};
  double bandwidth = 1;
  double lambda = 1e-2;    ///< on the diagonal of K
  bool mean_loss = false;  ///< λ multiplies the mean loss instead: the diagonal has it times the weight of the leaf
  Shape shape = Shape::local;
  Index size = 2000;  ///< most rows of a leaf, or landmarks
  Index variant = 0;  ///< of the tree
  std::uint64_t seed = 1;

  Kernel kernel() const { return form.kernel(bandwidth); }
  std::string name() const;  ///< "laplace, local"
};

/// Fits all rows. Equations that cannot be solved are given a larger λ.
Member fit_member(const MemberPlan& plan, const LabelledRows& rows, const Run& run);

/// Doubles of a local fit: the kernel matrices of the leaves that are solved at once.
double leaf_numbers(Index rows, Index leaf, const Run& run);

/// The equations of a plan with landmarks among these rows, before any are added.
LandmarkEquations landmark_equations(const MemberPlan& plan, const LabelledRows& rows, const Run& run);
/// The member of equations that all rows were added to.
Member solve_member(const MemberPlan& plan, const LandmarkEquations& equations);

/// Chooses bandwidth and λ by the held-out rows, near those of the plan: for a tree in some of its leaves, for
/// landmarks with some of the rows and of the landmarks. Returns the error there, which compares plans of one shape and
/// size.
double refine(MemberPlan& plan, const Fold& fold, const Run& run);

/// rows × outputs: what the members predict together for x, encoded inputs × rows.
Matrix member_predictions(std::span<const Member> members, View<const double> x, const Run& run);

/// y less what the members predict.
LabelledRows residuals(const LabelledRows& rows, std::span<const Member> members, const Run& run);

}  // namespace weft::detail
