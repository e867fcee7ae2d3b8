// Loops over the elements of matrices on the device. Views are of its memory.
#pragma once

#include "compute/cuda/runtime.hpp"

namespace weft::detail::cuda {

/// The lower triangle of to += that of from.
void add_lower(cudaStream_t stream, View<const float> from, View<double> to);
/// to += from
void add_all(cudaStream_t stream, View<const float> from, View<double> to);
/// to(i, j) = values[i], values on the device.
void fill_rows(cudaStream_t stream, const double* values, View<double> to);
/// out(i, j) = a(i, j) · factors[j], factors on the device.
void scale_columns(cudaStream_t stream, View<const double> a, const double* factors, View<double> out);
void scale_columns(cudaStream_t stream, View<const float> a, const float* factors, View<float> out);
void copy_lower(cudaStream_t stream, View<const double> from, View<double> to);
void copy_lower(cudaStream_t stream, View<const double> from, View<float> to);
void add_to_diagonal(cudaStream_t stream, View<double> a, const double* values);
void add_to_diagonal(cudaStream_t stream, View<float> a, const double* values);
/// sums[i] = Σ_j a(i, j)², likewise.
void square_sums(cudaStream_t stream, View<const double> a, double* sums);
/// out(s, t) = gram(s, t) − (sums_s/weight)·sums_t + lambda · penalty(s, t) + jitter · [s = t], t ≤ s.
void penalised_normal(cudaStream_t stream, View<const double> gram, const double* sums, double weight, double lambda,
                      View<const double> penalty, double jitter, View<double> out);
/// The triangle above the diagonal ← the one below it.
void mirror_lower(cudaStream_t stream, View<double> a);
/// out(i, t) = factor · (amplitudes[t] · phi(t, i)), amplitudes on the device.
void transpose_scaled(cudaStream_t stream, View<const double> phi, const double* amplitudes, double factor,
                      View<double> out);
/// *sum = Σ x_i·y_i in a fixed order; everything on the device.
void inner_product(cudaStream_t stream, Index n, const double* x, const double* y, double* sum);
/// y += alpha · x
void add_scaled(cudaStream_t stream, Index n, double alpha, const double* x, double* y);

}  // namespace weft::detail::cuda
