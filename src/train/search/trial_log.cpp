#include "train/search/trial_log.hpp"

#include <weft/write.hpp>

#include "core/crc64.hpp"
#include "core/json_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr const char* kKind = "weft tune log";
constexpr int kFormat = 1;
constexpr const char* kRule = "row rule";  // logs without it were written when there was none

std::optional<double> number_or_none(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return number_from_json(json);
}

Json to_json(const Trial& trial) {
  return {{"number", trial.number},
          {"family", text_to_json(trial.family.family)},
          {"rows", number_to_json(trial.rows)},
          {"sigma", number_to_json(*trial.family.sigma)},
          {"gamma", number_to_json(trial.family.gamma)},
          {"theta", number_to_json(trial.family.theta)},
          {"kappa", number_to_json(trial.family.kappa)},
          {"bandwidth", number_to_json(trial.bandwidth)},
          {"lambda", number_to_json(trial.lambda)},
          {"score", number_to_json(trial.score)},
          {"standard_error", number_to_json(trial.standard_error)},
          {"fold_scores", numbers_to_json(trial.fold_scores)},
          {"seconds", number_to_json(trial.seconds)},
          {"failure", text_to_json(trial.failure)}};
}

Trial from_json(const Json& json) {
  Trial trial;
  trial.number = whole_from_json(json.at("number"));
  trial.family.family = text_from_json(json.at("family"));
  trial.rows = number_from_json(json.at("rows"));
  trial.family.sigma = number_from_json(json.at("sigma"));
  trial.family.gamma = number_or_none(json.at("gamma"));
  trial.family.theta = number_or_none(json.at("theta"));
  trial.family.kappa = number_or_none(json.at("kappa"));
  trial.bandwidth = number_or_none(json.at("bandwidth"));
  trial.lambda = number_or_none(json.at("lambda"));
  trial.score = number_from_json(json.at("score"));
  trial.standard_error = number_from_json(json.at("standard_error"));
  for (const Json& score : json.at("fold_scores")) trial.fold_scores.push_back(number_from_json(score));
  trial.seconds = number_from_json(json.at("seconds"));
  trial.failure = text_from_json(json.at("failure"));
  return trial;
}

Json header_of(const SearchIdentity& identity) {
  Json header = {{"weft", kKind}, {"format", kFormat}};
  for (const auto& [name, value] : identity) header[name] = text_to_json(value);
  return header;
}

[[noreturn]] void refuse(const std::string& message, const std::string& place) {
  throw Error(ErrorKind::data, message, place, "name another file with ‹log›, or move this one elsewhere");
}

void check_header(const Json& header, const SearchIdentity& identity, const std::string& place) {
  if (!header.is_object() || header.value("weft", Json()) != kKind) refuse("this is not a log of weft tune", place);
  if (header.value("format", Json()) != kFormat) refuse("this log was written by another version of weft", place);
  for (const auto& [name, value] : identity) {
    const Json expected = text_to_json(value);
    if (name == kRule && value == "none" && !header.contains(name)) continue;
    if (!header.contains(name) || header.at(name) != expected)
      refuse(fmt::format("this log belongs to another search: its {} is {}, not {}", name,
                         header.contains(name) ? header.at(name).dump() : "unknown", expected.dump()),
             place);
  }
}

}  // namespace

TrialLog::TrialLog(std::string path, const SearchIdentity& identity) : lines_(std::move(path)) {
  bool headed = false;
  const bool there = lines_.read([&](const Json& line, const std::string& place) {
    if (!headed) {
      check_header(line, identity, place);
      headed = true;
      return;
    }
    try {
      trials_.push_back(from_json(line));
    } catch (const nlohmann::json::exception& error) {
      refuse(fmt::format("this line is not a finished configuration ({})", error.what()), place);
    } catch (const Error& error) {
      refuse(fmt::format("this line is not a finished configuration ({})", error.message()), place);
    }
  });
  if (!there && !lines_.path().empty()) write_file(lines_.path(), header_of(identity).dump() + "\n");
}

const Trial* TrialLog::find(const Trial& wanted) const {
  for (const Trial& trial : trials_) {
    if (trial.number != wanted.number || trial.rows != wanted.rows) continue;
    const FamilyOptions& a = trial.family;
    const FamilyOptions& b = wanted.family;
    if (a.family != b.family || a.sigma != b.sigma || a.gamma != b.gamma || a.theta != b.theta || a.kappa != b.kappa ||
        trial.bandwidth != wanted.bandwidth)
      refuse(fmt::format("its configuration {} is not the one this search would try", trial.number), lines_.path());
    return &trial;
  }
  return nullptr;
}

void TrialLog::append(const Trial& trial) {
  lines_.append(to_json(trial));
}

void TrialLog::share(Communicator& processes) {
  Json all = Json::array();
  for (const Trial& trial : trials_) all.push_back(to_json(trial));
  std::string text = all.dump();
  processes.broadcast(text, 0);
  trials_.clear();
  for (const Json& trial : Json::parse(text)) trials_.push_back(from_json(trial));
}

SearchIdentity identity_of(const Encoder& encoder, const RowRule& rule, const FamilyOptions& family,
                           const FitOptions& fit, const TuneOptions& options, Metric metric) {
  SearchIdentity identity;
  const auto add = [&](const char* name, const auto& value) {
    if constexpr (is_optional<std::decay_t<decltype(value)>>::value)
      identity.emplace_back(name, value ? fmt::format("{:g}", static_cast<double>(*value)) : "none");
    else
      identity.emplace_back(name, fmt::format("{}", stored_value(value)));
  };
  const std::string text = encoder.to_json();
  Crc64 digest;
  digest.add(text.data(), text.size());
  add("data", fmt::format("{:016x}", digest.value()));
  add("data rows", encoder.rows_seen());
  Crc64 keys;
  if (!rule.none()) keys.add(rule.keys().data(), rule.keys().size() * sizeof(Index));
  add(kRule, rule.none() ? "none" : fmt::format("{}, {:016x}", rule.describe(), keys.value()));
  for_each_field<FamilyOptions>([&](const auto& field) { add(field.name, family.*field.member); });
  add("fit", method_name(fit.method));
  for_each_fit_field(fit, [&](const auto& field, const auto& member) { add(field.name, member); });
  // More configurations of a random search begin with the same ones; elsewhere the number decides what they are.
  const std::vector<std::string> free = {"minutes", "log", "smallest", "metric",
                                         options.search == SearchStrategy::random ? "configurations" : ""};
  for_each_field<TuneOptions>([&](const auto& field) {
    if (std::find(free.begin(), free.end(), field.name) == free.end()) add(field.name, options.*field.member);
  });
  add("metric", metric);
  return identity;
}

}  // namespace weft::detail
