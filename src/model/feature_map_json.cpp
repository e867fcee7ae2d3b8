#include "model/feature_map_json.hpp"

#include <weft/learned_activation.hpp>

#include "features/hadamard.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

void require_features(bool condition, const char* what) {
  if (!condition) throw Error(ErrorKind::model, fmt::format("its features are inconsistent: {}", what));
}

const LearnedActivation* learned(const Activation& activation) {
  return dynamic_cast<const LearnedActivation*>(&activation);
}

Json activation_to_json(const LearnedActivation& activation) {
  const ActivationBasis& basis = activation.basis();
  return {{"basis", basis.name()}, {"first", basis.first},   {"step", basis.step},
          {"width", basis.width},  {"degree", basis.degree}, {"coefficients", activation.coefficients()}};
}

ActivationPtr activation_from_json(const Json& json) {
  const auto kind = choice_named<ActivationBasis::Kind>(json.at("basis").get<std::string>());
  require_features(kind.has_value(), "unknown basis");
  auto coefficients = json.at("coefficients").get<std::vector<double>>();
  ActivationBasis basis{*kind,
                        static_cast<Index>(coefficients.size()),
                        json.at("first").get<double>(),
                        json.at("step").get<double>(),
                        json.at("width").get<double>(),
                        whole_from_json(json.at("degree"))};
  try {
    return std::make_shared<LearnedActivation>(basis, std::move(coefficients));
  } catch (const Error& error) {
    throw Error(ErrorKind::model, fmt::format("its learned activation is not valid: {}", error.message()));
  }
}

void check_storable(const Activation& activation) {
  if (learned(activation) != nullptr) return;
  const std::vector<std::string> names = activation_names();
  const std::string name = activation.name();
  // A custom activation may have the name of a built-in one, so the objects are compared.
  if (std::find(names.begin(), names.end(), name) != names.end() && find_activation(name).get() == &activation) return;
  throw Error(ErrorKind::model, fmt::format("the activation '{}' is a C++ function and cannot be stored", name), {},
              "use a built-in activation, or keep the model in memory");
}

std::string block_name(const std::string& prefix, std::size_t part, const char* what) {
  return fmt::format("{}part{}.{}", prefix, part, what);
}

Json inputs_to_json(const Inputs& inputs) {
  return {{"names", texts_to_json(inputs.names)}, {"variable_of", inputs.variable_of}, {"bias", inputs.bias}};
}

Inputs inputs_from_json(const Json& json) {
  Inputs inputs;
  inputs.names = texts_from_json(json.at("names"));
  inputs.variable_of = wholes_from_json(json.at("variable_of"));
  inputs.bias = json.at("bias").get<bool>();
  require_features(inputs.names.size() == inputs.variable_of.size() && !inputs.names.empty(), "names and variables");
  require_features(std::is_sorted(inputs.variable_of.begin(), inputs.variable_of.end() - (inputs.bias ? 1 : 0)),
                   "variables");
  return inputs;
}

Json part_to_json(const FeaturePart& part) {
  Json json = {{"family", part.family.name()},
               {"sigma", part.sigma},
               {"gamma", part.gamma},
               {"phase", nullptr},
               {"features", part.centres.count()}};
  if (part.phase) json["phase"] = *part.phase;
  if (const LearnedActivation* h = learned(*part.family.activation)) json["activation"] = activation_to_json(*h);
  json["groups"] = Json::array();
  for (const ColumnGroup& group : part.centres.groups) json["groups"].push_back(group.columns);
  return json;
}

// Everything the feature code assumes when it indexes.
void check_part(const FeaturePart& part, Index inputs, bool with_centres) {
  const Centres& centres = part.centres;
  std::size_t largest = 0;
  for (const ColumnGroup& group : centres.groups) {
    require_features(!group.columns.empty(), "an empty group of columns");
    for (const Index column : group.columns)
      require_features(column >= 0 && column < inputs, "a column that does not exist");
    largest = std::max(largest, group.columns.size());
  }
  require_features(largest > 0, "no group of columns");
  const Projection::Kind kind = part.family.projection.kind;
  require_features(kind != Projection::Kind::axis || largest == 1, "a stump on several columns");
  // A dense projection multiplies the whole block of inputs.
  require_features(
      kind != Projection::Kind::dense || (centres.groups.size() == 1 && static_cast<Index>(largest) == inputs),
      "a dense projection that does not see every column");
  for (const Index group : centres.group_of)
    require_features(group >= 0 && group < static_cast<Index>(centres.groups.size()), "a group that does not exist");
  require_features((centres.count() > 0) == with_centres && centres.weights.rows() == centres.count(),
                   "centres and groups");
  require_features(!with_centres || centres.weights.cols() == static_cast<Index>(largest), "centres and columns");
  require_features(centres.scales.empty() || centres.scales.size() == centres.group_of.size(), "scales");
  require_features(std::all_of(centres.scales.begin(), centres.scales.end(),
                               [](double scale) { return scale > 0 && std::isfinite(scale); }),
                   "scales that are not positive");
  require_features(centres.phases.empty() || centres.phases.size() == centres.group_of.size(), "phases");
  require_features(part.sigma > 0 && std::isfinite(part.sigma) && part.gamma > 0 && std::isfinite(part.gamma),
                   "widths");
}

