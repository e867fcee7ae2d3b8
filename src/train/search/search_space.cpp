#include "train/search/search_space.hpp"

#include "core/interval.hpp"
#include "core/random.hpp"
#include "features/draws.hpp"
#include "methods/method.hpp"
#include "objective/metric.hpp"

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

/// The hyperparameters that the kernels of a family need. One γ serves a family of stumps; unions choose it by θ and κ,
/// which mean the same for each of their parts.
void add_family_numbers(const FamilyOptions& family, const TuneOptions& options, std::vector<Dimension>& result) {
  const Allowed positive = Allowed::positive();
  if (!family.sigma.given())
    result.push_back({Number::sigma, parse_range(options.sigma_range, "‹sigma_range›", true, positive)});
  const bool given = family.gamma || family.theta || family.exact_theta || family.kappa || family.shrink;
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
    result.push_back({Number::gamma, parse_range(options.gamma_range, "‹gamma_range›", true, positive)});
  else if (!given && gaussian)
    result.push_back({Number::theta, parse_range(options.theta_range, "‹theta_range›", false, Allowed::inside(0, 1))});
  const std::string kappa = options.kappa_range != "auto" ? *options.kappa_range : relu ? "1.5:100" : "1.5:50";
  if (!given && exponential)
    result.push_back({Number::kappa, parse_range(kappa, "‹kappa_range›", false, Allowed{.low = 1, .low_open = true})});
}

/// Whether λ multiplies the norm of an RKHS.
bool penalises_norm(const FamilyOptions& family, const FitOptions& fit) {
  if (method_of(fit).kernel_machine) return true;
  const auto regularizer = own_value<Regularizer>(fit.method, "regularizer");
  if (regularizer && regularizer != Regularizer::automatic) return regularizer != Regularizer::ridge;
  if (family.family == "auto") return false;
  const std::vector<FamilyPart> parts = parse_family(family.family);
  return std::none_of(parts.begin(), parts.end(), [](const FamilyPart& part) { return part.family.kernel.none(); });
}

/// Whether there is a λ to choose.
bool open_lambda(const FitOptions& fit) {
  const Method& method = method_of(fit);
  return !fit.lambda && (method.has_lambda == nullptr || method.has_lambda(fit));
}

/// The hyperparameters that are left open.
std::vector<Dimension> dimensions(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options,
                                  bool bandwidth) {
  std::vector<Dimension> result;
  const Method& method = method_of(fit);
  const auto searched = method.searched_family == nullptr ? family : method.searched_family(fit, family);
  if (searched) add_family_numbers(*searched, options, result);
  const Allowed positive = Allowed::positive();
  if (bandwidth)
    result.push_back({Number::bandwidth, parse_range(options.bandwidth_range, "‹bandwidth_range›", true, positive)});
  if ((options.lambdas == 1 || method.searches_lambda) && open_lambda(fit)) {
    const std::string lambda = options.lambda_range != "auto"                   ? *options.lambda_range
                               : penalises_norm(searched.value_or(family), fit) ? "1e-12:1e-4"
                                                                                : method.lambda_range;
    result.push_back({Number::lambda, parse_range(lambda, "‹lambda_range›", true, positive)});
  }
  return result;
}

/// Whether configuration 0 has the library's default for this number. λ has none, but a fit of
/// its own may choose it.
bool has_default(const Dimension& dimension, const FitOptions& fit, const TuneOptions& options) {
  return dimension.number != Number::lambda || (method_of(fit).searches_lambda && options.lambdas != 1);
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

std::vector<std::string> tuned_families(const std::string& text) {
  std::vector<std::string> names;
  if (text == "all") {
    names.emplace_back("auto");
    for (const FamilyRow& row : family_table())
      if (!row.paper.empty()) names.push_back(row.name);
    return names;
  }
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    names.push_back(text.substr(first, comma - first));
    if (names.back().empty())
      throw Error(ErrorKind::option, "the list of families contains an empty name", "‹family›",
                  "separate names by single commas");
    first = comma + 1;
  }
  for (const std::string& name : names)
    if (name != "auto") parse_family(name);
  return names;
}

Metric search_metric(Metric asked, const FitOptions& fit, Task task) {
  if (!method_of(fit).own_loss) return metric_for(asked, task);
  if (asked == Metric::automatic || asked == Metric::loss) return Metric::loss;
  throw Error(ErrorKind::option, "a fit by its own loss is compared by that loss", "‹metric›", "leave it out");
}

FitOptions with_choice(FitOptions fit, std::optional<double> lambda, std::optional<double> bandwidth) {
  fit.lambda = lambda;
  if (bandwidth) set_own_value(fit.method, "bandwidth", fmt::format("{}", *bandwidth));  // as many digits as it has
  return fit;
}

