#include <weft/prune.hpp>

#include "core/json_text.hpp"

namespace weft {

using namespace detail;

namespace {

Json change(double before, double after) {
  return {{"before", number_to_json(before)}, {"after", number_to_json(after)}};
}

Json step_to_json(const PruneStep& step) {
  return {{"lambda", number_to_json(step.lambda)},
          {"kept", step.kept},
          {"value", number_to_json(step.value)},
          {"accepted", step.accepted}};
}

}  // namespace

std::string PruneStep::to_json() const {
  return json_document(step_to_json(*this));
}

std::string PruneResult::to_json() const {
  Json json = {{"method", name_of(method)}, {"accept", name_of(accept)}, {"refit", name_of(refit)}};
  if (epsilon) json["epsilon"] = number_to_json(*epsilon);
  json["lambda"] = number_to_json(lambda);
  json["removed_percent"] = number_to_json(removed_percent());
  json["features"] = change(static_cast<double>(features_before), static_cast<double>(features_after));
  json["microseconds_per_row"] = change(1e6 * seconds_before, 1e6 * seconds_after);
  for (const auto& [name, measure] : kMeasures)
    if (train_before.*measure && train_after.*measure)
      json["train_" + std::string(name)] = change(*(train_before.*measure), *(train_after.*measure));
  json["norms"] = {{"before", numbers_to_json(norms_before)},
                   {"after", numbers_to_json(norms_after)},
                   {"distance", numbers_to_json(distances)}};
  json["speed_up"] = number_to_json(speed_up());
  json["path"] = Json::array();
  for (const PruneStep& step : path) json["path"].push_back(step_to_json(step));
  json["notes"] = notes;
  return json_document(json);
}

}  // namespace weft
