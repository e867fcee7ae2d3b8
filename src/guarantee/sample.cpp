#include "guarantee/sample.hpp"

#include "data/rows/training_rows.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

bool plain(const FeaturePart& part) {
  return part.family.kernel.none();
}

/// Targets of one output, and the sum of its losses.
struct OutputSums {
  std::vector<double> targets;
  double loss = 0;
  double fitted_square = 0;

  void add(const Loss& measure, double score, double target, double intercept) {
    targets.push_back(target);
    loss += measure.value(score, target);
    fitted_square += (score - intercept) * (score - intercept);
  }

  OutputSample finish(const Loss& measure, bool classes, double intercept) const {
    const auto rows = static_cast<Index>(targets.size());
    const double constant = measure.best_constant(rows, targets.data(), nullptr);
    OutputSample result{.train_loss = loss / static_cast<double>(rows),
                        .fitted_square = fitted_square / static_cast<double>(rows)};
    for (const double y : targets) {
      result.trivial_loss += measure.value(constant, y) / static_cast<double>(rows);
      result.target_square += (y - intercept) * (y - intercept) / static_cast<double>(rows);
    }
    const auto [low, high] = std::minmax_element(targets.begin(), targets.end());
    // Both classes exist whether or not these rows hold both.
    result.target_centre = classes ? 0 : *low + (*high - *low) / 2;
    result.target_radius = classes ? 1 : (*high - *low) / 2;
    return result;
  }
};

/// Keeps the larger of two constants; a constant that is infinite for one block stays absent.
void keep_larger(std::optional<double>& largest, const std::optional<double>& next) {
  if (largest && next)
    *largest = std::max(*largest, *next);
  else
    largest.reset();
}

/// √(a² + b²), absent where one of them is.
void add_square(std::optional<double>& sum, const std::optional<double>& term) {
  if (sum && term)
    *sum = std::hypot(*sum, *term);
  else
    sum.reset();
}

/// The root of a mean of squares over blocks of rows.
class RootMean {
 public:
  void add(const std::optional<double>& mean, Index rows) {
    const double count = std::sqrt(static_cast<double>(rows));
    add_square(root_, mean ? std::optional(*mean * count) : mean);
    rows_ += static_cast<double>(rows);
  }
  std::optional<double> value() const { return root_ ? std::optional(*root_ / std::sqrt(rows_)) : root_; }

 private:
  std::optional<double> root_ = 0.0;
  double rows_ = 0;
};

/// The constants of every family over the blocks so far. Suprema are taken per family, then squares add.
class FamilyConstants {
 public:
  explicit FamilyConstants(const FeatureMap& map) {
    for (const FeaturePart& part : map.parts()) {
      families_.push_back(FeatureMap::from_parts({part}, map.inputs()));
      largest_.push_back({0.0, 0.0, 0.0, 0.0, {}});
    }
    theta_means_.resize(families_.size());
    tau_means_.resize(families_.size());
  }

  void add(View<const double> x, const Run& run) {
    for (std::size_t p = 0; p < families_.size(); ++p) {
      const Constants next = families_[p].constants(x, run);
      keep_larger(largest_[p].theta_bound, next.theta_bound);
      keep_larger(largest_[p].theta, next.theta);
      keep_larger(largest_[p].kappa, next.kappa);
      largest_[p].tau = std::max(largest_[p].tau, next.tau);
      theta_means_[p].add(next.theta_mean, x.cols);
      tau_means_[p].add(next.tau_mean, x.cols);
      if (!next.note.empty()) note_ = next.note;
    }
  }

  Constants total() const {
    Constants sum{0.0, 0.0, 0.0, 0.0, note_, 0.0, 0.0};
    for (std::size_t p = 0; p < families_.size(); ++p) {
      add_square(sum.theta_bound, largest_[p].theta_bound);
      add_square(sum.theta, largest_[p].theta);
      add_square(sum.kappa, largest_[p].kappa);
      sum.tau = std::hypot(sum.tau, largest_[p].tau);
      add_square(sum.theta_mean, theta_means_[p].value());
      add_square(sum.tau_mean, tau_means_[p].value());
    }
    return sum;
  }

 private:
  std::vector<FeatureMap> families_;
  std::vector<Constants> largest_;
  std::vector<RootMean> theta_means_, tau_means_;
  std::string note_;
};

/// √((1/T)Σ_t φ(w_t, x)²), its supremum and its mean.
class CentreConstants {
 public:
  explicit CentreConstants(const FeatureMap& map) : map_(map) {}

  void add(View<const double> x, const Run& run) {
    phi_.reshape(map_.features(), x.cols);
    map_.smoothings(x, phi_.view(), run);
    double total = 0;
    for (Index i = 0; i < x.cols; ++i) {
      double sum = 0;
      for (Index t = 0; t < phi_.rows(); ++t) sum += phi_(t, i) * phi_(t, i);
      largest_ = std::max(largest_, sum);
      total += sum;
    }
    mean_.add(std::sqrt(total / static_cast<double>(x.cols)), x.cols);
  }

