// Loops over pairs of rows on the device: a inputs × m, b inputs × m', everything in its memory.
#pragma once

#include "compute/cuda/runtime.hpp"
#include "compute/kernel_decay.hpp"

namespace weft::detail::cuda {

/// One side of the pairs.
template <class Real>
struct Side {
  View<const Real> rows;          ///< inputs × rows, about the centre where it matters
  const Real* squares = nullptr;  ///< ‖row‖², of products alone

  Side range(Index first, Index count) const {
    return {rows.col_range(first, count), squares == nullptr ? nullptr : squares + first};
  }
};

/// to = from − centre; squares (may be nullptr): the squared norms of to's columns. No centre: the origin.
template <class Real>
void move_rows(cudaStream_t stream, View<const double> from, const double* centre, View<Real> to, Real* squares);

/// out(t, i) = k(a_t, b_i) from differences. `lower`: entries above the diagonal may be left.
template <class Real>
void values_from_differences(cudaStream_t stream, const DistanceDecay& form, View<const Real> a, View<const Real> b,
                             bool lower, View<double> out);
/// slopes(t, i) = k'(x), x the distance or the squared one; 0 where x = 0.
template <class Real>
void slopes_from_differences(cudaStream_t stream, const DistanceDecay& form, View<const Real> a, View<const Real> b,
                             View<Real> slopes);

// From products(t, i) = ⟨a_t, b_i⟩, of kernels of squared distances; out may be where the products are.
template <class Real>
void values_from_products(cudaStream_t stream, const Decay& decay, View<const Real> products, const Side<Real>& a,
                          const Side<Real>& b, View<double> out);
/// (2/π) arcsin cos∠(a_t, b_i), 0 where a row is.
void angular_from_products(cudaStream_t stream, View<const double> products, const Side<double>& a,
                           const Side<double>& b, View<double> out);
constexpr Index kMarkedRows = 8;  ///< that one byte of `near` stands for
/// Slopes of pairs that are so near that differences of products would cancel are 0, and marked: bit t % kMarkedRows of
/// near(t / kMarkedRows, i).
template <class Real>
void slopes_from_products(cudaStream_t stream, const Decay& decay, View<const Real> products, const Side<Real>& a,
                          const Side<Real>& b, View<double> slopes, View<unsigned char> near);

/// out(o·inputs + j, i) += Σ_t coefficients(t, o) slopes(t, i) ∂x/∂b_j, ∂x/∂b_j = sign(b_ji − a_jt) or 2(b_ji − a_jt).
/// With several parts those of out, one below the other, have the sums over as many ranges of t.
template <class Real>
void add_gradients(cudaStream_t stream, bool squared, View<const Real> a, View<const double> coefficients,
                   View<const Real> slopes, View<const Real> b, Index parts, View<double> out);
/// Into how many parts the sums are best cut: a constant of the sizes.
Index gradient_parts(Index inputs, Index rows, Index outputs, Index cols);
/// out += the sum of the parts.
void add_parts(cudaStream_t stream, View<const double> parts, View<double> out);

/// to(o·inputs + j, t) = −2 coefficients(t, o) a(j, t)
void weigh_rows(cudaStream_t stream, View<const double> a, View<const double> coefficients, View<double> to);
/// out(o·inputs + j, i) += b(j, i) totals(o, i)
void add_scaled_columns(cudaStream_t stream, View<const double> b, View<const double> totals, View<double> out);
/// The gradients' terms of marked pairs. a and b as the distances have seen them, and in double.
template <class Real>
void add_near_gradients(cudaStream_t stream, const Decay& decay, View<const Real> a, View<const Real> b,
                        View<const double> exact_a, View<const double> exact_b, View<const unsigned char> near,
                        View<const double> coefficients, View<double> out);

}  // namespace weft::detail::cuda
