// What sfgd and optimal-step share: one stream of features, batches of rows, predictions kept or recomputed,
// limits, checkpoints and the report. The algorithms themselves are step rules.
//
// Minimised: (Σ w_i ℓ(f(x_i), y_i)) / (Σ w_i) + λ‖α‖²_H (or L²(p)), f = intercept + Σ_t a_t Φ_t; for maps without any
// weight kernel the second term is λT Σ_t a_t² (fit/penalty.hpp).
#pragma once

#include "core/random.hpp"
#include "core/stopwatch.hpp"
#include "methods/descent/iterate.hpp"
#include "methods/problem.hpp"
#include "objective/loss.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::detail {

/// all_rows: every new feature is evaluated on all m rows, O(mnT) in all. batches: f is recomputed from all features so
/// far at the rows of each batch, O(bnT²). automatic: whichever is less work.
enum class Predictions { automatic, all_rows, batches };

struct DescentPlan {
  std::string name;      ///< of the method
  Index iterations = 0;  ///< these four as in the method's options
  Index batch = 1;
  std::string checkpoint = {};
  bool resume = false;
  Index features_per_step = 1;       ///< c
  bool square_integrable = false;    ///< the norm is that of L²(p)
  bool all_rows_when_small = false;  ///< a batch of at least m rows is the m rows, in order, instead of a draw
  Predictions predictions = Predictions::automatic;
};

/// One step t = 1, 2, …: its features and its batch, as rows of the pool.
struct Step {
  Index number;
  Index first;  ///< position of the first new feature in the stream
  Index count;
  const std::vector<Index>& batch;
};

class Descent {
 public:
  using Rule = std::function<void(Descent&, const Step&)>;
  /// The rows must be in memory: check_rows().
  Descent(const Problem& problem, const Loss& loss, DescentPlan plan);

  /// Steps until the features, the iterations or the time are used up. False when the iterates overflowed.
  bool run(const Rule& rule);
  /// The average of all iterates or the last one, with the report that belongs to it.
  /// nullopt where the coefficients overflow: those of a checkpoint may be as large as numbers get.
  std::optional<FitResult> result(bool average) const;

  // For rules. Rows are those of the pool.
  const Problem& problem() const { return problem_; }
  const Loss& loss() const { return loss_; }
  const FeatureStream& stream() const { return stream_; }
  Iterate& iterate() { return iterate_; }
  const GramRows& gram() const { return gram_; }
  double f(Index output, Index row) const {
    return iterate_.intercepts()[static_cast<std::size_t>(output)] + amplitude_ * iterate_.prediction(output, row);
  }
  double y(Index output, Index row) const { return pool_y_(output, row); }
  double weight(Index row) const { return pool_weights_ == nullptr ? 1.0 : pool_weights_[row]; }  ///< mean 1 over all
  View<const double> x() const { return pool_x_; }
  /// The feature's smoothings on the pool.
  const double* smoothing(Index position) const;
  void multiply(Index output, double factor) { iterate_.multiply(output, factor); }
  void add(Index output, Index position, double b);

 private:
  void check_memory() const;
  void keep_all_rows();
  void gather_batches(Index first_step, Index steps);
  void predict_pool();
  void prepare(const FeatureChunk& chunk);
  void draw_batch(Index step, Index steps_before);
  Index steps_of(const FeatureChunk& chunk) const;
  void save(Index step) const;
  Index resume();

  const Problem& problem_;
  Loss loss_;
  DescentPlan plan_;
  const TrainingBlock& rows_;
  std::vector<double> weights_;  ///< divided by their mean; empty when all are 1
  Index batch_;
  bool full_batch_;
  bool all_rows_;
  FeatureStream stream_;
  Index steps_;
  Random random_;
  Iterate iterate_;
  double amplitude_;  ///< exp(stream.log_scale())
  std::string digest_;

  // The pool: all rows, or the rows of all batches of the current chunk.
  View<const double> pool_x_;
  View<const double> pool_y_;
  const double* pool_weights_ = nullptr;
  Matrix gathered_x_;
  Matrix gathered_y_;
  std::vector<double> gathered_weights_;

  const FeatureChunk* chunk_ = nullptr;
  Matrix smoothings_;
  GramRows gram_;
  std::vector<Index> batch_rows_;
  Index done_ = 0;
  std::string stopped_;
  Stopwatch clock_;
};

/// Whether some part of the map has a weight kernel: the penalty is then λ‖α‖²_H, else λT‖a‖² (fit/penalty.hpp).
bool has_kernel(const FeatureMap& map);
/// Throws where the rows are not held in memory, saying how much that needs.
void check_rows(const Problem& problem, const std::string& fit);
/// Both methods descend in the RKHS of the map, optimal-step in L²(p) as well: throws where another regularizer is
/// requested. True: the norm is that of L²(p).
bool square_integrable(const Problem& problem, Regularizer regularizer, bool may_be);

/// The plan of a method's own options.
template <class Own>
DescentPlan descent_plan(const std::string& name, const Own& own) {
  return {name, own.iterations, own.batch, own.checkpoint, own.resume};
}
/// Throws: the iterates of `fit` overflowed, with what helps.
[[noreturn]] void throw_diverged(const std::string& fit, double lambda, const std::string& hint);

}  // namespace weft::detail
