// Blocks of values and gradients of kernels of distances (docs/mathematics.md §6.4), and values of the angular one;
// implicit kernels are left to the CPU.
//
// Distances come from differences, by loops over pairs that hold them in registers (distances.cu), or, of squared forms
// with more than a few inputs, from inner products about the centre by cuBLAS, which count twice as fast as differences
// but pass through memory.
#include "compute/cuda/blas.hpp"
#include "compute/cuda/distances.hpp"
#include "compute/cuda/memory.hpp"

#include <algorithm>
#include <type_traits>

namespace weft::detail::cuda {

namespace {

using Before = Output<double>::Before;

// With fewer inputs, differences take less time than writing products and reading them again (an H200: 2 additions at
// 17 · 10¹² a second, against 2 operations at 48 · 10¹² and 16 bytes at 4.8 · 10¹²).
constexpr Index kFewInputs = 40;
constexpr Index kWorkspace = Index{192} << 20;  // bytes, of products and slopes that are not results
constexpr Index kSums = Index{64} << 20;        // bytes, of sums over parts of them
constexpr Index kLeastPanel = 1024;             // rows of a lower triangle whose products are asked for together
constexpr Index kPanels = 16;
constexpr Index kGradientCols = 32768, kGradientRows = 65536;  // pairs whose slopes are there together, at most

/// One side as distances see it.
template <class Real>
class MovedRows {
 public:
  /// rows and centre on the device; `products`: with the squared norms.
  MovedRows(const CudaDevice& device, View<const double> rows, const double* centre, bool products)
      : rows_(device), squares_(device) {
    if constexpr (std::is_same_v<Real, double>)
      if (!products) {
        side_.rows = rows;
        return;
      }
    rows_.reshape(rows.rows, rows.cols);
    if (products) squares_.reshape(1, rows.cols);
    Real* const squares = products ? squares_.view().data : nullptr;
    if (rows.cols > 0) move_rows(device.queue().stream, rows, centre, rows_.view(), squares);
    side_ = {rows_.view(), squares};
  }
  const Side<Real>& side() const { return side_; }

 private:
  DeviceMatrix<Real> rows_, squares_;
  Side<Real> side_;
};

bool same(View<const double> a, View<const double> b) {
  return a.data == b.data && a.rows == b.rows && a.cols == b.cols && a.stride == b.stride;
}

/// Stays with the rows that a kernel has prepared, where those are the host's.
struct KeptRows {
  DeviceMatrix<double> rows, centre;
};

DeviceMatrix<double> centre_of(const CudaDevice& device, const PreparedRows& prepared) {
  return upload(device, prepared.centre.data(), static_cast<Index>(prepared.centre.size()));
}

/// nullptr: they are copied for the call, or on the device.
const KeptRows* kept_rows(const CudaDevice& device, View<const double> a, const PreparedRows& prepared) {
  if (prepared.copies == nullptr || a.rows * a.cols == 0 || on_device(a.data)) return nullptr;
  const auto& kept = prepared.copies->of<KeptRows>(device, [&] {
    KeptRows made{{device, a}, centre_of(device, prepared)};
    device.finish();  // other threads read it
    return made;
  });
  return kept.rows.rows() == a.rows && kept.rows.cols() == a.cols ? &kept : nullptr;
}

/// Both sides of a block.
template <class Real>
class Pairs {
 public:
  Pairs(const CudaDevice& device, bool products, View<const double> a, const PreparedRows& prepared,
        View<const double> b)
      : device_(device),
        products_(products),
        kept_(kept_rows(device, a, prepared)),
        a_(device, kept_ == nullptr ? a : kept_->rows.view()),
        b_(device, same(a, b) ? a_.view() : b),
        own_centre_(kept_ == nullptr && needs_centre() ? centre_of(device, prepared) : DeviceMatrix<double>(device)),
        left_(device, a_, centre(), products_),
        right_(device, b_, centre(), products_) {}

  bool from_products() const { return products_; }
  const Side<Real>& left() const { return left_.side(); }
  const Side<Real>& right() const { return right_.side(); }
  View<const double> a() const { return a_; }
  View<const double> b() const { return b_; }
  const double* centre() const { return kept_ == nullptr ? own_centre_.view().data : kept_->centre.view().data; }

  /// to(t, i) = ⟨a_t, b_i⟩ about the centre.
  void multiply(const Side<Real>& a, const Side<Real>& b, View<Real> to) const {
    gemm(device_.queue(), true, false, a.rows.rows, Real{1}, a.rows, b.rows, Real{0}, to);
  }

 private:
  bool needs_centre() const { return products_ || !std::is_same_v<Real, double>; }

