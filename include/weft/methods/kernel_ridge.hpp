#pragma once

#include <weft/methods/shared_options.hpp>

namespace WEFT_PUBLIC weft {

enum class LandmarkSampling { uniform, leverage, pivoted };
constexpr auto choice_names(LandmarkSampling) {
  return std::array{"uniform", "leverage", "pivoted"};
}

enum class LandmarkSolver { automatic, direct, cg };
constexpr auto choice_names(LandmarkSolver) {
  return std::array{"auto", "direct", "cg"};
}

namespace shared_options {

template <class O>
auto kernel(Setting<std::string> O::*member) {
  return Field{
      "kernel", member, Allowed::anything(),
      "rbf, laplace (of |d|_1), laplace-l2 (of |d|), angular, or implicit:FAMILY, the limit of a feature family "
      "(with its sigma, gamma, ...) for infinitely many features"};
}

template <class O>
auto bandwidth(Setting<std::string> O::*member) {
  return Field{"bandwidth", member, Allowed::anything(),
               "sigma of exp(-|d|^2/2sigma^2) (rbf) and exp(-|d|_1/sigma) (laplace): mean (of |d|^2, of |d|_1), median "
               "(of |d|, of |d|_1), or a number; laplace-l2: mean or median of |d|"};
}

template <class O>
auto exponent(Setting<double> O::*member) {
  return Field{"exponent", member, Allowed::between(0.1, 2),
               "q of exp(-(|d|_1/sigma)^q) (laplace) and exp(-(|d|/sigma)^q) (laplace-l2)"};
}

template <class O>
auto landmarks(Setting<Index> O::*member) {
  return Field{"landmarks", member, Allowed::at_least(0),
               "number of rows used as centres (Nystroem); 0: all rows, the exact solution"};
}

template <class O>
auto landmark_sampling(Setting<LandmarkSampling> O::*member) {
  return Field{"landmark_sampling", member,
               "how landmarks are drawn: uniformly, by approximate leverage scores, or by randomly pivoted Cholesky "
               "(pivoted), which leaves out rows that others explain"};
}

}  // namespace shared_options

struct KernelRidgeOptions {
  Setting<bool> calibrate = default_value(false);
  Setting<double> tolerance = default_value(1e-6);
  Setting<Index> iterations = default_value(0);
  Setting<std::string> kernel = default_value("rbf");
  Setting<std::string> bandwidth = default_value("mean");
  Setting<double> exponent = default_value(1);
  Setting<Index> landmarks = default_value(0);
  Setting<LandmarkSampling> landmark_sampling = default_value(LandmarkSampling::uniform);
  Setting<LandmarkSolver> solver = default_value(LandmarkSolver::automatic);

  static auto fields() {
    using O = KernelRidgeOptions;
    return std::tuple{
        shared_options::calibrate(&O::calibrate),
        shared_options::tolerance(&O::tolerance),
        shared_options::iterations(&O::iterations),
        shared_options::kernel(&O::kernel),
        shared_options::bandwidth(&O::bandwidth),
        shared_options::exponent(&O::exponent),
        shared_options::landmarks(&O::landmarks),
        shared_options::landmark_sampling(&O::landmark_sampling),
        Field{"solver", &O::solver,
              "solver of the landmark equations: direct (one pass, M x M sums) or cg (preconditioned conjugate "
              "gradients); auto: direct up to 2000 landmarks"},
    };
  }
};

}  // namespace weft
