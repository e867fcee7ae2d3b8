#include <weft/feature_map.hpp>

#include "compute/gpu.hpp"

#include <algorithm>
#include <cassert>
#include <mutex>

#include <fmt/format.h>

namespace weft {

using namespace detail;

/// Sections whose landmarks are made when they are first needed. Copies of a map share them.
class FeatureMap::LazySections {
 public:
  explicit LazySections(KernelSections sections)
      : kernel_(sections.kernel), count_(sections.count()), sections_(std::move(sections)) {}
  LazySections(Kernel kernel, Index count, std::function<Matrix()> landmarks)
      : kernel_(std::move(kernel)), count_(count), landmarks_(std::move(landmarks)) {}

  const Kernel& kernel() const { return kernel_; }
  Index count() const { return count_; }
  const KernelSections& sections() const {
    std::call_once(made_, [this] {
      if (sections_) return;
      sections_.emplace(KernelSections{kernel_, landmarks_()});
      assert(sections_->count() == count_);
      landmarks_ = {};  // what they were made of may go
    });
    return *sections_;
  }

 private:
  Kernel kernel_;
  Index count_;
  mutable std::function<Matrix()> landmarks_;
  mutable std::once_flag made_;
  mutable std::optional<KernelSections> sections_;
};

FeatureMap::FeatureMap(std::vector<FeaturePart> parts, Inputs inputs)
    : parts_(std::move(parts)), copies_(std::make_shared<DeviceCopies>()), inputs_(std::move(inputs)) {}

void FeatureMap::forget_device_copies() {
  copies_ = std::make_shared<DeviceCopies>();
}

FeatureMap FeatureMap::from_sections(KernelSections sections, Inputs inputs) {
  FeatureMap map({}, std::move(inputs));
  map.sections_ = std::make_shared<const LazySections>(std::move(sections));
  return map;
}

FeatureMap FeatureMap::from_sections(Kernel kernel, Index count, std::function<Matrix()> landmarks, Inputs inputs) {
  FeatureMap map({}, std::move(inputs));
  map.sections_ = std::make_shared<const LazySections>(std::move(kernel), count, std::move(landmarks));
  return map;
}

const KernelSections* FeatureMap::sections() const {
  return sections_ ? &sections_->sections() : nullptr;
}

const Kernel* FeatureMap::kernel() const {
  return sections_ ? &sections_->kernel() : nullptr;
}

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
  if (sections_) return sections()->values(x, phi, run);
  cpu().smoothings(parts_, x, phi, run);
}

void FeatureMap::smoothings(View<const double> x, View<float> phi, const Run& run) const {
  check_shapes(*this, x.rows, x.cols, phi.rows, phi.cols);
  if (!sections_) return cpu().smoothings(parts_, x, phi, run);
  Matrix values(phi.rows, phi.cols);
  sections()->values(x, values, run);
  for (Index t = 0; t < phi.rows; ++t)
    std::transform(values.row(t), values.row(t) + phi.cols, phi.row(t), [](double k) { return static_cast<float>(k); });
}

void FeatureMap::gradients(View<const double> x, View<const double> coefficients, View<double> out,
                           const Run& run) const {
  check_shapes(*this, x.rows, x.cols, coefficients.rows, out.cols);
  if (!sections_) {
    const double operations = 2.0 * static_cast<double>(x.rows * x.cols) * static_cast<double>(coefficients.rows);
    return device_for(run, *this, operations).feature_gradients({parts_, copies_.get()}, x, coefficients, out, run);
  }
  const KernelSections& made = *sections();
  made.kernel.gradients(made.landmarks, made.prepared, coefficients, x, out, run);
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
