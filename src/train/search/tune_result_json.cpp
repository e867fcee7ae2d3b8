#include <weft/tune.hpp>

#include "core/json_text.hpp"

namespace weft {

using namespace detail;

namespace {

Json point_to_json(const CurvePoint& point) {
  return {{"features", point.features},
          {"lambda", number_to_json(point.lambda)},
          {"score", number_to_json(point.score)},
          {"standard_error", number_to_json(point.standard_error)}};
}

Json trial_to_json(const Trial& trial) {
  Json json = {{"number", trial.number},
               {"family", trial.name()},
               {"features", *trial.family.features},
               {"sigma", number_to_json(*trial.family.sigma)},
               {"gamma", number_to_json(trial.family.gamma)},
               {"theta", number_to_json(trial.family.theta)},
               {"kappa", number_to_json(trial.family.kappa)},
               {"bandwidth", number_to_json(trial.bandwidth)},
               {"lambda", number_to_json(trial.lambda)},
               {"rows", number_to_json(trial.rows)},
               {"seconds", number_to_json(trial.seconds)}};
  if (trial.failed()) {
    json["failure"] = trial.failure;
    return json;
  }
  json["score"] = number_to_json(trial.score);
  json["standard_error"] = number_to_json(trial.standard_error);
  json["fold_scores"] = numbers_to_json(trial.fold_scores);
  return json;
}

}  // namespace

std::string CurvePoint::to_json() const {
  return json_document(point_to_json(*this));
}

std::string Trial::to_json() const {
  return json_document(trial_to_json(*this));
}

std::string TuneResult::to_json() const {
  Json json = {{"metric", name_of(metric)},
               {"best", trial_to_json(winner())},
               {"leave_one_out", number_to_json(leave_one_out)},
               {"generalised_cross_validation", number_to_json(generalised)},
               {"planned", planned},
               {"resumed", resumed},
               {"out_of_time", out_of_time},
               {"seconds", number_to_json(seconds)},
               {"seconds_saved_by_projections", number_to_json(saved_by_projections)},
               {"seconds_saved_by_sums", number_to_json(saved_by_sums)}};
  if (!curve.empty()) json["recommended_features"] = curve[recommended].features;
  json["curve"] = Json::array();
  for (const CurvePoint& point : curve) json["curve"].push_back(point_to_json(point));
  json["trials"] = Json::array();
  for (const Trial& trial : trials) json["trials"].push_back(trial_to_json(trial));
  json["notes"] = notes;
  return json_document(json);
}

}  // namespace weft