std::vector<FamilyOptions> fitted_families(const FamilyOptions& asked, const FitOptions& fit,
                                           std::vector<std::string>& notes) {
  const Method& method = method_of(fit);
  std::vector<FamilyOptions> families;
  if (method.kernel_machine) {
    families.push_back(asked);
    families.front().features = FamilyOptions{}.features;  // whatever number a front end has for random features
    return families;
  }
  std::string refused;
  for (const std::string& name : tuned_families(asked.family)) {
    FamilyOptions one = asked;
    one.family = name == "auto" ? method.automatic_family : name;
    try {
      if (one.family != "auto" && method.check_family != nullptr) method.check_family(parse_family(one.family));
    } catch (const Error&) {
      if (asked.family != "all") throw;
      refused += (refused.empty() ? "" : ", ") + name;
      continue;
    }
    const auto same = [&](const FamilyOptions& other) { return other.family == one.family; };
    if (std::none_of(families.begin(), families.end(), same)) families.push_back(std::move(one));
  }
  if (!refused.empty()) notes.push_back(fmt::format("‹fit› {} does not support {}", method.name, refused));
  return families;
}

Trial trial_of(const Candidate& candidate, const FitOptions& fit) {
  Trial trial;
  trial.number = candidate.number;
  trial.family = candidate.family;
  trial.kernel = own_value<std::string>(fit.method, "kernel").value_or("");
  trial.bandwidth = candidate.bandwidth;
  trial.lambda = candidate.lambda;
  return trial;
}

void check_ranges(const std::vector<FamilyOptions>& families, const FitOptions& fit, const TuneOptions& options,
                  bool bandwidth) {
  const auto check = [&](Number number, const Setting<std::string>& range, const char* option, const char* remedy) {
    if (!range.given()) return;
    for (const FamilyOptions& family : families)
      for (const Dimension& dimension : dimensions(family, fit, options, bandwidth))
        if (dimension.number == number) return;
    throw Error(ErrorKind::option, "no configuration of this search uses this range", option, remedy);
  };
  check(Number::sigma, options.sigma_range, "‹sigma_range›", "leave it out, or leave out ‹sigma›");
  check(Number::gamma, options.gamma_range, "‹gamma_range›", "leave it out");
  check(Number::theta, options.theta_range, "‹theta_range›", "leave it out");
  check(Number::kappa, options.kappa_range, "‹kappa_range›", "leave it out");
  check(Number::lambda, options.lambda_range, "‹lambda_range›",
        open_lambda(fit) ? "leave it out, or add ‹lambdas› 1" : "leave it out");
  check(Number::bandwidth, options.bandwidth_range, "‹bandwidth_range›", "leave it out");
}

std::vector<Candidate> candidates(const FamilyOptions& family, const FitOptions& fit, const TuneOptions& options,
                                  std::optional<double> bandwidth) {
  const std::vector<Dimension> space = dimensions(family, fit, options, bandwidth.has_value());
  const Random random(family.seed, RandomStream::search);
  const bool grid = options.search == SearchStrategy::grid;
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
  const bool presets = !grid && !options.sigma_range.given() && !options.gamma_range.given() &&
                       !options.theta_range.given() && !options.kappa_range.given() && !options.bandwidth_range.given();
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

ValidatedBy validated_by(const FamilyOptions& family, const FitOptions& fit, const BlockSource& rows) {
  const auto of_method = method_of(fit).validated_by;
  const ValidatedBy by = of_method == nullptr ? ValidatedBy::refits : of_method(fit, rows.rows());
  if (by == ValidatedBy::itself)
    throw Error(ErrorKind::option, fmt::format("{} chooses its hyperparameters itself", method_name(fit.method)),
                "‹fit›", "train it, which searches; a longer search: weft train --auto, without ‹fit›");
  if (by == ValidatedBy::left_out && !rows.rule().none()) return ValidatedBy::refits;
  return by == ValidatedBy::shared_sums && samples_from_data(family.sampling) ? ValidatedBy::refits : by;
}

std::vector<std::vector<Candidate>> next_round(std::vector<std::deque<Candidate>>& open, std::size_t size,
                                               std::size_t at_once) {
  const auto families = static_cast<std::size_t>(
      std::count_if(open.begin(), open.end(), [](const auto& family) { return !family.empty(); }));
  std::vector<std::vector<Candidate>> round;
  for (std::deque<Candidate>& family : open) {
    if (family.empty()) continue;
    const std::size_t batches = (at_once + families - 1) / families;
    const std::size_t count = std::min(batches * size, family.size());
    for (std::size_t b = 0; b < batches; ++b) {
      const std::size_t share = count * (b + 1) / batches - count * b / batches;  // even ones at the end of the queue
      if (share == 0) continue;
      const auto last = family.begin() + static_cast<std::ptrdiff_t>(share);
      round.emplace_back(family.begin(), last);
      family.erase(family.begin(), last);
    }
  }
  return round;
}

}  // namespace weft::detail
