#include "prune/member_pruning.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "data/rows/training_rows.hpp"
#include "methods/local/kernel_equations.hpp"
#include "prune/acceptance.hpp"
#include "prune/prediction_times.hpp"
#include "sampling/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr double kPenalty = 1e-3;   // on the diagonal of K: kernel values of the equations are in single precision
constexpr int kHalvings = 7;        // of the share of landmarks, as long as the rule accepts
constexpr int kBisections = 4;      // between a share that was accepted and one that was not
constexpr std::uint64_t kSeed = 1;  // of the pivots

/// A leaf with its landmarks in the order in which they are kept, and what it predicts for them.
struct OrderedLeaf {
  Leaf* leaf;
  std::vector<Index> order;
  Matrix values;  // landmarks × outputs
};

OrderedLeaf ordered(Leaf& leaf, const Run& run) {
  const KernelSections& sections = *leaf.map.sections();
  OrderedLeaf result{&leaf, pivoted_cholesky(sections.kernel, sections.landmarks, sections.count(), kSeed, run).pivots,
                     Matrix(sections.count(), leaf.coefficients.cols())};
  for (Index i = 0; i < result.values.rows(); ++i)
    std::copy(leaf.intercepts.begin(), leaf.intercepts.end(), result.values.row(i));
  cpu().multiply(1, sections.kernel.gram(sections.landmarks, run), leaf.coefficients, 1, result.values);
  return result;
}

/// The leaf with this share of its landmarks; the leaf itself where its equations cannot be solved.
Leaf shrunk(const OrderedLeaf& from, double share, const Run& run) {
  const KernelSections& sections = *from.leaf->map.sections();
  const auto wanted = static_cast<Index>(std::ceil(share * static_cast<double>(sections.count())));
  const Index count = std::clamp<Index>(wanted, 1, static_cast<Index>(from.order.size()));
  std::vector<Index> kept(from.order.begin(), from.order.begin() + count);
  std::sort(kept.begin(), kept.end());
  KernelSections few = sections.subset(kept);
  LandmarkEquations equations(few.kernel, {}, few.landmarks, from.values.cols(), run);
  equations.add({sections.landmarks, from.values, {}});
  std::optional<KernelFit> fit = equations.solve(kPenalty);
  if (!fit) return *from.leaf;
  const Inputs inputs = from.leaf->map.inputs();
  return {FeatureMap::from_sections(std::move(few), inputs), std::move(fit->coefficients), std::move(fit->intercepts)};
}

Index landmarks_of(const std::vector<Member>& members) {
  Index total = 0;
  for (const Member& member : members) total += member.features();
  return total;
}

void check(const PruneOptions& options, Task task) {
  const auto refuse = [](const char* field, const char* hint) {
    throw Error(ErrorKind::option, "a sum of members has no weight function to bound", option_mark(field), hint);
  };
  if (options.accept == AcceptRule::norm || options.accept == AcceptRule::bound) refuse("accept", "use risk or error");
  check_error_rate(options.accept, task);
  if (options.method == PruneMethod::weights) refuse("method", "use predictions, or leave it out");
  if (options.refit == PruneRefit::least_squares || options.refit == PruneRefit::none)
    throw Error(ErrorKind::option, "leaves of a sum of members are projected", "‹refit›",
                "use projection, or leave it out");
}

class MemberPruning {
 public:
  MemberPruning(const Model& model, const Data& data, const PruneOptions& options, double epsilon, const Run& run)
      : model_(model),
        data_(data),
        features_(options.features),
        epsilon_(epsilon),
        accept_(options.accept != AcceptRule::automatic   ? options.accept
                : model.target().task == Task::regression ? AcceptRule::risk
                                                          : AcceptRule::error),
        run_(run),
        members_(model.parts().members),
        before_(evaluate(model, data, run)) {
    for (Member& member : members_)
      for (Leaf& leaf : member.leaves)
        if (leaf.map.sections() != nullptr && leaf.map.features() > 1) leaves_.push_back({&leaf, {}, {}});
    if (leaves_.empty())
      throw Error(ErrorKind::model, "this sum of members has no landmarks, only random features or constants", {},
                  "train with ‹fit› least-squares: its features can be pruned");
    each_leaf([&](std::size_t k, const Run& inner) { leaves_[k] = ordered(*leaves_[k].leaf, inner); });
  }

