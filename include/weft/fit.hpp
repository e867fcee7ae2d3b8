// Fitting: from data to a model.
#pragma once

#include <weft/data.hpp>
#include <weft/encoder.hpp>
#include <weft/feature_map.hpp>
#include <weft/model.hpp>
#include <weft/run.hpp>

namespace WEFT_PUBLIC weft {

struct FitOptions {
  std::string fit = "least-squares";
  std::string regularizer = "auto";
  std::optional<double> lambda = {};
  double epsilon = 1e-10;
  double lambda_holdout = 0.2;
  std::string loss = "auto";
  double huber_delta = 1;
  bool intercept = true;
  std::string precision = "double";
  std::string class_weights = "none";
  bool calibrate = false;
  bool std = false;
  std::string lasso_scale = "1/m";
  Index nonzeros = 0;
  double tolerance = 1e-6;
  Index iterations = 0;
  Index batch = 100;
  Index features_per_step = 1;
  double radius = 0;
  std::string checkpoint = "";
  bool resume = false;
  std::string kernel = "rbf";
  std::string bandwidth = "mean";
  Index landmarks = 0;
  std::string landmark_sampling = "uniform";
  std::string basis = "bspline";
  Index grid_points = 32;
  std::string grid_range = "auto";
  std::optional<double> basis_width = {};
  Index degree = 3;
  double smoothness = 10;
  Index starts = 1;
  std::string solver = "auto";
  Index epochs = 50;
  double learning_rate = 1e-3;

