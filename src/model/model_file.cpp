// Model::save and Model::load: a block file (core/block_file.hpp) whose header is
//   { "format": "weft model", "target": { "task", "names", "classes" }, "features": see model/feature_map_json.hpp,
//     "encoder": see data/encoder_json.cpp, "probabilistic", "options" and "provenance": [[name, text] …],
//     "report": { "numbers": [[name, number] …], "words": [[name, text] …], "seconds": [[stage, number] …],
//                 "warnings": [text …], "tried": see model/tried_json.hpp, where there was a choice }, "blocks": […],
//     "loss": { "name", "quantiles", "thresholds" }, where it is not the squared one or a classifier's }
// and whose further blocks are coefficients, intercepts, calibration (slopes, offsets), variance_factor,
// variance_means, noise, relevance and conformity (model/conformity_json.hpp; scores of rows predicted without them).
// "target" repeats what the encoder holds, for people who read the header. A model with members has "members"
// (model/member_json.hpp) in place of "features".
#include <weft/content_id.hpp>
#include <weft/model.hpp>

#include <fmt/format.h>

#include "compute/device.hpp"
#include "core/block_file.hpp"
#include "data/encode/encoder_json.hpp"
#include "model/conformity_json.hpp"
#include "model/feature_map_json.hpp"
#include "model/member_json.hpp"
#include "model/tried_json.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr const char* kRemedy = "copy the file again, or train the model again";

Json texts_by_name(const std::map<std::string, std::string>& texts) {
  Json json = Json::array();
  for (const auto& [name, text] : texts) json.push_back({text_to_json(name), text_to_json(text)});
  return json;
}

std::map<std::string, std::string> texts_by_name_from(const Json& json) {
  std::map<std::string, std::string> texts;
  for (const Json& pair : json) texts[text_from_json(pair.at(0))] = text_from_json(pair.at(1));
  return texts;
}

using NamedNumbers = std::vector<std::pair<std::string, double>>;

Json named_to_json(const NamedNumbers& numbers) {
  Json json = Json::array();
  for (const auto& [name, number] : numbers) json.push_back({text_to_json(name), number_to_json(number)});
  return json;
}

NamedNumbers named_from_json(const Json& json) {
  NamedNumbers numbers;
  for (const Json& pair : json) numbers.emplace_back(text_from_json(pair.at(0)), number_from_json(pair.at(1)));
  return numbers;
}

Json report_to_json(const FitReport& report) {
  Json words = Json::array();
  for (const auto& [name, text] : report.words) words.push_back({text_to_json(name), text_to_json(text)});
  Json json = {{"numbers", named_to_json(report.numbers)},
               {"words", words},
               {"seconds", named_to_json(report.seconds)},
               {"warnings", texts_to_json(report.warnings)}};
  for (const TriedCandidate& tried : report.tried) json["tried"].push_back(tried_to_json(tried));
  return json;
}

FitReport report_from_json(const Json& json) {
  FitReport report;
  report.numbers = named_from_json(json.at("numbers"));
  for (const Json& pair : json.at("words"))
    report.words.emplace_back(text_from_json(pair.at(0)), text_from_json(pair.at(1)));
  report.seconds = named_from_json(json.at("seconds"));
  report.warnings = texts_from_json(json.at("warnings"));
  if (json.contains("tried"))
    for (const Json& tried : json["tried"]) report.tried.push_back(tried_from_json(tried));
  return report;
}

Json target_to_json(const TargetInfo& target) {
  return {{"task", task_name(target.task)},
          {"names", texts_to_json(target.names)},
          {"classes", texts_to_json(target.classes)}};
}

Json loss_to_json(const FittedLoss& loss) {
  return {{"name", name_of(loss.kind)}, {"quantiles", loss.quantiles}, {"thresholds", loss.thresholds}};
}

FittedLoss loss_from_json(const Json& json) {
  const auto kind = choice_named<RegressionLoss>(json.at("name").get<std::string>());
  if (!kind) throw Error(ErrorKind::model, "its loss is not one of this version");
  return {*kind, json.at("quantiles").get<std::vector<double>>(), json.at("thresholds").get<std::vector<double>>()};
}

// Slopes, then offsets.
std::vector<double> calibration_numbers(const Calibration& calibration) {
  std::vector<double> numbers = calibration.slope;
  numbers.insert(numbers.end(), calibration.offset.begin(), calibration.offset.end());
  return numbers;
}

Calibration calibration_from(const std::vector<double>& numbers) {
  if (numbers.size() % 2 != 0) throw Error(ErrorKind::model, "its calibration has slopes without offsets");
  const auto middle = numbers.begin() + static_cast<Index>(numbers.size() / 2);
  return {{numbers.begin(), middle}, {middle, numbers.end()}};
}

