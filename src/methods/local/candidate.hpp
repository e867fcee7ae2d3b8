// Candidates of a portfolio: a fit by one plan, or by a global one and a local one of what it leaves. Each is fitted to
// all rows and comes with what the same fit without the held-out rows predicts for those.
#pragma once

#include "methods/local/member_plan.hpp"

namespace weft::detail {

struct LearnedForm;

struct MemberCandidate {
  std::vector<MemberPlan> plans;         ///< each is fitted to the residuals of those before it
  std::vector<Member> members;           ///< one per plan, fitted to all rows; empty: given up
  Matrix held_scores;                    ///< of all held-out rows × outputs
  double error = 0;                      ///< mean squared, in units of the targets' variance
  double seconds = 0;                    ///< of a fit
  const LearnedForm* learned = nullptr;  ///< what its last plan is made from
  bool outgrown = false;                 ///< there is one with larger leaves
  std::optional<Member> searched = {};   ///< a global plan fitted to the rows that are not held out

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
  double error = 0;             ///< of all held-out rows; all rows and landmarks leave less
  double expected_seconds = 0;  ///< of the fit
};

/// What the user gave, and is not searched: the bandwidth, λ of the mean loss, and the overlap of leaves.
struct FixedNumbers {
  std::optional<double> bandwidth = {};
  std::optional<double> lambda = {};
  double overlap = 0.5;
};

/// Forms that candidates are made from must outlive them.
class CandidateFits {
 public:
  /// All must outlive it. `searched`: the rows per fold that relevance was learned from; a fit to more rows chooses its
  /// own bandwidth and λ.
  CandidateFits(const LabelledRows& all, std::span<const Fold> split, Index searched, std::uint64_t seed,
                const Run& run, Communicator* processes = nullptr)
      : all_(all), split_(split), searched_(searched), seed_(seed), run_(run), processes_(processes) {}

  /// `like`: a candidate whose bandwidth and λ are taken over.
  MemberCandidate local(const LearnedForm& learned, Index leaf, Index variant, const MemberCandidate* like,
                        const FixedNumbers& fixed = {}) const;
  MemberCandidate global(const LearnedForm& learned, Index landmarks, const FixedNumbers& fixed = {}) const;
  /// The one with the smallest error, of those that there is time for: the first at least. There must be one. Those
  /// that are far above `too_large` on few rows and landmarks are not tried with more.
  GlobalTrial best_trial(std::span<const LearnedForm* const> learned, Index landmarks, double too_large,
                         double max_seconds) const;
  MemberCandidate global(GlobalTrial trial) const;
  /// Local models of what a global candidate leaves.
  MemberCandidate local_after(const MemberCandidate& global, const LearnedForm& learned, Index leaf, Index variant,
                              const MemberCandidate* like, const FixedNumbers& fixed = {}) const;

 private:
  MemberPlan plan(const LearnedForm& learned, MemberPlan::Shape shape, Index size) const;
  /// Bandwidth and λ: those of `like`, or searched where the fold has more rows than relevance was learned from.
  void choose_numbers(MemberPlan& plan, const MemberCandidate* like, const Fold& fold, const FixedNumbers& fixed) const;

  const LabelledRows& all_;
  std::span<const Fold> split_;
  Index searched_;
  std::uint64_t seed_;
  const Run& run_;
  Communicator* processes_;  // that share the leaves out; null: there are no others
};

}  // namespace weft::detail