  static auto fields() {
    using O = FitOptions;
    return std::tuple{
        Field{"fit", &O::fit,
              Allowed::one_of(
                  {"least-squares", "lasso", "sfgd", "optimal-step", "logistic", "kernel-ridge", "learned-activation"}),
              "learning algorithm; logistic is softmax where there are more than two classes; kernel-ridge takes "
              "--kernel instead of random features; learned-activation starts from the family's own"},
        Field{"regularizer", &O::regularizer, Allowed::one_of({"auto", "rkhs", "l2p", "ridge"}),
              "what lambda punishes: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one "
              "family with weights, else ridge"},
        Field{
            "lambda", &O::lambda, Allowed::positive(),
            "strength of the regularizer; not given: chosen on held-out rows (exact kernel-ridge: by leaving one out)"},
        Field{"epsilon", &O::epsilon, Allowed::at_least(0), "ridge that keeps the normal equations solvable"},
        Field{"lambda_holdout", &O::lambda_holdout, Allowed::inside(0, 1),
              "fraction of the rows that choose lambda; the final fit uses all rows"},
        Field{"loss", &O::loss, Allowed::one_of({"auto", "squared", "logistic", "hinge", "huber"}),
              "loss of sfgd, optimal-step and learned-activation; auto: squared, or logistic where an activation is "
              "learned for classes"},
        Field{"huber_delta", &O::huber_delta, Allowed::positive(), "where the Huber loss turns linear"},
        Field{"intercept", &O::intercept, Allowed::anything(), "fit an unpunished intercept"},
        Field{"precision", &O::precision, Allowed::one_of({"double", "single"}),
              "single: features and products in float32, sums in float64"},
        Field{"class_weights", &O::class_weights, Allowed::one_of({"none", "balanced"}),
              "balanced: every class weighs the same however many rows it has"},
        Field{"calibrate", &O::calibrate, Allowed::anything(),
              "fit a sigmoid to held-out scores so that least-squares classifiers give probabilities"},
        Field{"std", &O::std, Allowed::anything(), "keep what predictive standard deviations need (T x T numbers)"},
        Field{"lasso_scale", &O::lasso_scale, Allowed::one_of({"1/m", "1/2m"}),
              "factor of the squared error in the lasso"},
        Field{"nonzeros", &O::nonzeros, Allowed::at_least(0),
              "lasso: take the lambda that leaves at most this many features"},
        Field{"tolerance", &O::tolerance, Allowed::positive(), "relative accuracy at which an iterative fit stops"},
        Field{"iterations", &O::iterations, Allowed::at_least(0),
              "most iterations (sweeps of learned-activation) of an iterative fit; 0: its own default"},
        Field{"batch", &O::batch, Allowed::at_least(1), "rows per step of sfgd, optimal-step and sgd"},
        Field{"features_per_step", &O::features_per_step, Allowed::at_least(1), "new features per step of sfgd"},
        Field{"radius", &O::radius, Allowed::at_least(0), "sfgd projects to this RKHS norm; 0: no projection"},
        Field{"checkpoint", &O::checkpoint, Allowed::anything(), "file in which iterative fits keep their state"},
        Field{"resume", &O::resume, Allowed::anything(), "continue from the checkpoint"},
        Field{"kernel", &O::kernel, Allowed::anything(),
              "kernel-ridge: rbf, laplace, angular, or implicit:FAMILY, what a feature family (with its sigma, gamma, "
              "...) tends to with infinitely many features"},
        Field{"bandwidth", &O::bandwidth, Allowed::anything(),
              "sigma of exp(-|d|^2/2sigma^2) (rbf) and exp(-|d|_1/sigma) (laplace): mean (of |d|^2, of |d|_1), median "
              "(of |d|, of |d|_1), or a number"},
        Field{"landmarks", &O::landmarks, Allowed::at_least(0),
              "kernel-ridge: rows that are centres (Nystroem); 0: all rows, the exact solution"},
        Field{"landmark_sampling", &O::landmark_sampling, Allowed::one_of({"uniform", "leverage"}),
              "how landmarks are drawn: all rows alike, or by approximate leverage scores"},
        Field{"basis", &O::basis, Allowed::one_of({"rbf", "bspline"}),
              "what a learned activation is made of: Gaussian bumps or B-splines"},
        Field{"grid_points", &O::grid_points, Allowed::at_least(2),
              "number of basis functions of a learned activation"},
        Field{"grid_range", &O::grid_range, Allowed::anything(),
              "LOW:HIGH that the basis covers; auto: where the projections of the rows lie"},
        Field{"basis_width", &O::basis_width, Allowed::positive(),
              "width of the Gaussian bumps; not given: the distance of grid points"},
        Field{"degree", &O::degree, Allowed::between(1, 5), "degree of the B-splines"},
        Field{"smoothness", &O::smoothness, Allowed::at_least(0),
              "weight of the second differences in the norm of a learned activation's coefficients"},
        Field{"starts", &O::starts, Allowed::at_least(1),
              "activations that learning starts from, the family's own and random ones; the best end is kept"},
        Field{"solver", &O::solver, Allowed::one_of({"auto", "direct", "cg", "sgd"}),
              "equations of the landmarks: direct (one pass, their M x M sums) or cg (preconditioned conjugate "
              "gradients), auto: direct up to 2000 landmarks; learned-activation: direct (alternating exact solves, "
              "auto) or sgd (the stochastic gradient descent of Ma et al. 2025, to compare with)"},
        Field{"epochs", &O::epochs, Allowed::at_least(1), "passes of sgd over the rows"},
        Field{"learning_rate", &O::learning_rate, Allowed::positive(), "step of sgd"},
    };
  }
};

/// Whether a fit (a choice of FitOptions::fit) reads the option of FitOptions that has this name.
bool fit_reads(const std::string& fit, const std::string& option);

/// Encodes the data, draws the features, fits. `train` must name a target. `unlabelled` rows, whose target need not be
/// there, say how the inputs are encoded and what leverage scores are, in place of the training rows.
Model fit(const Data& train, const FamilyOptions& family = {}, const FitOptions& options = {},
          const EncodeOptions& encode = {}, const Run& run = {}, const ActivationPtr& custom = nullptr,
          const Data* unlabelled = nullptr);

}  // namespace weft