  Constants total() const {
    const double factor = 1 / std::sqrt(static_cast<double>(map_.features()));
    Constants constants;
    constants.tau = factor * std::sqrt(largest_);
    constants.tau_mean = factor * mean_.value().value_or(0);
    constants.note = "plain features have no weight kernel, hence neither theta nor kappa";
    return constants;
  }

 private:
  const FeatureMap& map_;
  Matrix phi_;
  double largest_ = 0;
  RootMean mean_;
};

/// θ² = sup k(x, x) of a kernel machine.
class KernelConstants {
 public:
  explicit KernelConstants(const FeatureMap& map) : map_(map) {}

  void add(View<const double> x, const Run& run) {
    const Constants here = map_.constants(x, run);
    if (here.theta && (!largest_.theta || *here.theta > *largest_.theta)) largest_.theta = here.theta;
    mean_.add(here.theta_mean, x.cols);
    largest_.theta_mean = mean_.value();
    largest_.note = here.note;
  }

  Constants total() const { return largest_; }

 private:
  const FeatureMap& map_;
  Constants largest_;
  RootMean mean_;
};

template <class Kind>
Constants over_blocks(const Model& model, const Data& data, const Run& run) {
  Kind constants(model.parts().map);
  const auto reader = model.parts().encoder.open(data, false, run);
  for (Block block; reader->next(block, kBlockRows);) {
    run.check_cancelled();
    constants.add(block.x, run);
    const auto done = static_cast<double>(block.first_row + block.rows());
    const double fraction = reader->fraction();
    run.report("constants", done, fraction > 0 ? done / fraction : 0);
  }
  return constants.total();
}

}  // namespace

void check_unweighted(const Data& data) {
  if (!data.options().weights.empty())
    throw Error(ErrorKind::option, "guarantees are not available for weighted rows", "‹weights›", "leave it out");
}

double Sample::mean(double OutputSample::*member) const {
  double sum = 0;
  for (const OutputSample& output : outputs) sum += output.*member;
  return sum / static_cast<double>(outputs.size());
}

bool all_plain(const FeatureMap& map) {
  return map.sections() == nullptr && std::all_of(map.parts().begin(), map.parts().end(), plain);
}

bool some_plain(const FeatureMap& map) {
  return std::any_of(map.parts().begin(), map.parts().end(), plain);
}

std::optional<std::vector<double>> square_integrable_norms(const Model& model, const Run& run) {
  if (!all_plain(model.parts().map)) return model.l2p_norms(run);
  const Matrix& b = model.parts().coefficients;
  std::vector<double> norms;
  for (Index k = 0; k < b.cols(); ++k) {
    double norm = 0;
    for (Index t = 0; t < b.rows(); ++t) norm = std::hypot(norm, b(t, k));
    norms.push_back(std::sqrt(static_cast<double>(b.rows())) * norm);
  }
  return norms;
}

Sample measure_sample(const Model& model, const Data& data, const Loss& loss, const Run& run) {
  check_unweighted(data);
  const bool classes = model.target().task != Task::regression;
  const Index outputs = model.outputs();
  const std::vector<double>& intercepts = model.parts().intercepts;
  std::vector<OutputSums> sums(static_cast<std::size_t>(outputs));
  model.for_each_prediction(
      data, {.with_targets = true},
      [&](const PredictionBlock& block) {
        for (Index i = 0; i < block.rows(); ++i)
          for (Index k = 0; k < outputs; ++k) {
            const double target =
                classes ? class_code(static_cast<Index>(block.targets(i, 0)), k, outputs) : block.targets(i, k);
            sums[static_cast<std::size_t>(k)].add(loss, block.scores(i, k), target,
                                                  intercepts[static_cast<std::size_t>(k)]);
          }
      },
      run);
  Sample sample{.rows = static_cast<Index>(sums.front().targets.size()), .outputs = {}};
  if (sample.rows == 0)
    throw Error(ErrorKind::data, "there are no rows to certify on", data.name(), "give the training rows");
  for (std::size_t k = 0; k < sums.size(); ++k) sample.outputs.push_back(sums[k].finish(loss, classes, intercepts[k]));
  return sample;
}

Constants sample_constants(const Model& model, const Data& data, const Run& run) {
  if (model.parts().map.sections() != nullptr) return over_blocks<KernelConstants>(model, data, run);
  return all_plain(model.parts().map) ? over_blocks<CentreConstants>(model, data, run)
                                      : over_blocks<FamilyConstants>(model, data, run);
}

}  // namespace weft::detail
