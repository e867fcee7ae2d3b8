#include <weft/feature_map.hpp>

#include "compute/device.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

void check_shapes(const FeatureMap& map, Index x_rows, Index x_cols, Index phi_rows, Index phi_cols) {
  if (x_rows != map.inputs().columns() || phi_rows != map.features() || phi_cols != x_cols)
    throw Error(ErrorKind::data,
                fmt::format("a {}x{} block does not fit a map of {} inputs to {} features", x_rows, x_cols,
                            map.inputs().columns(), map.features()),
                {}, "blocks are inputs x rows and features x rows");
}

}  // namespace

Index FeatureMap::features() const {
  Index count = sections_ ? sections_->count() : 0;
  for (const FeaturePart& part : parts_) count += part.centres.count();
  return count;
}

void FeatureMap::smoothings(View<const double> x, View<double> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  if (sections_) return sections_->values(x, phi, run);
  cpu().smoothings(parts_, x, phi, run);
}

void FeatureMap::smoothings(View<const double> x, View<float> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  if (!sections_) return cpu().smoothings(parts_, x, phi, run);
  Matrix values(phi.rows, phi.cols);
  sections_->values(x, values, run);
  for (Index t = 0; t < phi.rows; ++t)
    std::transform(values.row(t), values.row(t) + phi.cols, phi.row(t), [](double k) { return static_cast<float>(k); });
}

void FeatureMap::gradients(View<const double> x, View<const double> coefficients, View<double> out,
                           const Run& run) const {
  check_shapes(*this, x.rows, x.cols, coefficients.rows, out.cols);
  if (!sections_) return cpu().feature_gradients(parts_, x, coefficients, out, run);
  sections_->kernel.gradients(sections_->landmarks, sections_->prepared, coefficients, x, out, run);
}

void FeatureMap::project(View<const double> x, View<double> projections, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, projections.rows, projections.cols);
  cpu().project(parts_, x, projections, run);
}

void FeatureMap::smooth_projected(View<const double> x, View<const double> projections, double sigma, View<double> phi,
                                  const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  cpu().smooth_projected(parts_, x, projections, sigma, phi, run);
}

void FeatureMap::activate_projected(View<const double> x, View<const double> projections, const Activation& h,
                                    View<double> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  cpu().activate_projected(parts_, x, projections, h, phi, run);
}

}  // namespace weft
