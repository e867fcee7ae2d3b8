#include <weft/kernel.hpp>

#include <weft/feature_map.hpp>

#include "compute/device.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr const char* kImplicit = "implicit:";
constexpr Index kStrip = 256;  // rows of a Gram that one thread mirrors at a time

std::vector<double> row_means(View<const double> a) {
  std::vector<double> means;
  for (Index j = 0; j < a.rows; ++j) {
    double sum = 0;
    for (Index t = 0; t < a.cols; ++t) sum += a(j, t);
    means.push_back(sum / static_cast<double>(std::max<Index>(1, a.cols)));
  }
  return means;
}

double checked_bandwidth(double bandwidth) {
  if (bandwidth > 0 && std::isfinite(bandwidth)) return bandwidth;
  throw Error(ErrorKind::option, fmt::format("the kernel's bandwidth must be positive, not {:g}", bandwidth),
              "‹bandwidth›", "give a number");
}

Constants theta_alone(std::optional<double> theta, std::string note) {
  Constants constants;
  constants.theta = theta;
  constants.note = std::move(note);
  return constants;
}

}  // namespace

std::vector<double> PreparedRows::column_squares(View<const double> a) {
  std::vector<double> squares(static_cast<std::size_t>(a.cols));
  for (Index j = 0; j < a.rows; ++j)
    for (Index t = 0; t < a.cols; ++t) squares[static_cast<std::size_t>(t)] += a(j, t) * a(j, t);
  return squares;
}

Matrix PreparedRows::about_centre(View<const double> a) const {
  Matrix moved(a.rows, a.cols);
  for (Index j = 0; j < a.rows; ++j)
    for (Index t = 0; t < a.cols; ++t) moved(j, t) = a(j, t) - centre[static_cast<std::size_t>(j)];
  return moved;
}

Kernel Kernel::rbf(double bandwidth) {
  return {Kind::rbf, checked_bandwidth(bandwidth), nullptr};
}

Kernel Kernel::laplace(double bandwidth) {
  return {Kind::laplace, checked_bandwidth(bandwidth), nullptr};
}

Kernel Kernel::angular(const Inputs& inputs) {
  return {Kind::angular, 0,
          std::make_shared<const FeatureMap>(FeatureMap::without_centres({.family = "rks-sign"}, inputs))};
}

Kernel Kernel::implicit(const FeatureMap& limit) {
  std::vector<FeaturePart> parts = limit.parts();
  for (FeaturePart& part : parts) {
    Centres none;
    none.groups = std::move(part.centres.groups);
    none.weights = Matrix(0, part.centres.weights.cols());
    part.centres = std::move(none);
  }
  return {Kind::implicit, 0,
          std::make_shared<const FeatureMap>(FeatureMap::from_parts(std::move(parts), limit.inputs()))};
}

Kernel::Kind Kernel::parse_kind(const std::string& text) {
  if (text == "rbf") return Kind::rbf;
  if (text == "laplace") return Kind::laplace;
  if (text == "angular") return Kind::angular;
  if (text.rfind(kImplicit, 0) == 0) return Kind::implicit;
  throw Error(ErrorKind::option, fmt::format("unknown kernel '{}'", text), "‹kernel›",
              "use rbf, laplace, angular or implicit:FAMILY (see weft families)");
}

std::string Kernel::implicit_family(const std::string& text) {
  return text.substr(std::string(kImplicit).size());
}

Kernel Kernel::make(const std::string& text, std::optional<double> bandwidth, FamilyOptions family,
                    const Inputs& inputs, const ActivationPtr& custom) {
  switch (parse_kind(text)) {
    case Kind::rbf:
      return rbf(bandwidth.value_or(0));
    case Kind::laplace:
      return laplace(bandwidth.value_or(0));
    case Kind::angular:
      return angular(inputs);
    case Kind::implicit:
      break;
  }
  family.family = implicit_family(text);
  try {
    return implicit(FeatureMap::without_centres(family, inputs, custom));
  } catch (const Error& error) {  // the family was not given where families usually are
    throw Error(error.kind(), error.message(), error.field() == "family" ? option_mark("kernel") : error.place(),
                error.hint());
  }
}

std::string Kernel::name() const {
  if (kind_ == Kind::rbf) return "rbf";
  if (kind_ == Kind::laplace) return "laplace";
  if (kind_ == Kind::angular) return "angular";
  std::vector<std::string> families;
  for (const FeaturePart& part : limit_->parts()) families.push_back(part.family.name());
  return kImplicit + fmt::format("{}", fmt::join(families, "+"));
}

Kernel::Prepared Kernel::prepare(View<const double> a) const {
  if (kind_ != Kind::rbf) return {};
  Prepared prepared{row_means(a), {}, {}};
  prepared.rows = prepared.about_centre(a);
  prepared.squares = PreparedRows::column_squares(prepared.rows);
  return prepared;
}

void Kernel::values(View<const double> a, View<const double> b, View<double> out, const Run& run) const {
  values(a, prepare(a), b, out, run);
}

void Kernel::values(View<const double> a, const Prepared& prepared, View<const double> b, View<double> out,
                    const Run& run) const {
  if (a.rows != b.rows || out.rows != a.cols || out.cols != b.cols)
    throw Error(ErrorKind::data, "both tables must have the columns of the kernel", {},
                "give two files with the same columns");
  cpu().kernel_values(*this, a, prepared, b, out, false, run);
}

std::vector<double> Kernel::diagonal(View<const double> x, const Run& run) const {
  std::vector<double> result(static_cast<std::size_t>(x.cols), 1.0);
  if (limit_)
    parallel_for(x.cols, run.thread_count(), [&](Index i) {
      const View<const double> column = x.col_range(i, 1);
      result[static_cast<std::size_t>(i)] = limit_->implicit_kernel(column, column)(0, 0);
    });
  return result;
}

Matrix Kernel::gram(View<const double> a, const Run& run) const {
  Matrix result(a.cols, a.cols);
  cpu().kernel_values(*this, a, prepare(a), a, result, true, run);
  parallel_for((a.cols + kStrip - 1) / kStrip, run.thread_count(), [&](Index k) {
    for (Index s = k * kStrip; s < std::min(a.cols, (k + 1) * kStrip); ++s)
      for (Index t = s + 1; t < a.cols; ++t) result(s, t) = result(t, s);
  });
  return result;
}

KernelSections KernelSections::subset(const std::vector<Index>& positions) const {
  Matrix kept(landmarks.rows(), static_cast<Index>(positions.size()));
  for (Index j = 0; j < landmarks.rows(); ++j)
    for (std::size_t k = 0; k < positions.size(); ++k) kept(j, static_cast<Index>(k)) = landmarks(j, positions[k]);
  return {kernel, std::move(kept)};
}

Constants KernelSections::constants(std::optional<double> max_norm) const {
  if (kernel.limit() == nullptr) return theta_alone(1, {});
  const Constants limit = kernel.limit()->constants(max_norm);
  return theta_alone(limit.theta, limit.note);
}

Constants KernelSections::constants(View<const double> x, const Run& run) const {
  const std::vector<double> diagonal = kernel.diagonal(x, run);
  return theta_alone(std::sqrt(*std::max_element(diagonal.begin(), diagonal.end())), {});
}

}  // namespace weft
