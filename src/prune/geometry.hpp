// The norms in which pruning measures its error. Both are quadratic forms in a model's coefficients b (of the
// smoothings): ‖α‖²_H = bᵀG̃b, G̃ = G/(A_s A_t), and the mean square of the predictions bᵀQb, Q = ΦᵀWΦ/W.
//
// The lasso of Dubé & Marchand 2023, eq. 60, penalises |a_t|, a_t = b_t/A_t. Amplitudes range over hundreds of orders
// of magnitude at 784 inputs, so neither a nor b is a safe unknown. Here each feature's own norm is penalised,
// |b_t| √G̃_tt: with the Gaussian kernel K(w,w) = 1 that is |a_t| exactly, with others it is the lasso on columns of
// norm 1. In these unknowns the matrix is one of correlations, whatever the amplitudes, and for Q the same rule means
// features of equal spread.
#pragma once

#include <weft/feature_map.hpp>

#include "linalg/normal_equations.hpp"

#include <vector>

namespace weft::detail {

struct Geometry {
  Matrix correlations;            ///< T × T, 1 on the diagonal; a feature of norm 0 has a row of zeros
  std::vector<double> log_norms;  ///< T: logarithms of the norms of the smoothings
};

Geometry weight_geometry(const FeatureMap& map, const Run& run);
Geometry prediction_geometry(const NormalEquations& equations);

/// Coefficients in the unknowns of a geometry: features by their own norms, outputs by theirs.
struct UnitWeights {
  Matrix shares;                  ///< outputs × T: sign and norm of each feature's part, ‖output‖ = 1 (or all 0)
  std::vector<double> log_norms;  ///< outputs; −∞ for an output that is 0
};

/// coefficients: T × outputs.
UnitWeights to_units(const Geometry& geometry, View<const double> coefficients);
Matrix from_units(const Geometry& geometry, View<const double> shares, const std::vector<double>& output_log_norms);

/// The norm of every output.
std::vector<double> norms(const Geometry& geometry, View<const double> coefficients);

/// a − b, both T × outputs.
Matrix difference(const Matrix& a, const Matrix& b);

/// correlations · shares, per output.
Matrix correlate(const Geometry& geometry, View<const double> shares);

}  // namespace weft::detail