  const CudaDevice& device_;
  bool products_;
  const KeptRows* kept_;
  Input<double> a_, b_;
  DeviceMatrix<double> own_centre_;
  MovedRows<Real> left_, right_;
};

/// Where products of Real are put whose functions are written to doubles: to the same place if they fit.
template <class Real>
View<Real> place_of_products(DeviceMatrix<Real>& workspace, View<double> target) {
  if constexpr (std::is_same_v<Real, double>) return target;
  workspace.reshape(target.rows, target.cols);
  return workspace.view();
}

template <class Real>
Index rows_together(View<double> out, bool lower) {
  Index rows = out.rows;
  if (lower) rows = std::max(kLeastPanel, (out.rows + kPanels - 1) / kPanels);
  if (std::is_same_v<Real, double>) return rows;
  const Index fitting = kWorkspace / (static_cast<Index>(sizeof(Real)) * out.cols);
  return std::max<Index>(1, std::min(rows, fitting));
}

bool products_count_less(const DistanceDecay& form, Index inputs) {
  return form.squared && inputs > kFewInputs;
}

/// Calls values(products, left, right, target) for blocks of rows of out, all of them together if they fit.
template <class Real, class Values>
void fill_from_products(const CudaDevice& device, const Pairs<Real>& pairs, View<double> out, bool lower,
                        const Values& values) {
  DeviceMatrix<Real> workspace(device);
  const Index step = rows_together<Real>(out, lower);
  for (Index first = 0; first < out.rows; first += step) {
    const Index rows = std::min(step, out.rows - first), cols = lower ? std::min(out.cols, first + rows) : out.cols;
    const View<double> target = out.row_range(first, rows).col_range(0, cols);
    const Side<Real> left = pairs.left().range(first, rows), right = pairs.right().range(0, cols);
    const View<Real> products = place_of_products(workspace, target);
    pairs.multiply(left, right, products);
    values(View<const Real>(products), left, right, target);
  }
}

template <class Real>
void fill_values(const CudaDevice& device, const DistanceDecay& form, View<const double> a,
                 const PreparedRows& prepared, View<const double> b, View<double> out, bool lower) {
  const Pairs<Real> pairs(device, products_count_less(form, a.rows), a, prepared, b);
  const cudaStream_t stream = device.queue().stream;
  if (!pairs.from_products())
    return values_from_differences(stream, form, pairs.left().rows, pairs.right().rows, lower, out);
  fill_from_products(device, pairs, out, lower,
                     [&](const auto& products, const auto& left, const auto& right, auto to) {
                       values_from_products<Real>(stream, form.decay, products, left, right, to);
                     });
}

void fill_angular(const CudaDevice& device, View<const double> a, const PreparedRows& prepared, View<const double> b,
                  View<double> out, bool lower) {
  const Pairs<double> pairs(device, true, a, prepared, b);
  const cudaStream_t stream = device.queue().stream;
  fill_from_products(device, pairs, out, lower,
                     [&](const auto& products, const auto& left, const auto& right, auto to) {
                       angular_from_products(stream, products, left, right, to);
                     });
}

/// Rows of a whose slopes are there together: `bytes` for one of them.
Index slope_rows(Index bytes, Index rows) {
  return std::clamp<Index>(kWorkspace / bytes, 1, std::min(kGradientRows, rows));
}

/// Gradients from differences, of columns of b that begin at `first`. `out` is of these columns, and zero.
template <class Real>
void add_from_differences(const CudaDevice& device, const DistanceDecay& form, const Pairs<Real>& pairs,
                          View<const double> coefficients, Index first, View<double> out) {
  const cudaStream_t stream = device.queue().stream;
  const View<const Real> a = pairs.left().rows, b = pairs.right().rows.col_range(first, out.cols);
  const Index step = slope_rows(static_cast<Index>(sizeof(Real)) * out.cols, a.cols);
  const Index numbers = kSums / static_cast<Index>(sizeof(double));
  const Index parts = std::max<Index>(
      1, std::min(gradient_parts(a.rows, step, coefficients.cols, out.cols), numbers / (out.rows * out.cols)));
  DeviceMatrix<Real> slopes(device, step, out.cols);
  DeviceMatrix<double> sums(device);
  View<double> target = out;
  if (parts > 1) {
    sums.reshape(parts * out.rows, out.cols);
    target = sums.view();
    device.clear(target);
  }
  for (Index t = 0; t < a.cols; t += step) {
    const Index rows = std::min(step, a.cols - t);
    const View<const Real> some = a.col_range(t, rows);
    const View<Real> some_slopes = slopes.view().row_range(0, rows);
    slopes_from_differences(stream, form, some, b, some_slopes);
    add_gradients<Real>(stream, form.squared, some, coefficients.row_range(t, rows), some_slopes, b, parts, target);
  }
  if (parts > 1) add_parts(stream, target, out);
}

/// The same from inner products; exact_a and exact_b are the rows about the centre in double.
template <class Real>
void add_from_products(const CudaDevice& device, const Decay& decay, const Pairs<Real>& pairs,
                       View<const double> exact_a, View<const double> exact_b, View<const double> coefficients,
                       Index first, View<double> out) {
  const Queue& queue = device.queue();
  const Index m = exact_a.cols, cols = out.cols, outputs = coefficients.cols;
  const Side<Real> right = pairs.right().range(first, cols);
  const View<const double> b = exact_b.col_range(first, cols);
  const Index number = static_cast<Index>(sizeof(double));
  const Index step = slope_rows(number * (2 * cols + out.rows), m);
  DeviceMatrix<Real> workspace(device);
  DeviceMatrix<double> slopes(device, step, cols), scaled(device, out.rows, step), totals(device, outputs, cols);
  DeviceMatrix<unsigned char> near(device, (step + kMarkedRows - 1) / kMarkedRows, cols);
  device.clear(totals);
  for (Index t = 0; t < m; t += step) {
    const Index rows = std::min(step, m - t);
    const Side<Real> left = pairs.left().range(t, rows);
    const View<const double> a = exact_a.col_range(t, rows), alpha = coefficients.row_range(t, rows);
    const View<double> some_slopes = slopes.view().row_range(0, rows), some_scaled = scaled.view().col_range(0, rows);
    const View<unsigned char> some_near = near.view().row_range(0, (rows + kMarkedRows - 1) / kMarkedRows);
    const View<Real> products = place_of_products(workspace, some_slopes);
    pairs.multiply(left, right, products);
    slopes_from_products<Real>(queue.stream, decay, products, left, right, some_slopes, some_near);
    weigh_rows(queue.stream, a, alpha, some_scaled);
    gemm(queue, false, false, rows, 1.0, some_scaled, some_slopes, 1.0, out);
    gemm(queue, true, false, rows, 2.0, alpha, some_slopes, 1.0, totals);
    if (decay.power < 1)
      add_near_gradients<Real>(queue.stream, decay, left.rows, right.rows, a, b, some_near, alpha, out);
  }
  add_scaled_columns(queue.stream, b, totals.view(), out);
}

template <class Real>
void fill_gradients(const CudaDevice& device, const DistanceDecay& form, View<const double> a,
                    const PreparedRows& prepared, View<const double> coefficients, View<const double> b,
                    View<double> out) {
  device.clear(out);
  if (a.cols == 0) return;
  const Pairs<Real> pairs(device, products_count_less(form, a.rows), a, prepared, b);
  std::optional<MovedRows<double>> exact_a, exact_b;
  if (pairs.from_products() && !std::is_same_v<Real, double>) {
    exact_a.emplace(device, pairs.a(), pairs.centre(), true);
    exact_b.emplace(device, pairs.b(), pairs.centre(), true);
  }
  for (Index first = 0; first < out.cols; first += kGradientCols) {
    const View<double> some = out.col_range(first, std::min(kGradientCols, out.cols - first));
    if (!pairs.from_products())
      add_from_differences(device, form, pairs, coefficients, first, some);
    else if constexpr (std::is_same_v<Real, double>)
      add_from_products(device, form.decay, pairs, pairs.left().rows, pairs.right().rows, coefficients, first, some);
    else
      add_from_products(device, form.decay, pairs, exact_a->side().rows, exact_b->side().rows, coefficients, first,
                        some);
  }
}

}  // namespace

bool CudaDevice::computes(Kernel::Kind kind) const {
  return Kernel::has_bandwidth(kind) || kind == Kernel::Kind::angular;
}

void CudaDevice::kernel_values(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                               View<const double> b, View<double> out, bool lower, const Run&) const {
  if (out.rows == 0 || out.cols == 0) return;
  Output<double> values(*this, out, lower ? Before::kept : Before::unspecified);
  if (kernel.kind() == Kernel::Kind::angular)
    fill_angular(*this, a, prepared, b, values, lower);
  else if (prepared.precision == Precision::float32)
    fill_values<float>(*this, distance_decay(kernel), a, prepared, b, values, lower);
  else
    fill_values<double>(*this, distance_decay(kernel), a, prepared, b, values, lower);
  values.store();
}

void CudaDevice::kernel_gradients(const Kernel& kernel, View<const double> a, const PreparedRows& prepared,
                                  View<const double> coefficients, View<const double> b, View<double> out,
                                  const Run&) const {
  if (out.rows == 0 || out.cols == 0) return;
  const Input<double> alpha(*this, coefficients);
  Output<double> gradients(*this, out, Before::unspecified);
  if (prepared.precision == Precision::float32)
    fill_gradients<float>(*this, distance_decay(kernel), a, prepared, alpha, b, gradients);
  else
    fill_gradients<double>(*this, distance_decay(kernel), a, prepared, alpha, b, gradients);
  gradients.store();
}

}  // namespace weft::detail::cuda
