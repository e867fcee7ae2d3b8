// Activations and their smoothings as operators. Tensors are rows × features, spreads also rows × 1 or scalars.
// Runtimes have erf in single precision alone.
#include <cmath>
#include <numbers>

#include "core/at.hpp"
#include "export/onnx_cells.hpp"

namespace weft::detail {

namespace {

constexpr double kRootHalf = std::numbers::sqrt2 / 2;
const double kDensity = 1 / std::sqrt(2 * std::numbers::pi);

class Formulas {
 public:
  /// `one_spread`: that of all rows is the same scalar.
  Formulas(const Program& program, const ActivationStep& step, bool one_spread, OnnxGraph& graph)
      : program_(program), step_(step), one_spread_(one_spread), graph_(graph) {}

  /// h(mu).
  std::string value(const std::string& mu) {
    const std::string& h = step_.formula;
    if (h == "sign") return node("Sign", mu);
    if (h == "step") return with("Mul", with("Add", node("Sign", mu), 1), 0.5);
    if (h == "relu") return node("Relu", mu);
    if (h == "leaky-relu") return op("Max", mu, with("Mul", mu, 0.01));
    if (h == "abs") return node("Abs", mu);
    if (h == "square") return op("Mul", mu, mu);
    if (h == "cos") return node("Cos", mu);
    if (h == "sin") return node("Sin", mu);
    if (h == "erf") return erf(mu);
    if (h == "gaussian") return node("Exp", with("Mul", op("Mul", mu, mu), -0.5));
    if (h == "rbf") return bumps(mu, graph_.number(0));
    return h == "bspline" ? splines(mu) : mu;
  }

  /// Its mean under N(mu, nu²).
  std::string smooth(const std::string& mu, const std::string& nu) {
    const std::string& h = step_.formula;
    const std::string square = op("Mul", nu, nu);
    if (h == "square") return op("Add", op("Mul", mu, mu), square);
    if (h == "cos" || h == "sin")
      return op("Mul", node("Exp", with("Mul", square, -0.5)), node(h == "cos" ? "Cos" : "Sin", mu));
    if (h == "erf") return erf(op("Div", mu, node("Sqrt", with("Add", with("Mul", square, 2), 1))));
    if (h == "gaussian") return gaussian(mu, square);
    if (h == "rbf") return bumps(mu, square);
    if (h == "identity") return mu;
    const std::string t = with("Mul", op("Div", mu, with("Max", nu, 1e-300)), kRootHalf);
    if (h == "sign") return erf(t);
    if (h == "step") return with("Mul", with("Add", erf(t), 1), 0.5);
    if (h == "abs") return op("Add", density(t, nu, 2), op("Mul", mu, erf(t)));
    const std::string relu = op("Add", density(t, nu, 1), with("Mul", op("Mul", mu, with("Add", erf(t), 1)), 0.5));
    return h == "relu" ? relu : op("Add", with("Mul", mu, 0.01), with("Mul", relu, 0.99));
  }

 private:
  std::string node(const char* name, const std::string& a) { return graph_.node(name, {a}); }
  std::string op(const char* name, const std::string& a, const std::string& b) { return graph_.node(name, {a, b}); }
  std::string with(const char* name, const std::string& a, double b) { return op(name, a, graph_.number(b)); }
  std::string erf(const std::string& t) { return onnx_erf(t, graph_); }
  std::string third(const std::string& a) { return op("Unsqueeze", a, graph_.integers({2}, {1})); }
  const LearnedStep& learned() const { return program_.learned[at(step_.learned)]; }

  /// times · nu · the normal density, which is exp(−t²).
  std::string density(const std::string& t, const std::string& nu, double times) {
    return op("Mul", with("Mul", nu, times * kDensity), node("Exp", node("Neg", op("Mul", t, t))));
  }

  std::string gaussian(const std::string& mu, const std::string& square) {
    const std::string wide = with("Add", square, 1);
    const std::string bump = node("Exp", op("Div", with("Mul", op("Mul", mu, mu), -0.5), wide));
    return op("Div", bump, node("Sqrt", wide));
  }

  std::string coefficients() {
    const double* first = program_.parameters.data() + learned().coefficients;
    return graph_.numbers({first, first + learned().count}, {learned().count});
  }

  /// Σ a_i (w/√(w² + ν²)) exp(−(μ − c_i)²/2(w² + ν²)); the third axis has the bumps.
  std::string bumps(const std::string& mu, const std::string& square) {
    std::vector<double> centres;
    for (Index k = 0; k < learned().count; ++k)
      centres.push_back(learned().first + learned().step * static_cast<double>(k));
    const std::string far = op("Sub", third(mu), graph_.numbers(centres, {learned().count}));
    std::string wide = with("Add", square, learned().width * learned().width);
    if (step_.smoothed && !one_spread_) wide = third(wide);
    const std::string bump = node("Exp", op("Div", with("Mul", op("Mul", far, far), -0.5), wide));
    const std::string height = op("Div", graph_.number(learned().width), node("Sqrt", wide));
    return op("MatMul", op("Mul", bump, height), coefficients());
  }

