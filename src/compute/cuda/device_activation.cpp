#include "compute/cuda/formulas.hpp"
#include "compute/cuda/part_map.hpp"
#include "compute/spline_pieces.hpp"
#include "core/at.hpp"

#include <algorithm>
#include <stdexcept>

namespace weft::detail::cuda {

namespace {

int place_of(const Activation& h) {
  return h.smooth_is_closed_form() ? find_formula(formula::Activations{}, h.name()) : -1;
}

bool is_learned(const Activation& h) {
  return h.smooth_is_closed_form() && h.name() == LearnedActivation::kName;
}

/// The bumps or cells of learned activations between the first factor and the last that are not 0.
struct Learned {
  Matrix values;
  LearnedTable table;

  explicit Learned(const LearnedActivation& h) {
    const std::vector<double>& all = h.coefficients();
    const auto used = [](double a) { return a != 0; };
    const auto begin = std::find_if(all.begin(), all.end(), used);
    const auto end = std::find_if(all.rbegin(), std::make_reverse_iterator(begin), used).base();
    const std::vector<double> factors(begin, end);
    ActivationBasis basis = h.basis();
    basis.first = basis.centre(begin - all.begin());
    basis.count = static_cast<Index>(factors.size());
    const bool splines = basis.kind == ActivationBasis::Kind::bspline;
    if (splines && !factors.empty()) {
      values = spline_pieces(basis, factors);
    } else {
      values = Matrix(basis.count, 1);
      std::copy(factors.begin(), factors.end(), values.data());
    }
    table.rows = static_cast<int>(values.rows());
    table.cols = static_cast<int>(values.cols());
    table.start = splines ? first_knot(basis) : basis.first;
    table.step = basis.step;
    table.width = basis.width;
  }
};

}  // namespace

bool DeviceActivation::has(const Activation& h) {
  return place_of(h) >= 0 || is_learned(h);
}

DeviceActivation::DeviceActivation(const CudaDevice& device, const Activation& h) : table_(device) {
  if (!has(h)) throw std::runtime_error("the GPU has no formula for the activation " + h.name());
  formula_.place = place_of(h);
  if (!is_learned(h)) return;
  const auto& learned = static_cast<const LearnedActivation&>(h);
  const Learned own(learned);
  table_ = DeviceMatrix<double>(device, own.values);
  formula_.kind = learned.basis().kind == ActivationBasis::Kind::rbf ? Formula::Kind::bumps : Formula::Kind::splines;
  formula_.table = own.table;
  formula_.table.values = table_.view().data;
}

}  // namespace weft::detail::cuda
