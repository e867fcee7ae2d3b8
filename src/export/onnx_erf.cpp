// erf in double precision, which runtimes lack: in single precision, features with large coefficients would lose 1e-5
// of a prediction. With t = 1/(1 + z/2),
//
//   erf z = 1 − t·exp(−z² + P(2t − 1)),  z ≥ 0,
//
// P a polynomial that interpolates log(exp(z²) erfc(z)/t) at Chebyshev nodes (Press et al. 2007, §6.2.2).
#include <cmath>
#include <numbers>

#include "core/at.hpp"
#include "export/onnx_cells.hpp"

namespace weft::detail {

namespace {

constexpr Index kDegree = 26;

/// exp(z²) erfc(z), z ≥ 0; the continued fraction where z is large.
double scaled_erfc(double z) {
  if (z < 2) return std::exp(z * z) * std::erfc(z);
  double fraction = z;
  for (int k = 200; k >= 1; --k) fraction = z + k / (2 * fraction);
  return 1 / (fraction * std::sqrt(std::numbers::pi));
}

/// Coefficients of T_0, T_1, … .
std::vector<double> chebyshev_coefficients() {
  constexpr Index nodes = kDegree + 1;
  std::vector<double> coefficients(at(nodes));
  for (Index k = 0; k < nodes; ++k) {
    const double angle = std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(nodes);
    const double t = (std::cos(angle) + 1) / 2, value = std::log(scaled_erfc(2 * (1 - t) / t) / t);
    for (Index j = 0; j < nodes; ++j)
      coefficients[at(j)] +=
          (j == 0 ? 1.0 : 2.0) / static_cast<double>(nodes) * value * std::cos(static_cast<double>(j) * angle);
  }
  return coefficients;
}

}  // namespace

std::string onnx_erf(const std::string& z, OnnxGraph& graph) {
  static const std::vector<double> coefficients = chebyshev_coefficients();
  const auto op = [&](const char* name, const std::string& a, const std::string& b) {
    return graph.node(name, {a, b});
  };
  const auto with = [&](const char* name, const std::string& a, double b) { return op(name, a, graph.number(b)); };
  const std::string size = graph.node("Abs", {z});
  const std::string t = graph.node("Reciprocal", {with("Add", with("Mul", size, 0.5), 1)});
  const std::string y = with("Sub", with("Mul", t, 2), 1), twice = with("Mul", y, 2);
  // Clenshaw: b_j = c_j + 2y·b_{j+1} − b_{j+2}, and P = c_0 + y·b_1 − b_2.
  std::string last = with("Mul", t, 0), b = with("Add", last, coefficients.back());
  for (Index j = kDegree - 1; j >= 1; --j) {
    const std::string next = op("Sub", with("Add", op("Mul", twice, b), coefficients[at(j)]), last);
    last = b;
    b = next;
  }
  const std::string p = op("Sub", with("Add", op("Mul", y, b), coefficients[0]), last);
  const std::string tail = op("Mul", t, graph.node("Exp", {op("Sub", p, op("Mul", size, size))}));
  return op("Mul", graph.node("Sign", {z}), op("Sub", graph.number(1), tail));
}

}  // namespace weft::detail
