#include <weft/explain.hpp>

#include "core/json_text.hpp"

namespace weft {

using namespace detail;

namespace {

ActivationCurve curve_of(const LearnedActivation& activation, Index points) {
  const ActivationBasis& basis = activation.basis();
  ActivationCurve curve{basis,
                        activation.coefficients(),
                        {},
                        std::vector<double>(static_cast<std::size_t>(points)),
                        Matrix(basis.count, points)};
  for (Index k = 0; k < points; ++k)
    curve.z.push_back(basis.low() +
                      (basis.high() - basis.low()) * static_cast<double>(k) / static_cast<double>(points - 1));
  activation.value_block(points, curve.z.data(), 0.0, curve.value.data());
  for (Index i = 0; i < basis.count; ++i) {
    LearnedActivation::basis_function(basis, i)->value_block(points, curve.z.data(), 0.0, curve.terms.row(i));
    const double a = curve.coefficients[static_cast<std::size_t>(i)];
    for (Index k = 0; k < points; ++k) curve.terms(i, k) *= a;
  }
  return curve;
}

}  // namespace

std::optional<ActivationCurve> activation_curve(const Model& model, Index points) {
  check_value("points", points, Allowed::at_least(2));
  for (const FeaturePart& part : model.parts().map.parts())
    if (const auto* learned = dynamic_cast<const LearnedActivation*>(part.family.activation.get()))
      return curve_of(*learned, points);
  return std::nullopt;
}

std::string ActivationCurve::to_json() const {
  Json json = {{"basis", basis.name()},
               {"grid_points", basis.count},
               {"low", number_to_json(basis.low())},
               {"high", number_to_json(basis.high())},
               {"first", number_to_json(basis.first)},
               {"step", number_to_json(basis.step)}};
  if (basis.kind == ActivationBasis::Kind::rbf)
    json["width"] = number_to_json(basis.width);
  else
    json["degree"] = basis.degree;
  json["coefficients"] = numbers_to_json(coefficients);
  json["z"] = numbers_to_json(z);
  json["value"] = numbers_to_json(value);
  return json_document(json);
}

}  // namespace weft
