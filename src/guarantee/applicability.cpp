#include "guarantee/applicability.hpp"

#include "features/draws.hpp"
#include "methods/method.hpp"

namespace weft::detail {

std::string option_of(const Model& model, const std::string& name) {
  const auto found = model.parts().options.find(name);
  return found == model.parts().options.end() ? "" : found->second;
}

namespace {

std::string word_of(const Model& model, const std::string& name) {
  for (const auto& [key, value] : model.parts().report.words)
    if (key == name) return value;
  return "";
}

}  // namespace

/// nullptr where the model does not record it.
const Method* Applicability::fitted_by() const {
  const std::string name = option_of(facts_.model, "fit");
  return name.empty() ? nullptr : methods()[method_options(name).index()];
}

bool chosen_by_rows(const Model& model) {
  const auto sampling = choice_named<Sampling>(option_of(model, "sampling"));
  if (sampling && samples_from_data(*sampling)) return true;
  const FeatureMap& map = model.parts().map;
  const std::string drawn = option_of(model, "features");
  return map.parts().size() == 1 && !drawn.empty() && drawn != std::to_string(map.features());
}

std::string Applicability::unweighted_minimiser() const {
  if (const Method* method = fitted_by(); method == nullptr || !method->minimises)
    return "the model does not minimise a regularised loss";
  return option_of(facts_.model, "class_weights") == name_of(ClassWeighting::balanced) ? "the fit used class weights"
                                                                                       : "";
}

std::string Applicability::rkhs() const {
  const FeatureMap& map = facts_.model.parts().map;
  if (all_plain(map)) return "plain random features have no weight function in an RKHS; Theorem 6.5 covers them";
  return some_plain(map) ? "some of the model's families have no weight kernel" : "";
}

std::string Applicability::square_integrable() const {
  const FeatureMap& map = facts_.model.parts().map;
  if (map.sections() != nullptr) return "a kernel machine has no weight function in L2(p)";
  // A weight function does not depend on how its centres were chosen; plain features do.
  if (all_plain(map) && chosen_by_rows(facts_.model)) return "the features were chosen using the rows";
  if (!facts_.l2p_norms) return "the model mixes plain and weighted features, which have no common L2(p) norm";
  return "";
}

std::string Applicability::empirical() const {
  const FeatureMap& map = facts_.model.parts().map;
  if (map.sections() == nullptr)
    return "its minimiser is over the whole ball, which random features do not span; Theorem 6.8 covers them";
  if (std::string reason = unweighted_minimiser(); !reason.empty()) return reason;
  return map.features() == facts_.sample.rows ? "" : "its minimiser is over the whole ball, and landmarks span a part";
}

std::string Applicability::square_minimiser() const {
  if (std::string reason = square_integrable(); !reason.empty()) return reason;
  if (std::string reason = unweighted_minimiser(); !reason.empty()) return reason;
  if (chosen_by_rows(facts_.model)) return "the features were selected from those drawn";
  const Regularizer penalised = all_plain(facts_.model.parts().map) ? Regularizer::ridge : Regularizer::l2p;
  return word_of(facts_.model, "regularizer") == name_of(penalised)
             ? ""
             : std::string("the fit did not penalise the L2(p) norm, which is the regularizer ") + name_of(penalised);
}

/// Theorems 6.7 and 6.8 are about features drawn from one p, and the loss without class weights.
std::string Applicability::drawn() const {
  if (std::string reason = rkhs(); !reason.empty()) return reason;
  if (facts_.model.parts().map.parts().size() > 1) return "it covers one family, and the model is a union";
  if (chosen_by_rows(facts_.model)) return "the features were selected from those drawn";
  if (!facts_.constants.kappa) return "kappa is infinite at this gamma";
  return option_of(facts_.model, "class_weights") == name_of(ClassWeighting::balanced) ? "the fit used class weights"
                                                                                       : "";
}

std::string Applicability::descent() const {
  if (const Method* method = fitted_by(); method == nullptr || !method->descends)
    return "the model was not fitted by sfgd";
  for (const char* name : {"lambda", "steps", "largest_norm"})
    if (!facts_.model.parts().report.number(name)) return std::string("the model does not record the fit's ") + name;
  return drawn();
}

std::string Applicability::minimiser() const {
  if (facts_.model.parts().map.sections() != nullptr) return "it covers random features, and this is a kernel machine";
  if (const Method* method = fitted_by(); method == nullptr || !method->minimises)
    return "the model does not minimise a regularised loss";
  if (word_of(facts_.model, "regularizer") != name_of(Regularizer::rkhs))
    return "the fit did not penalise the RKHS norm (‹regularizer› rkhs)";
  return drawn();
}

std::string Applicability::pruned() const {
  if (!facts_.original) return "it compares a pruned model with its original, and no original is given";
  if (std::string reason = rkhs(); !reason.empty()) return reason;
  return facts_.original->distance.reason;
}

std::string Applicability::prunable() const {
  if (facts_.model.parts().map.sections() != nullptr) return "it prunes random features, and this is a kernel machine";
  return rkhs();
}

std::string Applicability::exact_kernel() const {
  const KernelSections* sections = facts_.model.parts().map.sections();
  if (sections == nullptr) return "it starts from an exact kernel machine";
  const Kernel& kernel = sections->kernel;
  const bool features = kernel.kind() == Kernel::Kind::rbf || kernel.kind() == Kernel::Kind::angular ||
                        (kernel.kind() == Kernel::Kind::laplace && kernel.exponent() == 1);
  if (!features) return "the kernel has no bounded random features here: rbf, laplace and angular have";
  if (!facts_.model.parts().report.number("lambda")) return "the model does not record the fit's lambda";
  return empirical();
}

}  // namespace weft::detail
