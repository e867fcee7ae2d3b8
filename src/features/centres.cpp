// Maps and their centres: which columns a group sees, the widths, and how many centres each part of a union gets.
// Centre t of part k is a pure function of (seed, k, t): the first T' of T centres are the T' centres, and σ scales
// them (w = σz), so searches can share the projections of z.
#include "features/draws.hpp"

#include "core/random.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr Index kDefaultPool = 1000;

using ProjectionKind = Projection::Kind;

ColumnGroup group_of_variables(const Inputs& inputs, const std::vector<Index>& variables) {
  ColumnGroup group;
  for (Index j = 0; j < inputs.columns(); ++j) {
    const Index variable = inputs.variable_of[static_cast<std::size_t>(j)];
    if (variable < 0 || std::binary_search(variables.begin(), variables.end(), variable)) group.columns.push_back(j);
  }
  return group;
}

double subsets_of(Index n, Index k) {
  double count = 1;
  for (Index i = 0; i < k; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return std::round(count);
}

// k of 0 … n-1, uniformly: the head of a Fisher–Yates shuffle, sorted.
std::vector<Index> draw_subset(const Random& random, std::uint64_t draw, Index n, Index k) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
  for (Index i = 0; i < k; ++i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(i + random.below(n - i, draw, static_cast<std::uint32_t>(i)))]);
  order.resize(static_cast<std::size_t>(k));
  std::sort(order.begin(), order.end());
  return order;
}

// The same by shares: the first k of exponential arrivals at these rates (Efraimidis & Spirakis 2006). Variables
// without a share never arrive.
std::vector<Index> draw_subset(const Random& random, std::uint64_t draw, const std::vector<double>& shares, Index k) {
  std::vector<std::pair<double, Index>> arrivals;
  for (std::size_t v = 0; v < shares.size(); ++v)
    if (shares[v] > 0)
      arrivals.emplace_back(-std::log1p(-random.uniform(draw, static_cast<std::uint32_t>(v))) / shares[v], v);
  const auto end = arrivals.begin() + std::min<Index>(k, static_cast<Index>(arrivals.size()));
  std::partial_sort(arrivals.begin(), end, arrivals.end());
  std::vector<Index> subset;
  for (auto each = arrivals.begin(); each != end; ++each) subset.push_back(each->second);
  std::sort(subset.begin(), subset.end());
  return subset;
}

constexpr std::uint64_t kDrawsPerSubset = 20;  // with shares some subsets are so rare that they may never come

// `pool` distinct subsets of k variables, or all of them where there are not that many.
std::vector<ColumnGroup> draw_pool(const Inputs& inputs, Index k, Index pool, std::uint64_t seed) {
  const Index n = inputs.variables();
  if (k > n)
    throw Error(ErrorKind::option, fmt::format("sparse:{0} needs {0} variables, the data has {1}", k, n), "‹family›",
                fmt::format("use sparse:{} or fewer", n));
  const auto wanted = static_cast<std::size_t>(std::min(static_cast<double>(pool), subsets_of(n, k)));
  const Random random(seed, RandomStream::subsets);
  std::set<std::vector<Index>> seen;
  std::vector<ColumnGroup> groups;
  const bool alike = inputs.shares.empty();
  for (std::uint64_t draw = 0; groups.size() < wanted && (alike || draw < kDrawsPerSubset * wanted); ++draw) {
    const std::vector<Index> subset =
        alike ? draw_subset(random, draw, n, k) : draw_subset(random, draw, inputs.shares, k);
    if (seen.insert(subset).second) groups.push_back(group_of_variables(inputs, subset));
  }
  return groups;
}

// Columns of a variable share what it has.
double column_share(const Inputs& inputs, Index column) {
  if (inputs.shares.empty()) return 1;
  const Index variable = inputs.variable_of[static_cast<std::size_t>(column)];
  const auto columns = std::count(inputs.variable_of.begin(), inputs.variable_of.end(), variable);
  return inputs.shares[static_cast<std::size_t>(variable)] / static_cast<double>(columns);
}

