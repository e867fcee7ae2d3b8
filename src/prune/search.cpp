#include "prune/search.hpp"

#include <cmath>

namespace weft::detail {

namespace {

constexpr int kTogether = 8;    // λs that share a pass over the rows
constexpr double kStep = 0.25;  // decades between two λs
constexpr double kDecades = 8;  // below λ_max; nothing is removed there any more
constexpr double kResolution = 1.005;
constexpr double kBelowMax = 0.999;  // of λ_max: the first λ leaves the first feature

struct Attempt {
  PruneStep step;
  Matrix shares;
  Pruned pruned;
};

class LassoSearch {
 public:
  LassoSearch(const WeightPath& path, const Acceptance& acceptance, const PruneGoal& goal,
              const std::function<Pruned(const Matrix&)>& make, const Run& run)
      : path_(path), acceptance_(acceptance), goal_(goal), make_(make), run_(run) {}

  LassoChoice find() {
    const double top = path_.lambda_max();
    for (double decades = 0; !dense_ && decades < kDecades && !out_of_time();) {
      std::vector<double> lambdas;
      for (int k = 0; k < kTogether; ++k, decades += kStep)
        lambdas.push_back(top * (decades == 0 ? kBelowMax : std::pow(10.0, -decades)));
      attempt(lambdas);
    }
    while (sparse_ && dense_ && between() > kResolution && dense_->step.kept - sparse_->step.kept > 1 &&
           !out_of_time()) {
      std::vector<double> lambdas;
      for (int k = 1; k < kTogether; ++k)
        lambdas.push_back(sparse_->step.lambda * std::pow(between(), -static_cast<double>(k) / kTogether));
      attempt(lambdas);
    }
    std::optional<Attempt>& taken = goal_.features ? sparse_ : dense_;
    if (taken) {
      result_.taken = taken->step;
      result_.pruned = std::move(taken->pruned);
    }
    return std::move(result_);
  }

 private:
  bool out_of_time() const {
    run_.check_cancelled();
    return run_.out_of_time();
  }

  double between() const { return sparse_->step.lambda / dense_->step.lambda; }

  /// Descending λs, all between sparse_ and dense_.
  void attempt(const std::vector<double>& lambdas) {
    std::vector<Attempt> attempts;
    std::vector<Pruned> models;
    for (const double lambda : lambdas) {
      const Matrix& start = !attempts.empty() ? attempts.back().shares : sparse_ ? sparse_->shares : empty_;
      Matrix shares = path_.solve(lambda, start, run_);
      models.push_back(make_(shares));
      const auto kept = static_cast<Index>(used_features(models.back().coefficients).size());
      attempts.push_back({{lambda, kept, 0, false}, std::move(shares), {}});
      run_.report("lasso", static_cast<double>(attempts.size()), static_cast<double>(lambdas.size()));
    }
    const std::vector<double> values = acceptance_.values(models, run_);
    for (std::size_t k = 0; k < attempts.size(); ++k) {
      PruneStep& step = attempts[k].step;
      step.value = values[k];
      step.accepted = goal_.features ? step.kept <= *goal_.features : step.value <= goal_.epsilon;
      result_.steps.push_back(step);
    }
    for (std::size_t k = 0; k < attempts.size(); ++k) {
      attempts[k].pruned = std::move(models[k]);
      const bool dense = attempts[k].step.accepted != goal_.features.has_value();
      (dense ? dense_ : sparse_) = std::move(attempts[k]);
      if (dense) return;
    }
  }

  const WeightPath& path_;
  const Acceptance& acceptance_;
  PruneGoal goal_;
  const std::function<Pruned(const Matrix&)>& make_;
  const Run& run_;
  const Matrix empty_;
  std::optional<Attempt> sparse_;  // the smallest λ that is still too sparse for ε, or within the number of features
  std::optional<Attempt> dense_;   // the next one that is not
  LassoChoice result_;
};

}  // namespace

LassoChoice choose_lasso(const WeightPath& path, const Acceptance& acceptance, const PruneGoal& goal,
                         const std::function<Pruned(const Matrix&)>& make, const Run& run) {
  return LassoSearch(path, acceptance, goal, make, run).find();
}

}  // namespace weft::detail
