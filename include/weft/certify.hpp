// Guarantees: bounds of the papers' theorems on the loss of a model on new rows (docs/certify.md).
#pragma once

#include <weft/model.hpp>

#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// 6.x of Anonymous 2026; 8, 10, 11 and equation 62 of Dubé & Marchand 2023; the trace of the kernel on the rows in
/// place of its supremum (docs/mathematics.md §10.5); the softmax loss (§10.6); Theorems 1 and 2 of Wang 2019.
enum class Theorem {
  all,
  theorem_6_2,
  theorem_6_3,
  theorem_6_5,
  theorem_6_6,
  theorem_6_7,
  theorem_6_8,
  theorem_8,
  theorem_10,
  theorem_11,
  trace,
  softmax,
  equation_62,
  wang_1,
  wang_2,
};
constexpr auto choice_names(Theorem) {
  return std::array{"all", "6.2", "6.3",   "6.5",     "6.6", "6.7",    "6.8",   "8",
                    "10",  "11",  "trace", "softmax", "62",  "wang-1", "wang-2"};
}

struct CertifyOptions {
  double delta = 0.05;
  Theorem bound = Theorem::all;
  std::optional<double> difference = {};

  static auto fields() {
    using O = CertifyOptions;
    return std::tuple{
        Field{"delta", &O::delta, Allowed::inside(0, 1), "probability with which a guarantee may fail"},
        Field{"bound", &O::bound,
              "the theorem to compute: 6.x of Anonymous 2026 (6.2 with 6.1 and 6.2.1, 6.5 with 6.4 and 6.5.1); 8, 10, "
              "11 and equation 62 of Dubé & Marchand 2023; trace: with the kernel's mean over the rows for its "
              "supremum; softmax; wang-1 and wang-2: Wang 2019"},
        Field{"difference", &O::difference, Allowed::positive(),
              "what pruning may change the expected loss by (62), and random features the predictions, in mean square "
              "(wang-1, wang-2); not given: a hundredth of the loss of the best constant"},
    };
  }
};

/// One theorem in one version. Losses are means over outputs.
struct BoundLine {
  std::string name;  ///< "Anonymous 2026, Theorem 6.2"
  /// "risk": the expected loss is at most `bound`; "excess": its excess over the best of a class; "difference": its
  /// excess over that of the original; "pruning": what pruning with the lasso weight `best_lambda` changes the expected
  /// loss by; "approximation": the mean squared difference to `features_needed` random features.
  std::string claim;
  std::string radius =
      {};  ///< "fixed": ‖α‖ bounded in advance, as in the papers; "learned": valid for the learned norm
  /// "paper" or "exact"; "tau" where that constant is used instead; "trace", "tau trace": their means over the rows.
  std::string theta = {};
  double gap = 0;            ///< the term that the theorem adds to the measured loss; may be infinite
  double bound = 0;          ///< measured + gap
  bool vacuous = true;       ///< no better than the best constant prediction: bound ≥ Certificate::trivial_loss
  std::string assumes = {};  ///< the assumptions, as text
  /// Rows at which the line would no longer be vacuous, all else as measured; absent where it is not, or where no
  /// number of rows is enough.
  std::optional<double> rows_needed = {};
  /// 6.8: at which their share of the gap is that of the rows; 6.7, 11: steps at which their term is no larger than the
  /// others; Wang 2019: for `bound`.
  std::optional<double> features_needed = {};
  /// 6.7, 11: the lambda that makes the bound smallest but for its last term; equation 62: the largest lasso weight.
  std::optional<double> best_lambda = {};
  /// Claim "risk". The Rademacher complexity of the class is at most this (Theorems 6.1 and 6.4); the expected loss is
  /// at least `lower` (corollaries 6.2.1 and 6.5.1), which says nothing where it is not positive, and is positive from
  /// `rows_for_lower` rows on.
  std::optional<double> complexity = {};
  std::optional<double> lower = {};
  std::optional<double> rows_for_lower = {};
  std::optional<double> error = {};              ///< classes, claim "risk": the bound on the 0-1 error it implies
  std::optional<std::string> inapplicable = {};  ///< why the theorem does not apply; the numbers are then unset

  std::string to_json() const;
};

/// The plain bound: the loss of rows that the model was not fitted to, and what chance may have hidden.
struct HeldOutBound {
  std::string name;  ///< "Clopper–Pearson" for the error of classes, "empirical Bernstein" for squared errors
  std::string loss;  ///< "error" or "squared error"
  ScoredBy by = ScoredBy::none;  ///< given_rows: it holds as it stands; else see `assumes`
  Index rows = 0;
  double measured = 0;  ///< mean loss of the rows
  double bound = 0;     ///< on the expected loss of new rows, with probability 1 − delta
  double constant = 0;  ///< loss of the best constant prediction on the training rows
  bool vacuous = true;  ///< no better than that
  std::string assumes = {};
};

struct Certificate {
  std::string loss;  ///< "squared", "logistic", "hinge" or "huber": the one the model was fitted with
  Index rows = 0;
  double delta = 0;
  double train_loss = 0;
  double trivial_loss = 0;   ///< of the best constant prediction on the rows; squared loss: the target's variance
  Constants constants = {};  ///< over the rows given
  // One per output.
  std::vector<double> rkhs_norms = {};
  std::optional<std::vector<double>> l2p_norms = {};  ///< absent where plain and weighted features are mixed
  std::vector<double> intercepts = {};
  /// Middle and half length of the target's range; classes are coded ±1.
  std::vector<double> target_centres = {};
  std::vector<double> target_radii = {};
  std::optional<std::vector<double>> distances = {};  ///< ‖α − β‖_H to the original, where it is given and comparable
  std::optional<HeldOutBound> held_out = {};          ///< absent without held-out rows and without scores in the model
  std::vector<BoundLine> lines = {};                  ///< empty where no theorem covers the model: `notes` say why
  /// The smallest bound on the risk among the "learned" lines, which hold together with probability 1 − delta.
  std::optional<std::size_t> best = {};
  std::vector<std::string> notes = {};

  std::string to_json() const;
};

/// `data` are the rows the model was fitted on, unweighted. `original` is the model that `model` was pruned from: only
/// Theorem 8 of Dubé & Marchand 2023 uses it. `held_out` are labelled rows that the model was not fitted to. Throws if
/// options.bound names one theorem and it does not apply, and if there is nothing to say: no theorem covers the model,
/// and there are neither held-out rows nor scores in the model.
Certificate certify(const Model& model, const Data& data, const CertifyOptions& options = {}, const Run& run = {},
                    const Model* original = nullptr, const Data* held_out = nullptr);

}  // namespace weft
