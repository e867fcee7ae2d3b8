// Kernel ridge regression with random features against the exact one: the rate 1/s and the bounds of Theorems 1 and 2
// of Wang 2019.
#pragma once

#include <weft/data.hpp>
#include <weft/encoder.hpp>
#include <weft/run.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::papers {

enum class RfmKernel { rbf, laplace, angular };
constexpr auto choice_names(RfmKernel) {
  return std::array{"rbf", "laplace", "angular"};
}

struct RfmOptions {
  RfmKernel kernel = RfmKernel::rbf;
  std::string bandwidth = "mean";
  std::optional<double> lambda = {};
  double delta = 0.05;
  std::string features = "16,32,64,128,256,512,1024";
  Index repeats = 10;
  Index rows = 0;
  Index test_rows = 1000;
  std::uint64_t seed = 1;

  static auto fields() {
    using O = RfmOptions;
    return std::tuple{
        Field{"kernel", &O::kernel, "kernel, approximated by rff-rbf, rff-laplace or rks-sign features"},
        Field{"bandwidth", &O::bandwidth, Allowed::anything(),
              "width of rbf and laplace: mean (distance of two rows), median or a number"},
        Field{
            "lambda", &O::lambda, Allowed::positive(),
            "lambda of K + n lambda I; not given: the value that Theorem 1 requires at the largest number of features"},
        Field{"delta", &O::delta, Allowed::inside(0, 1), "probability with which Theorem 1 may fail"},
        Field{"features", &O::features, Allowed::anything(), "numbers of random features s, separated by commas"},
        Field{"repeats", &O::repeats, Allowed::at_least(1), "draws of the features for each number"},
        Field{"rows", &O::rows, Allowed::at_least(0), "training rows, drawn by the seed; 0: all but the test rows"},
        Field{"test_rows", &O::test_rows, Allowed::at_least(1), "rows on which predictions are compared"},
        Field{"seed", &O::seed, Allowed::anything(), "seed of rows and features"},
    };
  }
};

struct RfmPoint {
  Index features = 0;         ///< s
  double mse = 0;             ///< mean of (f̃ − f)² over test rows and draws
  double standard_error = 0;  ///< of that mean, over draws
  double rate_line = 0;       ///< the first point's mse, extrapolated as 1/s
  double bound = 0;           ///< (4b/s)‖K^½(K + nλI)⁻¹y‖²
  double plain_bound = 0;     ///< the same without 4b, eq. 31, which the paper plots
  /// Sign features, whose squares are 1: the mean of (f̃ − f)² over the rows of the fit, and what it is at least
  /// (Theorem 2; docs/mathematics.md §6.3). Absent for other features.
  std::optional<double> own_mse = {};
  std::optional<double> lower = {};
  double demanded_lambda = 0;  ///< (2b/√n)√log(s/δ), from which on the bound is proven
  bool proven = false;         ///< whether λ is at least that

  double ratio() const { return bound / mse; }
  double plain_ratio() const { return plain_bound / mse; }
};

struct RfmStudy {
  RfmKernel kernel = RfmKernel::rbf;
  std::optional<double> bandwidth = {};
  Index rows = 0;
  Index test_rows = 0;
  double lambda = 0;
  double effective_dimension = 0;  ///< tr K(K + nλI)⁻¹
  double norm = 0;                 ///< ‖K^½(K + nλI)⁻¹y‖²
  double largest_norm = 0;         ///< ‖y‖²/4nλ, what it is at most (Remark 1)
  double exact_mse = 0;            ///< of exact kernel ridge regression on the test rows, in units of the target
  std::vector<RfmPoint> points = {};
  std::optional<double> slope = {};  ///< of log mse against log s; none for one point
  bool out_of_time = false;          ///< larger numbers of features were not tried

  std::string to_json() const;
};

/// The target (a number, or two classes as ±1) is moved to mean 0 and scaled to largest size 1, as the paper does.
RfmStudy rfm_study(const Data& data, const RfmOptions& options = {}, const EncodeOptions& encode = {},
                   const Run& run = {});

}  // namespace weft::papers