std::vector<ColumnGroup> make_groups(const Projection& projection, const Inputs& inputs, Index pool,
                                     std::uint64_t seed) {
  std::vector<ColumnGroup> groups;
  switch (projection.kind) {
    case ProjectionKind::sparse:
      return draw_pool(inputs, projection.variables, pool, seed);
    case ProjectionKind::axis:
      for (Index j = 0; j < inputs.columns() - (inputs.bias ? 1 : 0); ++j)
        groups.push_back({{j}, column_share(inputs, j)});
      break;
    case ProjectionKind::dense:
      groups.emplace_back();
      for (Index j = 0; j < inputs.columns(); ++j) groups[0].columns.push_back(j);
      break;
  }
  if (groups.empty() || groups[0].columns.empty())
    throw Error(ErrorKind::data, "no input columns", {}, "check ‹target› and ‹drop›");
  return groups;
}

Index largest(const std::vector<ColumnGroup>& groups) {
  std::size_t size = 0;
  for (const ColumnGroup& group : groups) size = std::max(size, group.columns.size());
  return static_cast<Index>(size);
}

double choose_gamma(const FamilyOptions& options, const WeightKernel& kernel, Index dim) {
  const bool gaussian = kernel.kind() == WeightKernel::Kind::gaussian;
  if (kernel.none()) return 1;
  if (options.gamma) return *options.gamma;
  if (gaussian && options.shrink) return gamma_from_shrink(*options.shrink, options.sigma, dim);
  if (gaussian && options.exact_theta) return gamma_from_exact_theta(*options.exact_theta, options.sigma, dim);
  if (gaussian) return gamma_from_theta(options.theta.value_or(0.5), options.sigma, dim);
  return gamma_from_kappa(options.kappa.value_or(10), options.sigma, dim);
}

void check_width_options(const FamilyOptions& options) {
  const int gaussian = options.theta.has_value() + options.exact_theta.has_value();
  const int given = options.gamma.has_value() + gaussian + options.kappa.has_value() + options.shrink.has_value();
  // theta and kappa may stand together: a union can hold both kernels.
  if (given > 1 && !(given == 2 && gaussian == 1 && options.kappa))
    throw Error(ErrorKind::option,
                "gamma, theta, exact-theta, kappa and shrink are different ways to choose one number", "‹gamma›",
                "give one of them");
}

FeaturePart make_part(const FamilyOptions& options, const Family& family, const Inputs& inputs, std::uint64_t seed) {
  FeaturePart part;
  part.family = family;
  part.sigma = options.sigma;
  part.phase = options.phase;
  const bool uniform_by_default = family.kernel.none() && family.activation->name() == "cos";
  if (!part.phase && !uniform_by_default) part.phase = 0;
  part.centres.groups = make_groups(family.projection, inputs, options.pool.value_or(kDefaultPool), seed);
  part.centres.weights = Matrix(0, largest(part.centres.groups));
  // One γ serves all groups; the nominal dimension is that of the smallest (k variables and the bias).
  Index dim = part.dimension(0);
  for (std::size_t g = 1; g < part.centres.groups.size(); ++g)
    dim = std::min(dim, part.dimension(static_cast<Index>(g)));
  part.gamma = choose_gamma(options, family.kernel, dim);
  return part;
}

std::uint64_t part_seed(const FamilyOptions& options, std::size_t part) {
  return options.seed + part * 0x9E3779B97F4A7C15ULL;
}

}  // namespace

std::vector<Index> part_sizes(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom) {
  check_options(options);
  const std::vector<FamilyPart> parts = parse_family(resolve_family(options, inputs.variables()).family, custom);
  const Index total = options.features;
  Index named = 0;
  Index open = 0;
  for (const FamilyPart& part : parts) {
    named += part.features;
    open += part.features == 0 ? 1 : 0;
  }
  if (open > 0 && total - named < open)
    throw Error(ErrorKind::option, fmt::format("{} features are too few for this union", total), "‹features›",
                fmt::format("it needs at least {}", named + open));
  std::vector<Index> sizes;
  Index left = total - named;
  for (const FamilyPart& part : parts) {
    const Index size = part.features > 0 ? part.features : left / open;
    if (part.features == 0) {
      left -= size;
      --open;
    }
    sizes.push_back(size);
  }
  return sizes;
}

}  // namespace weft::detail

