#include <weft/model.hpp>

#include "core/json_text.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr Index kMostFeatures = 10000;

Json families_to_json(const FeatureMap& map) {
  Json json = Json::array();
  for (const FeaturePart& part : map.parts()) {
    json.push_back(
        {{"family", part.family.name()}, {"features", part.centres.count()}, {"sigma", number_to_json(part.sigma)}});
    if (!part.family.kernel.none()) json.back()["gamma"] = number_to_json(part.gamma);
  }
  return json;
}

Json sections_to_json(const KernelSections& sections) {
  Json json = {{"name", sections.kernel.name()}, {"landmarks", sections.count()}};
  if (sections.kernel.has_bandwidth()) json["bandwidth"] = number_to_json(sections.kernel.bandwidth());
  if (sections.kernel.exponent() != 1) json["exponent"] = number_to_json(sections.kernel.exponent());
  return json;
}

}  // namespace

std::string Norms::to_json() const {
  Json json = {{"rkhs", numbers_to_json(rkhs)}};
  if (l2p) json["l2p"] = numbers_to_json(*l2p);
  return json_document(json);
}

std::optional<Norms> Model::norms(const Run& run) const {
  if (parts_->map.features() > kMostFeatures) return std::nullopt;
  return Norms{rkhs_norms(run), l2p_norms(run)};
}

std::string Model::to_json(const std::optional<Norms>& norms) const {
  const ModelParts& parts = *parts_;
  Json json = {{"task", task_name(target().task)},
               {"target", target().names},
               {"classes", target().classes},
               {"families", families_to_json(parts.map)},
               {"features", parts.map.features()},
               {"inputs", parts.map.inputs().names},
               {"training_rows", parts.encoder.rows_seen()},
               {"intercepts", numbers_to_json(parts.intercepts)},
               {"probabilities", has_probabilities()},
               {"std", parts.variance_factor.rows() > 0}};
  if (const KernelSections* sections = parts.map.sections()) json["kernel"] = sections_to_json(*sections);
  if (norms) json["norms"] = Json::parse(norms->to_json());
  json["options"] = parts.options;
  json["provenance"] = parts.provenance;
  json["report"] = Json::parse(parts.report.to_json());
  return json_document(json);
}

}  // namespace weft
