// LIBSVM's svm-train and svm-predict, where they are installed: a contender that weft does not contain.
#pragma once

#include <weft/encoder.hpp>

#include <optional>

namespace weft::papers {

bool has_libsvm();

struct SvmResult {
  double train_loss = 0;  ///< error, or mse in units of the target
  double test_loss = 0;
  double fit_seconds = 0;      ///< of svm-train, reading its file included
  double predict_seconds = 0;  ///< of svm-predict on the test rows, likewise
};

/// rbf kernel, C = 1, γ = 1/inputs on rows encoded as for weft: LIBSVM's own defaults. Classes must be two. Throws
/// where the programs fail or the run is cancelled.
SvmResult run_libsvm(const DataSplit& data, const EncodeOptions& encode, const Run& run);

}  // namespace weft::papers
