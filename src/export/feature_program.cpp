#include <weft/learned_activation.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compute/weight_kernel.hpp"
#include "core/at.hpp"
#include "export/program.hpp"

namespace weft::detail {

namespace {

template <class Step>
Index position_of(const Step& step, std::vector<Step>& steps) {
  const auto found = std::find(steps.begin(), steps.end(), step);
  if (found != steps.end()) return found - steps.begin();
  steps.push_back(step);
  return static_cast<Index>(steps.size()) - 1;
}

Index learned_step(const LearnedActivation& learned, Program& program) {
  const ActivationBasis& basis = learned.basis();
  const bool spline = basis.kind == ActivationBasis::Kind::bspline;
  const double first = basis.first - (spline ? 0.5 * static_cast<double>(basis.degree + 1) * basis.step : 0);
  program.learned.push_back(
      {basis.count, first, basis.step, basis.width, basis.degree, program.add(learned.coefficients())});
  return static_cast<Index>(program.learned.size()) - 1;
}

ActivationStep activation_step(const Family& family, Program& program) {
  const Activation& h = *family.activation;
  const bool smoothed = !family.kernel.none();
  if (const auto* learned = dynamic_cast<const LearnedActivation*>(&h))
    return {learned->basis().name(), smoothed, learned_step(*learned, program)};
  const std::vector<std::string> built_in = activation_names();
  if (!h.smooth_is_closed_form() || std::find(built_in.begin(), built_in.end(), h.name()) == built_in.end())
    throw Error(ErrorKind::option, fmt::format("the activation '{}' is a function of this program", h.name()), {},
                fmt::format("train with a built-in activation ({}) or a learned one to export the model",
                            fmt::join(built_in, ", ")));
  return {h.name(), smoothed, -1};
}

/// The features of one part, by group. The factor c of the tilted mean goes into the weights, scales of the features
/// into the coefficients.
class PartProgram {
 public:
  PartProgram(const FeaturePart& part, View<const double> coefficients, Program& program)
      : part_(part),
        coefficients_(coefficients),
        tilt_(tilt_of(part.family.kernel, part.sigma, part.gamma)),
        program_(program),
        activation_(position_of(activation_step(part.family, program), program.activations)) {}

  void add() {
    std::vector<std::vector<Index>> centres(part_.centres.groups.size());
    for (Index t = 0; t < part_.centres.count(); ++t) centres[at(part_.centres.group_of[at(t)])].push_back(t);
    for (std::size_t g = 0; g < centres.size(); ++g)
      if (!centres[g].empty()) add_group(part_.centres.groups[g].columns, centres[g]);
  }

 private:
  bool axis() const { return part_.family.projection.kind == Projection::Kind::axis; }
  double phase(Index t) const { return part_.centres.phases.empty() ? 0 : part_.centres.phases[at(t)]; }

  void add_group(const std::vector<Index>& columns, const std::vector<Index>& centres) {
    FeatureGroup group;
    group.activation = activation_;
    group.spread = tilt_.s;
    group.axis = axis();
    group.count = static_cast<Index>(centres.size());
    group.width = static_cast<Index>(columns.size());
    if (part_.family.projection.kind != Projection::Kind::dense) group.columns = program_.add(columns);
    std::vector<double> weights, offsets, outputs;
    const Matrix& centre = part_.centres.weights;
    for (const Index t : centres) {
      for (Index k = 0; !axis() && k < group.width; ++k) weights.push_back(tilt_.c * centre(t, k));
      offsets.push_back(axis() ? phase(t) - tilt_.c * centre(t, 0) : phase(t));
      for (Index o = 0; o < coefficients_.cols; ++o) outputs.push_back(part_.scale(t) * coefficients_(t, o));
    }
    if (!axis()) group.weights = program_.add(weights);
    if (std::any_of(offsets.begin(), offsets.end(), [](double b) { return b != 0; }))
      group.offsets = program_.add(offsets);
    group.coefficients = program_.add(outputs);
    program_.groups.push_back(group);
  }

  const FeaturePart& part_;
  View<const double> coefficients_;
  Tilt tilt_;
  Program& program_;
  Index activation_;
};

KernelStep kernel_step(const Kernel& kernel) {
  const double bandwidth = kernel.bandwidth();
  switch (kernel.kind()) {
    case Kernel::Kind::rbf:
      return {"rbf", 0.5 / (bandwidth * bandwidth), 1};
    case Kernel::Kind::laplace_l2:
      return {"rbf", 1 / (bandwidth * bandwidth), kernel.exponent() / 2};
    case Kernel::Kind::laplace:
      return {"laplace", 1 / bandwidth, kernel.exponent()};
    case Kernel::Kind::angular:
      return {"angular", 1, 1};
    case Kernel::Kind::implicit:
      break;
  }
  throw Error(ErrorKind::option, fmt::format("the kernel {} cannot be exported", kernel.name()), {},
              fmt::format("train random features of the family ({} is their limit) or another kernel: rbf, laplace, "
                          "laplace-l2, angular",
                          kernel.name()));
}

void add_sections(const KernelSections& sections, const Matrix& coefficients, LandmarkRows& rows, Program& program) {
  SectionGroup group;
  group.kernel = position_of(kernel_step(sections.kernel), program.kernels);
  group.width = sections.landmarks.rows();
  group.count = sections.count();
  std::vector<double> positions, row(at(group.width));
  bool consecutive = true;
  for (Index t = 0; t < group.count; ++t) {
    for (Index j = 0; j < group.width; ++j) row[at(j)] = sections.landmarks(j, t);
    positions.push_back(static_cast<double>(rows.add(row.data())));
    consecutive = consecutive && positions.back() == positions.front() + static_cast<double>(t);
  }
  if (consecutive)
    group.landmarks = static_cast<Index>(positions.front());
  else
    group.positions = program.add(positions);
  group.coefficients = program.add(coefficients.data(), coefficients.rows() * coefficients.cols());
  program.sections.push_back(group);
}

}  // namespace

Index LandmarkRows::add(const double* row) {
  const std::string bytes(reinterpret_cast<const char*>(row), at(width_) * sizeof(double));
  const auto [place, is_new] = places_.emplace(bytes, static_cast<Index>(places_.size()));
  if (is_new) numbers_.insert(numbers_.end(), row, row + width_);
  return place->second;
}

LeafStep add_leaf(const FeatureMap& map, const Matrix& coefficients, const std::vector<double>& intercepts,
                  LandmarkRows& rows, Program& program) {
  LeafStep leaf;
  leaf.intercepts = program.add(intercepts);
  leaf.groups = static_cast<Index>(program.groups.size());
  if (map.sections() != nullptr && map.features() > 0) {
    leaf.sections = static_cast<Index>(program.sections.size());
    add_sections(*map.sections(), coefficients, rows, program);
  }
  Index first = 0;
  for (const FeaturePart& part : map.parts()) {
    const Index count = part.centres.count();
    PartProgram(part, coefficients.view().row_range(first, count), program).add();
    first += count;
  }
  leaf.group_count = static_cast<Index>(program.groups.size()) - leaf.groups;
  return leaf;
}

}  // namespace weft::detail