ModelParts parts_from(BlockFileReader file) {
  file.refuse_non_finite();
  const Json& header = file.header();
  if (const auto format = header.at("format").get<std::string>(); format != "weft model")
    throw Error(ErrorKind::model, fmt::format("it is not a model: it calls itself '{}'", format));
  const Encoder encoder = encoder_from_json(header.at("encoder"));
  const bool members = header.contains("members");
  return {.encoder = encoder,
          .map = members ? FeatureMap::from_parts({}, encoder.inputs())
                         : feature_map_from_json(header.at("features"), file),
          .coefficients = file.matrix("coefficients"),
          .intercepts = file.numbers("intercepts"),
          .members = members ? members_from_json(header.at("members"), encoder.inputs(), file) : std::vector<Member>(),
          .relevance = file.numbers("relevance"),
          .probabilistic = header.at("probabilistic").get<bool>(),
          .loss = header.contains("loss") ? loss_from_json(header.at("loss")) : FittedLoss{},
          .calibration = calibration_from(file.numbers("calibration")),
          .variance_factor = file.matrix("variance_factor"),
          .variance_means = file.numbers("variance_means"),
          .intercept_variance = header.at("intercept_variance").get<double>(),
          .noise = file.numbers("noise"),
          .conformity = conformity_from_json(header, file),
          .report = report_from_json(header.at("report")),
          .options = texts_by_name_from(header.at("options")),
          .provenance = texts_by_name_from(header.at("provenance"))};
}

/// The first version whose readers understand the model.
std::uint32_t version_of(const ModelParts& parts) {
  if (parts.loss.kind != RegressionLoss::squared) return 4;
  if (!parts.members.empty() || parts.encoder.options().scale == Scaling::both || !parts.encoder.many_levels().empty())
    return 3;
  const KernelSections* sections = parts.map.sections();
  if (sections == nullptr) return 1;
  const Kernel& kernel = sections->kernel;
  return kernel.kind() == Kernel::Kind::laplace_l2 || kernel.exponent() != 1 ? 3 : 2;
}

// Calls write(file, header, version) with the contents of a model.
template <class Write>
void write_parts(const ModelParts& parts, const Write& write) {
  BlockFileWriter file;
  Json header = {{"format", "weft model"}, {"target", target_to_json(parts.encoder.target())}};
  if (parts.members.empty())
    header["features"] = feature_map_to_json(parts.map, file);
  else
    header["members"] = members_to_json(parts.members, file);
  header["encoder"] = Json::parse(parts.encoder.to_json());
  header["probabilistic"] = parts.probabilistic;
  if (parts.loss.kind != RegressionLoss::squared) header["loss"] = loss_to_json(parts.loss);
  header["intercept_variance"] = parts.intercept_variance;
  header["options"] = texts_by_name(parts.options);
  header["provenance"] = texts_by_name(parts.provenance);
  header["report"] = report_to_json(parts.report);
  const std::vector<double> calibration = calibration_numbers(parts.calibration);
  file.add("coefficients", parts.coefficients);
  file.add("intercepts", parts.intercepts);
  file.add("calibration", calibration);
  file.add("variance_factor", parts.variance_factor);
  file.add("variance_means", parts.variance_means);
  file.add("noise", parts.noise);
  file.add("relevance", parts.relevance);
  const std::vector<double> scores = conformity_numbers(parts.conformity);
  if (!scores.empty()) header["conformity"] = conformity_to_json(parts.conformity);
  file.add("conformity", scores);
  write(file, std::move(header), version_of(parts));
}

// `place` names the source in error messages.
template <class Open>
Model read_model(const std::string& place, const Open& open) {
  try {
    return Model(parts_from(open()));
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::model, std::string("its header cannot be read: ") + error.what(), place, kRemedy);
  } catch (const Error& error) {
    if (error.place() == place) throw;
    if (error.kind() == ErrorKind::memory) throw Error(error.kind(), error.message(), place, error.hint());
    throw Error(ErrorKind::model, error.message(), place, kRemedy);
  }
}

constexpr const char* kBytes = "model bytes";

}  // namespace

void Model::save(const std::string& path) const {
  try {
    write_parts(*parts_, [&](const BlockFileWriter& file, Json header, std::uint32_t version) {
      file.write(path, std::move(header), version);
    });
  } catch (const Error& error) {
    if (!error.place().empty()) throw;
    throw Error(error.kind(), error.message(), path, error.hint());
  }
}

Model Model::load(const std::string& path) {
  return read_model(path, [&] { return BlockFileReader(path, {"model"}, load_products); });
}

std::string content_id(const Model& model) {
  std::string id;
  write_parts(model.parts(), [&](const BlockFileWriter& file, Json header, std::uint32_t version) {
    header.erase("provenance");
    header["report"].erase("seconds");
    // How the job was run: a resumed fit is the fit that was not interrupted.
    for (Json& option : header["options"]) {
      if (option[0] == "checkpoint") option[1] = "";
      if (option[0] == "resume") option[1] = "false";
    }
    id = fmt::format("{:016x}", file.checksum(std::move(header), version));
  });
  return id;
}

std::string Model::to_bytes() const {
  std::string bytes;
  write_parts(*parts_, [&](const BlockFileWriter& file, Json header, std::uint32_t version) {
    bytes = file.bytes(std::move(header), version);
  });
  return bytes;
}

Model Model::from_bytes(const std::string& bytes) {
  return read_model(kBytes, [&] { return BlockFileReader(kBytes, bytes); });
}

}  // namespace weft
