#include <weft/kernel.hpp>

#include <weft/feature_map.hpp>

#include "compute/gpu.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

constexpr const char* kImplicit = "implicit:";
constexpr double kLeastExponent = 0.1, kLargestExponent = 2;
constexpr Index kStrip = 256;  // rows of a Gram that one thread mirrors at a time

// Rows that are summed side by side: within one, each addition waits for the one before.
constexpr Index kSummedTogether = 8;
// Below, a second thread takes as long to wake up as it would save.
constexpr Index kSerialSums = Index{1} << 18;

std::vector<double> row_means(View<const double> a) {
  std::vector<double> means(at(a.rows));
  const int threads = a.rows * a.cols < kSerialSums ? 1 : Run{}.thread_count();
  parallel_for(tile_count(a.rows, kSummedTogether), threads, [&](Index k) {
    const Tile some = tile(k, a.rows, kSummedTogether);
    const double* rows[kSummedTogether];
    double sums[kSummedTogether] = {};
    for (Index j = 0; j < kSummedTogether; ++j) rows[j] = a.row(some.first + std::min(j, some.count - 1));
    for (Index t = 0; t < a.cols; ++t)
#pragma GCC unroll 8  // or the compiler keeps the sums in memory
      for (Index j = 0; j < kSummedTogether; ++j) sums[j] += rows[j][t];
    for (Index j = 0; j < some.count; ++j)
      means[at(some.first + j)] = sums[j] / static_cast<double>(std::max<Index>(1, a.cols));
  });
  return means;
}

BasicMatrix<float> about_centre(View<const double> a, const std::vector<double>& centre) {
  auto moved = BasicMatrix<float>::unset(a.rows, a.cols);
  for (Index j = 0; j < a.rows; ++j)
    for (Index t = 0; t < a.cols; ++t) moved(j, t) = static_cast<float>(a(j, t) - centre[at(j)]);
  return moved;
}

double checked_bandwidth(double bandwidth) {
  if (bandwidth > 0 && std::isfinite(bandwidth)) return bandwidth;
  throw Error(ErrorKind::option, fmt::format("the kernel's bandwidth must be positive, not {:g}", bandwidth),
              "‹bandwidth›", "give a number");
}

double checked_exponent(double exponent) {
  if (exponent >= kLeastExponent && exponent <= kLargestExponent) return exponent;
  throw Error(ErrorKind::option, fmt::format("the kernel's exponent must be in [0.1, 2], not {:g}", exponent),
              "‹exponent›", "give a number, or leave it out for 1");
}

Constants theta_alone(std::optional<double> theta, std::string note) {
  Constants constants;
  constants.theta = theta;
  constants.note = std::move(note);
  return constants;
}

}  // namespace

Kernel Kernel::rbf(double bandwidth) {
  return {Kind::rbf, checked_bandwidth(bandwidth), 1, nullptr};
}

Kernel Kernel::laplace(double bandwidth, double exponent) {
  return {Kind::laplace, checked_bandwidth(bandwidth), checked_exponent(exponent), nullptr};
}

Kernel Kernel::laplace_l2(double bandwidth, double exponent) {
  return {Kind::laplace_l2, checked_bandwidth(bandwidth), checked_exponent(exponent), nullptr};
}

Kernel Kernel::angular(const Inputs& inputs) {
  return {Kind::angular, 0, 1,
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
  return {Kind::implicit, 0, 1,
          std::make_shared<const FeatureMap>(FeatureMap::from_parts(std::move(parts), limit.inputs()))};
}

Kernel::Kind Kernel::parse_kind(const std::string& text) {
  if (text == "rbf") return Kind::rbf;
  if (text == "laplace") return Kind::laplace;
  if (text == "laplace-l2") return Kind::laplace_l2;
  if (text == "angular") return Kind::angular;
  if (text.rfind(kImplicit, 0) == 0) return Kind::implicit;
  throw Error(ErrorKind::option, fmt::format("unknown kernel '{}'", text), "‹kernel›",
              "use rbf, laplace, laplace-l2, angular or implicit:FAMILY (see weft families)");
}

std::string Kernel::implicit_family(const std::string& text) {
  return text.substr(std::string(kImplicit).size());
}

Kernel Kernel::make(const std::string& text, std::optional<double> bandwidth, FamilyOptions family,
                    const Inputs& inputs, const ActivationPtr& custom, std::optional<double> exponent) {
  const Kind kind = parse_kind(text);
  if (exponent && !has_exponent(kind))
    throw Error(ErrorKind::option, fmt::format("the kernel {} has no exponent", text), "‹exponent›", "leave it out");
  switch (kind) {
    case Kind::rbf:
      return rbf(bandwidth.value_or(0));
    case Kind::laplace:
      return laplace(bandwidth.value_or(0), exponent.value_or(1));
    case Kind::laplace_l2:
      return laplace_l2(bandwidth.value_or(0), exponent.value_or(1));
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
  if (kind_ == Kind::laplace_l2) return "laplace-l2";
  if (kind_ == Kind::angular) return "angular";
  std::vector<std::string> families;
  for (const FeaturePart& part : limit_->parts()) families.push_back(part.family.name());
  return kImplicit + fmt::format("{}", fmt::join(families, "+"));
}

Kernel::Prepared Kernel::prepare(View<const double> a, Precision precision) const {
  Prepared prepared;
  if (limit_) return prepared;
  prepared.precision = precision;
  prepared.copies = std::make_shared<DeviceCopies>();
  const bool single = precision == Precision::float32;
  if (kind_ == Kind::laplace && !single) return prepared;
  prepared.centre = row_means(a);
  if (single) prepared.single_rows = about_centre(a, prepared.centre);
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
  device_for(run, *this, pair_operations(a, b)).kernel_values(*this, a, prepared, b, out, false, run);
}

void Kernel::gradients(View<const double> a, const Prepared& prepared, View<const double> coefficients,
                       View<const double> b, View<double> out, const Run& run) const {
  if (limit_)
    throw Error(ErrorKind::option, fmt::format("the gradients of the kernel {} have no closed form here", name()),
                "‹kernel›", "use rbf, laplace or laplace-l2");
  if (a.rows != b.rows || coefficients.rows != a.cols || out.rows != coefficients.cols * a.rows || out.cols != b.cols)
    throw Error(ErrorKind::data, "both tables must have the columns of the kernel", {},
                "coefficients are centres x outputs, gradients (outputs * inputs) x rows");
  const double operations = pair_operations(a, b) * static_cast<double>(coefficients.cols);
  device_for(run, *this, operations).kernel_gradients(*this, a, prepared, coefficients, b, out, run);
}

std::vector<double> Kernel::diagonal(View<const double> x, const Run& run) const {
  std::vector<double> result(static_cast<std::size_t>(x.cols), 1.0);
  if (limit_)
    parallel_for(x.cols, run.thread_count(), [&](Index i) {
      const View<const double> column = x.col_range(i, 1);
      result[at(i)] = limit_->implicit_kernel(column, column)(0, 0);
    });
  return result;
}

Matrix Kernel::gram(View<const double> a, const Run& run, Precision precision) const {
  Matrix result(a.cols, a.cols);
  device_for(run, *this, pair_operations(a, a)).kernel_values(*this, a, prepare(a, precision), a, result, true, run);
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
  Constants constants = theta_alone(std::sqrt(*std::max_element(diagonal.begin(), diagonal.end())), {});
  constants.theta_mean =
      std::sqrt(std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / static_cast<double>(x.cols));
  return constants;
}

}  // namespace weft
