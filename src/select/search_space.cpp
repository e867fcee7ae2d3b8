#include "select/search_space.hpp"

#include "core/interval.hpp"
#include "core/random.hpp"

#include <cmath>
#include <cstring>

namespace weft {

namespace {

struct Range {
  double low = 0;
  double high = 0;
  bool logarithmic = false;

  /// The point at fraction u of the way.
  double at(double u) const {
    return logarithmic ? std::exp(std::log(low) + u * (std::log(high) - std::log(low))) : low + u * (high - low);
  }
};

Range parse_range(const std::string& text, const char* option, bool logarithmic, const Allowed& allowed) {
  const Interval interval = parse_interval(text, option, allowed);
  return {interval.low, interval.high, logarithmic};
}

enum class Number { sigma, gamma, theta, kappa, lambda };

struct Dimension {
  Number number;
  Range range;
};

/// No path of λs is shared between the folds of a learned activation, and the fifth of a fold's rows on which its fit
/// would choose one is few: λ is a number of the configuration.
bool learned(const FitOptions& fit) {
  return fit.fit == "learned-activation" && fit.solver != "sgd";
}

/// What the kernels of a family ask for. One γ serves a family of stumps; unions choose it by θ and κ, which mean the
/// same for each of their parts.
std::vector<Dimension> dimensions(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options) {
  const Allowed positive = Allowed::positive();
  std::vector<Dimension> result;
  if (family.family.empty()) return result;
  if (family.sigma == FamilyOptions{}.sigma)
    result.push_back({Number::sigma, parse_range(options.sigma_range, "--sigma-range", true, positive)});
  const bool given = family.gamma || family.theta || family.kappa || family.shrink;
  bool gaussian = false;
  bool exponential = false;
  bool relu = false;
  bool stumps = true;
  bool kernels = true;
  const bool automatic = family.family == "auto";  // a union of gaussian kernels, whatever it resolves to
  if (automatic) gaussian = !(stumps = false);
  for (const FamilyPart& part : automatic ? std::vector<FamilyPart>{} : parse_family(family.family)) {
    using Kind = WeightKernel::Kind;
    gaussian = gaussian || part.family.kernel.kind() == Kind::gaussian;
    exponential = exponential || part.family.kernel.kind() == Kind::exponential;
    relu = relu || part.family.activation->name() == "relu";
    stumps = stumps && part.family.projection.kind == Projection::Kind::axis;
    kernels = kernels && !part.family.kernel.none();
  }
  if (!given && gaussian && stumps && !exponential)
    result.push_back({Number::gamma, parse_range(options.gamma_range, "--gamma-range", true, positive)});
  else if (!given && gaussian)
    result.push_back({Number::theta, parse_range(options.theta_range, "--theta-range", false, Allowed::inside(0, 1))});
  const std::string kappa = options.kappa_range != "auto" ? options.kappa_range : relu ? "1.5:100" : "1.5:50";
  if (!given && exponential)
    result.push_back({Number::kappa, parse_range(kappa, "--kappa-range", false, Allowed{.low = 1, .low_open = true})});
  if ((options.lambdas == 1 || learned(fit)) && !fit.lambda) {
    const bool norm = fit.regularizer == "auto" ? kernels && !automatic : fit.regularizer != "ridge";
    const std::string lambda = options.lambda_range != "auto" ? options.lambda_range
                               : norm                         ? "1e-12:1e-4"
                               : learned(fit)                 ? "1e-9:1e-5"
                                                              : "1e-5:1e-3";
    result.push_back({Number::lambda, parse_range(lambda, "--lambda-range", true, positive)});
  }
  return result;
}

/// Whether configuration 0 has the library's default for this number. λ has none, but a learned activation's fit
/// chooses its own.
bool has_default(const Dimension& dimension, const FitOptions& fit, const TuneOptions& options) {
  return dimension.number != Number::lambda || (learned(fit) && options.lambdas != 1);
}

void set(Candidate& candidate, const Dimension& dimension, double u) {
  const double value = dimension.range.at(u);
  switch (dimension.number) {
    case Number::sigma:
      candidate.family.sigma = value;
      break;
    case Number::gamma:
      candidate.family.gamma = value;
      break;
    case Number::theta:
      candidate.family.theta = value;
      break;
    case Number::kappa:
      candidate.family.kappa = value;
      break;
    case Number::lambda:
      candidate.lambda = value;
  }
}

}  // namespace

std::vector<Candidate> candidates(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options) {
  FamilyOptions searched = family;
  // A kernel machine has the numbers of the family whose limit it is, or none: its bandwidth has a rule, its λ a path.
  if (fit.fit == "kernel-ridge")
    searched.family = fit.kernel.starts_with("implicit:") ? fit.kernel.substr(std::strlen("implicit:")) : "";
  const std::vector<Dimension> space = dimensions(searched, fit, options);
  const Random random(family.seed, Stream::search);
  const bool grid = options.search == "grid";
  // The levels of a grid, and none where nothing is left to search.
  const auto levels =
      static_cast<Index>(std::floor(std::pow(static_cast<double>(options.configurations) + 0.5,
                                             1 / static_cast<double>(std::max<std::size_t>(1, space.size())))));
  Index count = options.configurations;
  if (space.empty()) count = 1;
  if (grid && !space.empty()) {
    count = 1;
    for (std::size_t d = 0; d < space.size(); ++d) count *= levels;
  }
  const TuneOptions usual;
  const bool presets = !grid && options.sigma_range == usual.sigma_range && options.gamma_range == usual.gamma_range &&
                       options.theta_range == usual.theta_range && options.kappa_range == usual.kappa_range;
  std::vector<Candidate> result;
  for (Index k = 0; k < count; ++k) {
    Candidate candidate{k, family, fit.lambda};
    Index rest = k;
    for (std::size_t d = 0; d < space.size(); ++d) {
      const double level = levels == 1 ? 0.5 : static_cast<double>(rest % levels) / static_cast<double>(levels - 1);
      rest /= levels;
      const bool preset = presets && k == 0 && has_default(space[d], fit, options);
      if (!preset)
        set(candidate, space[d],
            grid ? level : random.uniform(static_cast<std::uint64_t>(k), static_cast<std::uint32_t>(d)));
    }
    result.push_back(std::move(candidate));
  }
  return result;
}

}  // namespace weft
