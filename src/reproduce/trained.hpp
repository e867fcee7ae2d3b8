// One model on one split: searched or fitted as told, tested, timed.
#pragma once

#include <weft/fit.hpp>
#include <weft/model.hpp>
#include <weft/tune.hpp>

#include "core/json_text.hpp"
#include "reproduce/experiment.hpp"

namespace weft {

struct Trained {
  Model model;
  Evaluation train;
  Evaluation test;
  double fit_seconds = 0;      ///< encoding, features and fit
  double predict_seconds = 0;  ///< of the test rows
};

Trained train_and_test(const DataSplit& data, const FamilyOptions& family, const FitOptions& fit,
                       const EncodeOptions& encode, const Run& run);

/// What the papers call a model's loss: the share of wrong classes, or the mse in units of `variance`.
double loss_of(const Evaluation& evaluation, double variance);

/// Variance of the target over the rows of a set; 1 for classes.
double target_variance(const DataFolder& folder, const std::string& set);

/// At most this many rows of a table, drawn by the seed; 0: all.
Data some_rows(const Data& data, Index rows, std::uint64_t seed);

/// What the papers call a data set, and a family: its instantiation, and whether it is the one without a kernel.
std::string paper_name(const std::string& set);
struct PaperFamily {
  std::string family;         ///< "rw-exp-relu"
  std::string instantiation;  ///< "RWExpRelu"
  bool plain = false;         ///< random kitchen sinks with the same base predictor and distribution
};
const std::vector<PaperFamily>& paper_families();

}  // namespace weft