  PruneResult result() {
    search();
    PruneResult result{.model = taken_ ? *taken_ : model_};
    result.method = PruneMethod::predictions;
    result.accept = accept_;
    result.refit = PruneRefit::projection;
    if (!features_) result.epsilon = epsilon_;
    result.features_before = landmarks_of(model_.parts().members);
    result.features_after = landmarks_of(result.model.parts().members);
    result.train_before = before_;
    result.train_after = taken_ ? evaluate(*taken_, data_, run_) : before_;
    if (!taken_) result.notes.emplace_back("no smaller share of landmarks was accepted: the model is unchanged");
    result.path = std::move(path_);
    const auto rows = training_rows(model_.parts().encoder, data_, ClassWeighting::none,
                                    std::numeric_limits<double>::infinity(), run_, before_.rows);
    const PredictionTimes times = prediction_times(model_.parts(), result.model.parts(), *rows, run_);
    result.seconds_before = times.before;
    result.seconds_after = times.after;
    return result;
  }

 private:
  void search() {
    const auto total = static_cast<double>(landmarks_of(members_));
    if (features_) {
      // Every leaf keeps one landmark at least and rounds up.
      const auto leaves = static_cast<double>(leaves_.size());
      const double share = (static_cast<double>(*features_) - leaves) / total;
      if (share <= 0)
        throw Error(ErrorKind::option, fmt::format("the {} leaves keep a landmark each", leaves_.size()), "‹features›",
                    "ask for more");
      attempt(share);
      return;
    }
    double smallest = 1, rejected = 0;
    for (int k = 0; k < kHalvings && rejected == 0 && !run_.out_of_time(); ++k)
      (attempt(smallest / 2) ? smallest : rejected) = smallest / 2;
    for (int k = 0; k < kBisections && rejected > 0 && !run_.out_of_time(); ++k) {
      const double between = std::sqrt(smallest * rejected);
      (attempt(between) ? smallest : rejected) = between;
    }
  }

  bool attempt(double share) {
    run_.check_cancelled();
    run_.report("shares of landmarks", static_cast<double>(path_.size()), kHalvings + kBisections);
    std::vector<std::optional<Leaf>> small(leaves_.size());
    each_leaf([&](std::size_t k, const Run& inner) { small[k] = shrunk(leaves_[k], share, inner); });
    std::vector<Leaf> whole;
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      whole.push_back(std::move(*leaves_[k].leaf));
      *leaves_[k].leaf = *std::move(small[k]);
    }
    ModelParts parts = model_.parts();
    parts.conformity = {};  // of other predictions
    parts.members = members_;
    for (std::size_t k = 0; k < leaves_.size(); ++k) *leaves_[k].leaf = std::move(whole[k]);
    const Index kept = landmarks_of(parts.members);
    parts.report.set("features_before", static_cast<double>(landmarks_of(model_.parts().members)));
    parts.report.set("pruned_by", fmt::format("landmarks, {}", name_of(accept_)));
    Model model(std::move(parts));
    const double value = increase(evaluate(model, data_, run_));
    const bool accepted = features_.has_value() || value <= epsilon_;
    path_.push_back({share, kept, value, accepted});
    if (accepted) taken_ = std::move(model);
    return accepted;
  }

  /// Of the error, or of the squared error in units of the target's variance.
  double increase(const Evaluation& after) const {
    if (accept_ == AcceptRule::error) return after.error.value() - before_.error.value();
    return before_.r2 && after.r2 ? *before_.r2 - *after.r2 : after.mse.value() - before_.mse.value();
  }

  template <class Body>
  void each_leaf(Body body) {
    Run inner = run_;
    if (leaves_.size() > 1) inner.threads = 1;
    const auto count = static_cast<Index>(leaves_.size());
    if (count == 1) return body(0, inner);
    parallel_for(count, run_.thread_count(), [&](Index k) { body(at(k), inner); });
  }

  const Model& model_;
  const Data& data_;
  std::optional<Index> features_;
  double epsilon_;
  AcceptRule accept_;
  const Run& run_;
  std::vector<Member> members_;  // leaves are exchanged for smaller ones while a share is tried
  Evaluation before_;
  std::vector<OrderedLeaf> leaves_;
  std::vector<PruneStep> path_;
  std::optional<Model> taken_;
};

}  // namespace

PruneResult prune_members(const Model& model, const Data& data, const PruneOptions& options, double epsilon,
                          const Run& run) {
  check(options, model.target().task);
  return MemberPruning(model, data, options, epsilon, run).result();
}

}  // namespace weft::detail
