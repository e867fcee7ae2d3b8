// One model on one split: searched or fitted, tested, timed.
#pragma once

#include <weft/fit.hpp>
#include <weft/model.hpp>
#include <weft/tune.hpp>

#include "experiment.hpp"
#include "json.hpp"

namespace weft::papers {

/// The data of a cell, from its key: "set", "seed" and, where it has one, the most "rows" to fit. A key with a
/// "protocol" prepares and fits as Anonymous 2026 did: standardised inputs and targets, no bias, no intercept, the
/// ridge of their eq. 82, one λ per configuration. One without has weft's defaults. One with a "split" has the authors'
/// training and test rows, whatever its seed.
struct CellData {
  DataSplit data;
  EncodeOptions encode;
  double variance = 1;  ///< of the target over all rows of the set; 1 for classes
  std::uint64_t seed = 1;
  bool paper = false;

  FitOptions fit_options(const std::string& family) const;  ///< least squares
};
CellData open_cell(const Json& key, const Bench& bench);

/// The value of "split".
inline constexpr const char* kAuthorsSplit = "authors";

/// A key under the paper's protocol; that and the key itself; and the cells of either.
Json under_protocol(Json key);
std::vector<Json> both_protocols(const Json& key);
std::vector<Cell> of_protocol(const std::vector<Cell>& cells, bool paper);

/// So many features of a family, drawn by the cell's seed.
FamilyOptions drawn(const std::string& family, Index features, const CellData& cell);

struct Trained {
  Model model;
  Evaluation train;
  Evaluation test;
  double fit_seconds = 0;      ///< encoding, features and fit
  double predict_seconds = 0;  ///< of the test rows
};

Trained train_and_test(const CellData& cell, const FitRequest& request);
Trained train_and_test(const CellData& cell, const FamilyOptions& family, const FitOptions& fit, const Run& run);

/// The best of a random search of so many configurations of a family, five folds each and 17 λs (under the paper's
/// protocol one), fitted and tested.
struct Tuned {
  Trial winner;
  Trained trained;
};
Tuned tune_and_test(const CellData& cell, const FamilyOptions& family, Index configurations, const Run& run);
Tuned tune_and_test(const CellData& cell, const FamilyOptions& family, const FitOptions& fit, Index configurations,
                    const Run& run);

/// All options of a fit. Of several the one with the least error of five folds, fitted and tested.
struct Setup {
  FamilyOptions family;
  FitOptions fit;
};
Trained cross_validate_and_test(const CellData& cell, const std::vector<Setup>& setups, const Run& run);

/// What the papers call a model's loss: the share of wrong classes, or the mse in units of `variance`.
double loss_of(const Evaluation& evaluation, double variance);

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

}  // namespace weft::papers
