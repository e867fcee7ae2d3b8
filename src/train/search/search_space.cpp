#include "train/search/search_space.hpp"

#include "core/interval.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

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

enum class Number { sigma, gamma, theta, kappa, lambda, bandwidth };

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
void add_family_numbers(const FamilyOptions& family, const TuneOptions& options, std::vector<Dimension>& result) {
  const Allowed positive = Allowed::positive();
  if (family.sigma == FamilyOptions{}.sigma)
    result.push_back({Number::sigma, parse_range(options.sigma_range, "--sigma-range", true, positive)});
  const bool given = family.gamma || family.theta || family.kappa || family.shrink;
  bool gaussian = false;
  bool exponential = false;
  bool relu = false;
  bool stumps = true;
  const bool automatic = family.family == "auto";  // a union of gaussian kernels, whatever it resolves to
  if (automatic) gaussian = !(stumps = false);
  for (const FamilyPart& part : automatic ? std::vector<FamilyPart>{} : parse_family(family.family)) {
    using Kind = WeightKernel::Kind;
    gaussian = gaussian || part.family.kernel.kind() == Kind::gaussian;
    exponential = exponential || part.family.kernel.kind() == Kind::exponential;
    relu = relu || part.family.activation->name() == "relu";
    stumps = stumps && part.family.projection.kind == Projection::Kind::axis;
  }
  if (!given && gaussian && stumps && !exponential)
    result.push_back({Number::gamma, parse_range(options.gamma_range, "--gamma-range", true, positive)});
  else if (!given && gaussian)
    result.push_back({Number::theta, parse_range(options.theta_range, "--theta-range", false, Allowed::inside(0, 1))});
  const std::string kappa = options.kappa_range != "auto" ? options.kappa_range : relu ? "1.5:100" : "1.5:50";
  if (!given && exponential)
    result.push_back({Number::kappa, parse_range(kappa, "--kappa-range", false, Allowed{.low = 1, .low_open = true})});
}

/// Whether λ multiplies the norm of an RKHS.
bool punishes_norm(const FamilyOptions& family, const FitOptions& fit) {
  if (fit.fit == "kernel-ridge") return true;
  if (fit.regularizer != "auto") return fit.regularizer != "ridge";
  if (family.family == "auto") return false;
  const std::vector<FamilyPart> parts = parse_family(family.family);
  return std::none_of(parts.begin(), parts.end(), [](const FamilyPart& part) { return part.family.kernel.none(); });
}

/// A kernel machine has a bandwidth, or the numbers of the family whose limit it is, or none.
std::vector<Dimension> dimensions(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options,
                                  bool bandwidth) {
  std::vector<Dimension> result;
  FamilyOptions searched = family;
  const bool machine = fit.fit == "kernel-ridge";
  const bool implicit = machine && Kernel::parse_kind(fit.kernel) == Kernel::Kind::implicit;
  if (implicit) searched.family = Kernel::implicit_family(fit.kernel);
  if (!machine || implicit) add_family_numbers(searched, options, result);
  const Allowed positive = Allowed::positive();
  if (bandwidth)
    result.push_back({Number::bandwidth, parse_range(options.bandwidth_range, "--bandwidth-range", true, positive)});
  if ((options.lambdas == 1 || learned(fit)) && !fit.lambda) {
    const std::string lambda = options.lambda_range != "auto" ? options.lambda_range
                               : punishes_norm(searched, fit) ? "1e-12:1e-4"
                               : learned(fit)                 ? "1e-8:1e-3"
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
      break;
    case Number::bandwidth:
      *candidate.bandwidth *= value;
  }
}

}  // namespace

FitOptions with_choice(FitOptions fit, std::optional<double> lambda, std::optional<double> bandwidth) {
  fit.lambda = lambda;
  if (bandwidth) fit.bandwidth = fmt::format("{}", *bandwidth);  // as many digits as it has
  return fit;
}

Trial trial_of(const Candidate& candidate, const FitOptions& fit) {
  Trial trial;
  trial.number = candidate.number;
  trial.family = candidate.family;
  if (fit.fit == "kernel-ridge") trial.kernel = fit.kernel;
  trial.bandwidth = candidate.bandwidth;
  trial.lambda = candidate.lambda;
  return trial;
}

std::vector<Candidate> candidates(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options,
                                  std::optional<double> bandwidth) {
  const std::vector<Dimension> space = dimensions(family, fit, options, bandwidth.has_value());
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
                       options.theta_range == usual.theta_range && options.kappa_range == usual.kappa_range &&
                       options.bandwidth_range == usual.bandwidth_range;
  std::vector<Candidate> result;
  for (Index k = 0; k < count; ++k) {
    Candidate candidate{k, family, fit.lambda, bandwidth};
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

}  // namespace weft::detail