  /// B-splines of degree d on whole knots: M(u) = (1/d!) Σ_k (−1)^k C(d+1, k) max(u − k, 0)^d.
  std::string splines(const std::string& mu) {
    const auto degree = static_cast<double>(learned().degree);
    std::vector<double> starts;
    for (Index k = 0; k < learned().count; ++k) starts.push_back(static_cast<double>(k));
    const std::string s = with("Div", with("Sub", mu, learned().first), learned().step);
    const std::string u = op("Sub", third(s), graph_.numbers(starts, {learned().count}));
    const std::string inside = with("Max", with("Min", u, degree + 1), 0);
    double factor = 1 / std::tgamma(degree + 1);
    std::string sum;
    for (double k = 0; k <= degree; ++k) {
      const std::string term = with("Mul", with("Pow", node("Relu", with("Sub", inside, k)), degree), factor);
      sum = sum.empty() ? term : op("Add", sum, term);
      factor *= -(degree + 1 - k) / (k + 1);
    }
    return op("MatMul", sum, coefficients());
  }

  const Program& program_;
  const ActivationStep& step_;
  bool one_spread_;
  OnnxGraph& graph_;
};

/// Features of several groups side by side, as one matrix.
struct Stack {
  Index count = 0;
  std::vector<double> weights;       ///< inputs × count
  std::vector<double> used;          ///< likewise: 1 where a feature sees the input
  std::vector<double> offsets;       ///< count
  std::vector<double> coefficients;  ///< count × outputs
};

Stack stack_of(const Program& program, const std::vector<Index>& groups, Index inputs) {
  Stack stack;
  for (const Index g : groups) stack.count += program.groups[at(g)].count;
  stack.weights.resize(at(inputs * stack.count));
  stack.used.resize(stack.weights.size());
  Index t = 0;
  for (const Index g : groups) {
    const FeatureGroup& group = program.groups[at(g)];
    const double* parameters = program.parameters.data();
    const double* outputs = parameters + group.coefficients;
    stack.coefficients.insert(stack.coefficients.end(), outputs, outputs + group.count * program.outputs);
    for (Index k = 0; k < group.count; ++k, ++t) {
      stack.offsets.push_back(group.offsets < 0 ? 0 : parameters[group.offsets + k]);
      for (Index j = 0; j < group.width; ++j) {
        const Index input = group.columns < 0 ? j : program.integers[at(group.columns + j)];
        stack.weights[at(input * stack.count + t)] = group.axis ? 1 : parameters[group.weights + k * group.width + j];
        stack.used[at(input * stack.count + t)] = 1;
      }
    }
  }
  return stack;
}

}  // namespace

std::string onnx_features(const Program& program, const std::vector<Index>& groups, Index inputs, const std::string& z,
                          OnnxGraph& graph) {
  const FeatureGroup& first = program.groups[at(groups.front())];
  const ActivationStep& activation = program.activations[at(first.activation)];
  if (activation.smoothed && activation.formula == "bspline")
    throw Error(ErrorKind::option, "smoothed B-splines cannot be expressed by the operators of ONNX", "‹to›",
                "train with ‹basis› rbf or a family without a weight kernel, or use another target");
  const Stack stack = stack_of(program, groups, inputs);
  const std::vector<Index> shape = {inputs, stack.count};
  const std::string product = graph.node("MatMul", {z, graph.numbers(stack.weights, shape)});
  const std::string mu = graph.node("Add", {product, graph.numbers(stack.offsets, {stack.count})});
  Formulas formulas(program, activation, first.axis, graph);
  std::string phi;
  if (!activation.smoothed) {
    phi = formulas.value(mu);
  } else if (first.axis) {
    phi = formulas.smooth(mu, graph.number(first.spread));
  } else {
    // Squares that overflow would be NaN in the product.
    const std::string inside = graph.node("Max", {graph.node("Min", {z, graph.number(1e150)}), graph.number(-1e150)});
    const std::string squares =
        graph.node("MatMul", {graph.node("Mul", {inside, inside}), graph.numbers(stack.used, shape)});
    phi = formulas.smooth(mu, graph.node("Mul", {graph.node("Sqrt", {squares}), graph.number(first.spread)}));
  }
  return graph.node("MatMul", {phi, graph.numbers(stack.coefficients, {stack.count, program.outputs})});
}

}  // namespace weft::detail
