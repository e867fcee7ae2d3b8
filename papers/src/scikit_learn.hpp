// Contenders that weft does not contain: AdaBoost and support vector machines of scikit-learn, where Python has it,
// each with the hyperparameters that Anonymous 2026, Table 14, searches.
#pragma once

#include <weft/encoder.hpp>

#include <string>
#include <vector>

namespace weft::papers {

/// Whether a Python on the path, or /usr/bin/python3, has scikit-learn. Asked once.
bool has_scikit_learn();

struct ContenderResult {
  double train_loss = 0;  ///< error, or mse in units of the target
  double test_loss = 0;
  double test_score = 0;       ///< accuracy, or R² about the mean of the test rows
  double fit_seconds = 0;      ///< of the best configuration on all training rows
  double predict_seconds = 0;  ///< of the test rows
};

/// `name` is adaboost (10 to 500 estimators) or svm (rbf kernel, C and gamma log-uniform on [0.001, 1000]): the best of
/// so many random configurations by five folds, on rows encoded as for weft. Classes must be two. Folds are of
/// neighbouring rows in this order of the training rows; shuffled by the seed where it is empty. The state of
/// scikit-learn's generators is the seed less 1. Throws where Python fails or the run is cancelled.
ContenderResult run_contender(const std::string& name, const DataSplit& data, const EncodeOptions& encode,
                              Index configurations, const std::vector<Index>& order, std::uint64_t seed,
                              const Run& run);

}  // namespace weft::papers