namespace weft {

using namespace detail;

Centres Centres::subset(std::span<const Index> positions) const {
  Centres kept;
  kept.groups = groups;
  kept.weights = Matrix(static_cast<Index>(positions.size()), weights.cols());
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const auto t = static_cast<std::size_t>(positions[k]);
    kept.group_of.push_back(group_of[t]);
    std::copy_n(weights.row(positions[k]), weights.cols(), kept.weights.row(static_cast<Index>(k)));
    if (!phases.empty()) kept.phases.push_back(phases[t]);
    if (!scales.empty()) kept.scales.push_back(scales[t]);
  }
  return kept;
}

Index FeaturePart::dimension(Index group) const {
  return family.projection.kind == ProjectionKind::axis
             ? 1
             : static_cast<Index>(centres.groups[static_cast<std::size_t>(group)].columns.size());
}

FeatureMap FeatureMap::without_centres(const FamilyOptions& given, const Inputs& inputs, const ActivationPtr& custom) {
  check_options(given);
  const FamilyOptions options = resolve_family(given, inputs.variables());
  check_width_options(options);
  check_sampling_options(options);
  std::vector<FeaturePart> parts;
  for (const FamilyPart& part : parse_family(options.family, custom))
    parts.push_back(make_part(options, part.family, inputs, part_seed(options, parts.size())));
  return {std::move(parts), inputs};
}

FeatureMap FeatureMap::draw(const FamilyOptions& options, const Inputs& inputs, const ActivationPtr& custom) {
  if (samples_from_data(options.sampling))
    throw Error(ErrorKind::option,
                fmt::format("{} chooses features from the training rows", name_of(*options.sampling)), "‹sampling›",
                "use it with 'weft train'; here use plain, orthogonal, structured, halton or sobol");
  return draw_parts(options, inputs, part_sizes(options, inputs, custom), custom);
}

namespace {

void multiply_scales(Centres& centres, const double* factors) {
  centres.scales.resize(static_cast<std::size_t>(centres.count()), 1.0);
  for (double& scale : centres.scales) scale *= *factors++;
}

}  // namespace

FeatureMap FeatureMap::from_parts(std::vector<FeaturePart> parts, Inputs inputs) {
  return {std::move(parts), std::move(inputs)};
}

}  // namespace weft

namespace weft::detail {

FeatureMap draw_parts(const FamilyOptions& options, const Inputs& inputs, const std::vector<Index>& sizes,
                      const ActivationPtr& custom) {
  std::vector<FeaturePart> parts = FeatureMap::without_centres(options, inputs, custom).parts();
  const Sampling draws = samples_from_data(options.sampling) ? *options.candidate_sampling : *options.sampling;
  for (std::size_t k = 0; k < sizes.size(); ++k) draw_centres(parts[k], sizes[k], draws, part_seed(options, k));
  return FeatureMap::from_parts(std::move(parts), inputs);
}

}  // namespace weft::detail

namespace weft {

using namespace detail;

FeatureMap FeatureMap::with_activation(const ActivationPtr& activation) const {
  FeatureMap map = *this;
  for (FeaturePart& part : map.parts_) part.family.activation = activation;
  map.forget_device_copies();
  return map;
}

FeatureMap FeatureMap::subset(const std::vector<Index>& positions, const std::vector<double>& scales) const {
  assert(std::adjacent_find(positions.begin(), positions.end(), std::greater_equal<>{}) == positions.end());
  assert(!positions.empty() && positions.front() >= 0 && positions.back() < features());
  assert(scales.empty() || scales.size() == positions.size());
  if (sections_) {
    assert(scales.empty());
    return from_sections(sections()->subset(positions), inputs_);
  }
  std::vector<FeaturePart> parts;
  Index first = 0;
  for (const FeaturePart& part : parts_) {
    const auto begin = std::lower_bound(positions.begin(), positions.end(), first);
    const auto end = std::lower_bound(positions.begin(), positions.end(), first + part.centres.count());
    if (begin != end) {
      std::vector<Index> within(begin, end);
      for (Index& position : within) position -= first;
      parts.push_back({part.family, part.sigma, part.gamma, part.phase, part.centres.subset(within)});
      if (!scales.empty()) multiply_scales(parts.back().centres, scales.data() + (begin - positions.begin()));
    }
    first += part.centres.count();
  }
  return {std::move(parts), inputs_};
}

}  // namespace weft
