// Candidates of a portfolio: one plan, or a global one and a local one of what it leaves, with predictions of the rows
// that were held out.
#pragma once

#include "methods/local/member_plan.hpp"

#include <memory>

namespace weft::detail {

struct LearnedForm;

struct MemberCandidate {
  std::vector<MemberPlan> plans;         ///< each is fitted to the residuals of those before it
  Matrix held_scores;                    ///< of all held-out rows × outputs
  double error = 0;                      ///< mean squared, in units of the targets' variance
  double seconds = 0;                    ///< of a fit
  const LearnedForm* learned = nullptr;  ///< what its last plan is made from
  /// Of a global plan, with the fold's rows; refits add the held-out ones. A local candidate after it shares them.
  std::shared_ptr<LandmarkEquations> equations;

  std::string name() const;
};

/// What a kernel has learned, and from how many rows.
struct LearnedForm {
  KernelForm form;
  RelevanceStep step;
};

/// Bandwidth and λ of a global kernel, chosen on part of the rows and landmarks.
struct GlobalTrial {
  MemberPlan plan;
  const LearnedForm* learned = nullptr;
  double error = 0;  ///< of all held-out rows; all rows and landmarks leave less
};

/// What the user gave, and is not searched: the bandwidth, and λ of the mean loss.
struct FixedNumbers {
  std::optional<double> bandwidth = {};
  std::optional<double> lambda = {};
};

/// Forms that candidates are made from must outlive them.
class CandidateFits {
 public:
  /// All must outlive it. `searched`: the rows per fold that relevance was learned from; a fit to more rows chooses its
  /// own bandwidth and λ.
  CandidateFits(std::span<const Fold> split, Index searched, std::uint64_t seed, const Run& run)
      : split_(split), searched_(searched), seed_(seed), run_(run) {}

  /// `like`: a candidate whose bandwidth and λ are taken over.
  MemberCandidate local(const LearnedForm& learned, Index leaf, Index variant, const MemberCandidate* like,
                        const FixedNumbers& fixed = {}) const;
  MemberCandidate global(const LearnedForm& learned, Index landmarks, const FixedNumbers& fixed = {}) const;
  /// The one with the smallest error. There must be at least one form.
  GlobalTrial best_trial(std::span<const LearnedForm> learned, Index landmarks) const;
  MemberCandidate global(GlobalTrial trial) const;
  /// Local models of what a global candidate leaves.
  MemberCandidate local_after(const MemberCandidate& global, const LearnedForm& learned, Index leaf, Index variant,
                              const MemberCandidate* like, const FixedNumbers& fixed = {}) const;

  /// The members, fitted to all rows: those of the folds and their held-out rows.
  std::vector<Member> refit(MemberCandidate& candidate, const LabelledRows& all) const;

  /// Of predictions of all held-out rows.
  double error(const Matrix& held_scores) const;

 private:
  MemberPlan plan(const LearnedForm& learned, MemberPlan::Shape shape, Index size) const;
  /// Bandwidth and λ: those of `like`, or searched where the fold has more rows than relevance was learned from.
  void choose_numbers(MemberPlan& plan, const MemberCandidate* like, const Fold& fold, const FixedNumbers& fixed) const;

  std::span<const Fold> split_;
  Index searched_;
  std::uint64_t seed_;
  const Run& run_;
};

}  // namespace weft::detail
