// Kernels of feature blocks. Views and pointers are of the memory of the device.
#pragma once

#include "compute/cuda/learned.hpp"
#include "compute/cuda/runtime.hpp"

namespace weft::detail::cuda {

/// An activation that the device has: one of formula::Activations, by its place, or a learned one.
struct Formula {
  enum class Kind { built_in, bumps, splines };
  Kind kind = Kind::built_in;
  int place = 0;
  LearnedTable table = {};
};

/// Groups of columns: those of group g are columns[starts[g]] … columns[starts[g + 1] − 1].
struct ColumnLists {
  Index count = 0;
  const int* starts = nullptr;
  const int* columns = nullptr;
};

/// What the spread ν makes of a smoothing, for every group and row, or once for all where the steps are 0. Without p:
/// no smoothing, the activation itself.
template <class Real>
struct RowTerms {
  const Real* p = nullptr;
  const Real* q = nullptr;
  Index group_step = 0;
  Index row_step = 0;
};

/// The features of a part in the order in which they are computed. `rows` are their rows in Φ, `sources` those of
/// μ/factor; nullptr: the same order.
template <class Real>
struct FeatureList {
  Index count = 0;
  const Real* offsets = nullptr;
  const Real* scales = nullptr;
  const int* groups = nullptr;
  const int* rows = nullptr;
  const int* sources = nullptr;
};

/// The few columns of every sparse centre and its weights on them, count × width in the order of the list.
template <class Real>
struct SparseCentres {
  Index width = 0;
  const int* sizes = nullptr;
  const int* columns = nullptr;
  const Real* weights = nullptr;
};

void to_float(cudaStream_t stream, View<const double> from, View<float> to);

/// nu(g, i) = s·‖x_J‖ of row i over the columns J of group g.
template <class Real>
void spreads(cudaStream_t stream, const ColumnLists& groups, Real s, View<const Real> x, View<Real> nu);
/// nu(0, 0) = s
template <class Real>
void one_spread(cudaStream_t stream, Real s, View<Real> nu);
/// p ← the terms of the activation for the spreads in p; they are contiguous, and so are those of q.
template <class Real>
void terms(cudaStream_t stream, const Formula& h, View<Real> p, View<Real> q);

/// out(rows[k], i) = scale_k · S_h(factor · from(sources[k], i) + offset_k, ν); from and out may be the same.
template <class Real>
void activate(cudaStream_t stream, const Formula& h, const FeatureList<Real>& features, const RowTerms<Real>& terms,
              Real factor, View<const Real> from, View<Real> out);
/// The same of sparse centres: μ = factor · ⟨w, x_J⟩.
template <class Real>
void activate_sparse(cudaStream_t stream, const Formula& h, const FeatureList<Real>& features,
                     const SparseCentres<Real>& centres, const RowTerms<Real>& terms, Real factor, View<const Real> x,
                     View<Real> out);
/// out(rows[k], i) = ⟨w, x_J⟩
void project_sparse(cudaStream_t stream, const FeatureList<double>& features, const SparseCentres<double>& centres,
                    View<const double> x, View<double> out);

/// out = factor · S·H·G·H·D·H·D' · x of every block below each other, as many rows as out has
/// (compute/cpu/hadamard.hpp). `diagonals` holds four rows a block. Blocks of more than kMostHadamard numbers need a
/// scratch of their size × x.cols; for those of fewer than kLeastHadamard a product of matrices is as fast.
constexpr Index kMostHadamard = 4096, kLeastHadamard = 256;
template <class Real>
void project_hadamard(cudaStream_t stream, View<const Real> diagonals, Real factor, View<const Real> x,
                      View<Real> scratch, View<Real> out);

/// first(k, i), second(k, i) = scale_k · ∂S, ∂²S in μ = factor · from(sources[k], i) + offset_k, the spreads being in
/// terms.p. from and first may be the same.
void slopes(cudaStream_t stream, const Formula& h, const FeatureList<double>& features, const RowTerms<double>& spreads,
            double factor, View<const double> from, View<double> first, View<double> second);
/// to(t, j) = factors(t, 0) · from(t, j)
void scale_rows(cudaStream_t stream, View<const double> factors, View<const double> from, View<double> to);
/// to(o·inputs + j, i) += square · x(j, i) · around(o, i)
void add_around(cudaStream_t stream, double square, View<const double> x, View<const double> around, View<double> to);

/// Which features use an input: numbers in the list, rows of Φ and weights, those of input j at starts[j] ….
struct FeaturesOfInputs {
  const int* starts = nullptr;
  const int* numbers = nullptr;
  const int* rows = nullptr;
  const double* weights = nullptr;
};
/// to(o·inputs + j, i) += Σ_k coefficients(row_k, o) · (c·w_kj·first(k, i) + square·x(j, i)·second(k, i)) over the
/// features of input j.
void add_gradients(cudaStream_t stream, const FeaturesOfInputs& features, View<const double> coefficients, double c,
                   double square, View<const double> x, View<const double> first, View<const double> second,
                   View<double> to);

}  // namespace weft::detail::cuda
