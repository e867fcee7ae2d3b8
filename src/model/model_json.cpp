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

Json members_to_json(const std::vector<Member>& members) {
  Json json = Json::array();
  for (const Member& member : members) {
    const LeafSummary summary = member.summary();
    json.push_back({{"name", member.name},
                    {"weight", number_to_json(member.weight)},
                    {"kinds", summary.kinds},
                    {"inputs", member.leaves.front().map.inputs().columns()},
                    {"leaves", summary.leaves},
                    {"features", summary.features}});
    if (!summary.bandwidths.empty()) json.back()["bandwidths"] = numbers_to_json(summary.bandwidths);
  }
  return json;
}

Json relevance_to_json(const std::vector<Relevance>& relevance) {
  Json json = Json::array();
  for (const Relevance& row : relevance)
    json.push_back({{"variable", row.variable}, {"relevance", number_to_json(row.value)}});
  return json;
}

}  // namespace

std::string Norms::to_json() const {
  Json json = {{"rkhs", numbers_to_json(rkhs)}};
  if (l2p) json["l2p"] = numbers_to_json(*l2p);
  return json_document(json);
}

std::optional<Norms> Model::norms(const Run& run) const {
  if (parts_->map.features() > kMostFeatures || !parts_->members.empty()) return std::nullopt;
  return Norms{rkhs_norms(run), l2p_norms(run)};
}

std::string Model::to_json(const std::optional<Norms>& norms) const {
  const ModelParts& parts = *parts_;
  Json json = {{"task", task_name(target().task)},
               {"target", target().names},
               {"classes", target().classes},
               {"families", families_to_json(parts.map)},
               {"features", features()},
               {"inputs", parts.map.inputs().names},
               {"training_rows", parts.encoder.rows_seen()},
               {"intercepts", numbers_to_json(parts.intercepts)},
               {"probabilities", has_probabilities()},
               {"std", parts.variance_factor.rows() > 0}};
  if (parts.loss.kind != RegressionLoss::squared) {
    json["loss"] = name_of(parts.loss.kind);
    json["columns"] = value_names();
  }
  if (const KernelSections* sections = parts.map.sections()) json["kernel"] = sections_to_json(*sections);
  if (!parts.members.empty()) json["members"] = members_to_json(parts.members);
  if (!parts.conformity.empty())
    json["intervals"] = {{"by", name_of(parts.conformity.by)}, {"rows", parts.conformity.loss.rows}};
  if (!parts.relevance.empty()) json["relevance"] = relevance_to_json(relevance());
  if (norms) json["norms"] = Json::parse(norms->to_json());
  json["options"] = parts.options;
  json["provenance"] = parts.provenance;
  json["report"] = Json::parse(parts.report.to_json());
  return json_document(json);
}

}  // namespace weft