void restore_weights(FeaturePart& part) {
  Centres& centres = part.centres;
  require_features(part.family.projection.kind == Projection::Kind::dense && centres.groups.size() == 1,
                   "structured centres");
  const auto inputs = static_cast<Index>(centres.groups.front().columns.size());
  const Index size = hadamard_size(inputs);
  require_features(
      centres.hadamard.cols() == size && centres.hadamard.rows() == 4 * ((centres.count() + size - 1) / size),
      "structured centres and columns");
  centres.weights = hadamard_weights(centres.hadamard, centres.count(), inputs);
}

FeaturePart part_from_json(const Json& json, const std::string& prefix, std::size_t k, const BlockFileReader& file) {
  const ActivationPtr given = json.contains("activation") ? activation_from_json(json.at("activation")) : nullptr;
  const std::vector<FamilyPart> family = parse_family(json.at("family").get<std::string>(), given);
  require_features(family.size() == 1, "a union within a part");
  FeaturePart part;
  part.family = family.front().family;
  part.sigma = json.at("sigma").get<double>();
  part.gamma = json.at("gamma").get<double>();
  if (!json.at("phase").is_null()) part.phase = json.at("phase").get<double>();
  for (const Json& columns : json.at("groups")) part.centres.groups.push_back({wholes_from_json(columns)});
  part.centres.group_of = file.indices(block_name(prefix, k, "group_of"));
  part.centres.weights = file.matrix(block_name(prefix, k, "weights"));
  part.centres.phases = file.numbers(block_name(prefix, k, "phases"));
  part.centres.scales = file.numbers(block_name(prefix, k, "scales"));
  part.centres.hadamard = file.matrix(block_name(prefix, k, "hadamard"));
  require_features(whole_from_json(json.at("features")) == part.centres.count(), "the number of features");
  if (part.centres.hadamard.rows() > 0) restore_weights(part);
  return part;
}

Json kernel_to_json(const Kernel& kernel) {
  Json json = {{"name", kernel.name()}, {"bandwidth", kernel.bandwidth()}};
  if (kernel.exponent() != 1) json["exponent"] = kernel.exponent();
  return json;
}

Kernel kernel_from_json(const Json& json, std::vector<FeaturePart> limit, const Inputs& inputs) {
  const auto name = json.at("name").get<std::string>();
  const bool implicit = Kernel::parse_kind(name) == Kernel::Kind::implicit;
  require_features(implicit != limit.empty(), "a kernel and its limit");
  Kernel kernel =
      implicit ? Kernel::implicit(FeatureMap::from_parts(std::move(limit), inputs))
               : Kernel::make(name, json.at("bandwidth").get<double>(), {}, inputs, nullptr,
                              json.contains("exponent") ? std::optional(json["exponent"].get<double>()) : std::nullopt);
  require_features(kernel.name() == name, "the kernel's name");
  return kernel;
}

void add_part(Json& parts, const std::string& prefix, const FeaturePart& part, BlockFileWriter& file) {
  const std::size_t k = parts.size();
  check_storable(*part.family.activation);
  parts.push_back(part_to_json(part));
  // The weights of structured centres follow from the diagonals.
  if (part.centres.hadamard.rows() == 0)
    file.add(block_name(prefix, k, "weights"), part.centres.weights);
  else
    file.add(block_name(prefix, k, "hadamard"), part.centres.hadamard);
  file.add(block_name(prefix, k, "group_of"), part.centres.group_of);
  file.add(block_name(prefix, k, "phases"), part.centres.phases);
  file.add(block_name(prefix, k, "scales"), part.centres.scales);
}

}  // namespace

Json features_to_json(const FeatureMap& map, const std::string& prefix, BlockFileWriter& file) {
  Json json = {{"parts", Json::array()}};
  for (const FeaturePart& part : map.parts()) add_part(json["parts"], prefix, part, file);
  if (const KernelSections* sections = map.sections()) {
    json["kernel"] = kernel_to_json(sections->kernel);
    if (sections->kernel.kind() == Kernel::Kind::implicit)
      for (const FeaturePart& part : sections->kernel.limit()->parts()) add_part(json["parts"], prefix, part, file);
  }
  return json;
}

StoredFeatures features_from_json(const Json& json, const std::string& prefix, const Inputs& inputs,
                                  const BlockFileReader& file) {
  std::vector<FeaturePart> parts;
  for (const Json& part : json.at("parts")) {
    parts.push_back(part_from_json(part, prefix, parts.size(), file));
    check_part(parts.back(), inputs.columns(), !json.contains("kernel"));
  }
  if (!json.contains("kernel")) return {std::nullopt, std::move(parts)};
  return {kernel_from_json(json.at("kernel"), std::move(parts), inputs), {}};
}

Json feature_map_to_json(const FeatureMap& map, BlockFileWriter& file) {
  Json json = {{"inputs", inputs_to_json(map.inputs())}};
  if (map.sections() != nullptr) file.add("landmarks", map.sections()->landmarks);
  json.update(features_to_json(map, "", file));
  return json;
}

FeatureMap feature_map_from_json(const Json& json, const BlockFileReader& file) {
  Inputs inputs = inputs_from_json(json.at("inputs"));
  StoredFeatures stored = features_from_json(json, "", inputs, file);
  if (stored.kernel) {
    KernelSections sections{*stored.kernel, file.matrix("landmarks")};
    require_features(sections.count() > 0 && sections.landmarks.rows() == inputs.columns(), "landmarks and columns");
    return FeatureMap::from_sections(std::move(sections), std::move(inputs));
  }
  require_features(!stored.parts.empty(), "there are no features");
  return FeatureMap::from_parts(std::move(stored.parts), std::move(inputs));
}

}  // namespace weft::detail
