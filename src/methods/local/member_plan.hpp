// Members of a model from a plan: a kernel on transformed inputs, fitted exactly in the leaves of a tree, or on
// landmarks.
#pragma once

#include "methods/local/kernel_equations.hpp"
#include "methods/local/relevance.hpp"

#include <weft/communicator.hpp>
#include <weft/member.hpp>

#include <cstdint>

namespace weft::detail {

struct MemberPlan {
  enum class Shape { local, landmarks, features };

  KernelForm form = {};
  InputTransform transform = {};
  double bandwidth = 1;
  double lambda = 1e-2;    ///< on the diagonal of K
  bool mean_loss = false;  ///< λ multiplies the mean loss instead: the diagonal has it times the weight of the leaf
  Shape shape = Shape::local;
  Index size = 2000;      ///< most rows of a leaf, landmarks, or random features
  Index variant = 0;      ///< of the tree
  double overlap = 0.5;   ///< likewise
  bool logistic = false;  ///< landmarks fitted to the log loss
  std::uint64_t seed = 1;

  Kernel kernel() const { return form.kernel(bandwidth); }
  std::string name() const;  ///< "laplace, local"
};

/// Fits all rows. Equations that cannot be solved are given a larger λ. Leaves are dealt out to the processes, where
/// there are several, here and below: collective.
Member fit_member(const MemberPlan& plan, const LabelledRows& rows, const Run& run, Communicator* processes = nullptr);

/// A member fitted to all rows of a fold, and what a fit without the held-out rows predicts for those.
struct HeldOutMember {
  Member member;
  Matrix held_scores;  ///< held-out rows × outputs
};

/// A local plan, at the cost of one factorisation per leaf. The tree is grown on the rows that are not held out, which
/// fill its leaves; held-out rows come on top. `targets`: what all rows are fitted to, where it differs from what the
/// rows that are not held out are fitted to alone.
HeldOutMember fit_with_held_out(const MemberPlan& plan, const Fold& fold, const Fold& targets, const Run& run,
                                Communicator* processes = nullptr);

/// Doubles of a local fit: the kernel matrices of the leaves that are solved at once, each of `leaf` rows and its share
/// of those that were held out.
double leaf_numbers(Index rows, Index leaf, const Run& run);

/// The equations of a plan with landmarks among these rows, before any are added.
LandmarkEquations landmark_equations(const MemberPlan& plan, const LabelledRows& rows, const Run& run);
/// The member of equations that all rows were added to.
Member solve_member(const MemberPlan& plan, const LandmarkEquations& equations);

/// Chooses bandwidth and λ of a local plan by the held-out rows of some of its leaves, near those of the plan.
void refine_local(MemberPlan& plan, const Fold& fold, const Run& run, Communicator* processes = nullptr);

/// rows × outputs: what the members predict together for x, encoded inputs × rows.
Matrix member_predictions(std::span<const Member> members, View<const double> x, const Run& run);

/// y less what the members predict.
LabelledRows residuals(const LabelledRows& rows, std::span<const Member> members, const Run& run);

}  // namespace weft::detail
