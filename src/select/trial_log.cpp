#include "select/trial_log.hpp"

#include <weft/write.hpp>

#include "core/json_text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace weft {

namespace {

constexpr const char* kKind = "weft tune log";
constexpr int kFormat = 1;

std::optional<double> number_or_none(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return number_from_json(json);
}

Json to_json(const Trial& trial) {
  return {{"number", trial.number},
          {"family", text_to_json(trial.family.family)},
          {"rows", number_to_json(trial.rows)},
          {"sigma", number_to_json(trial.family.sigma)},
          {"gamma", number_to_json(trial.family.gamma)},
          {"theta", number_to_json(trial.family.theta)},
          {"kappa", number_to_json(trial.family.kappa)},
          {"lambda", number_to_json(trial.lambda)},
          {"score", number_to_json(trial.score)},
          {"standard_error", number_to_json(trial.standard_error)},
          {"fold_scores", numbers_to_json(trial.fold_scores)},
          {"seconds", number_to_json(trial.seconds)},
          {"failure", text_to_json(trial.failure)}};
}

Trial from_json(const Json& json) {
  Trial trial;
  trial.number = json.at("number").get<Index>();
  trial.family.family = text_from_json(json.at("family"));
  trial.rows = number_from_json(json.at("rows"));
  trial.family.sigma = number_from_json(json.at("sigma"));
  trial.family.gamma = number_or_none(json.at("gamma"));
  trial.family.theta = number_or_none(json.at("theta"));
  trial.family.kappa = number_or_none(json.at("kappa"));
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
  throw Error(ErrorKind::data, message, place, "name another file with --log, or move this one away");
}

void check_header(const std::string& line, const SearchIdentity& identity, const std::string& place) {
  const Json header = Json::parse(line, nullptr, false);
  if (!header.is_object() || header.value("weft", Json()) != kKind) refuse("this is no log of weft tune", place);
  if (header.value("format", Json()) != kFormat) refuse("this log was written by another version of weft", place);
  for (const auto& [name, value] : identity) {
    const Json expected = text_to_json(value);
    if (!header.contains(name) || header.at(name) != expected)
      refuse(fmt::format("this log belongs to another search: its {} is {}, not {}", name,
                         header.contains(name) ? header.at(name).dump() : "unknown", expected.dump()),
             place);
  }
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw Error(ErrorKind::file, "it cannot be read", path, "check its permissions");
  return std::move(text).str();
}

}  // namespace

TrialLog::TrialLog(std::string path, const SearchIdentity& identity) : path_(std::move(path)) {
  if (path_.empty()) return;
  const std::string header = header_of(identity).dump() + "\n";
  if (!std::filesystem::exists(path_) || std::filesystem::file_size(path_) == 0) {
    write_file(path_, header);
    return;
  }
  const std::string text = read_all(path_);
  const std::size_t whole = text.rfind('\n') + 1;  // what follows was being written when the search ended
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  for (Index number = 1; std::getline(lines, line); ++number) {
    const std::string place = fmt::format("{}:{}", path_, number);
    if (number == 1) {
      check_header(line, identity, place);
      continue;
    }
    try {
      trials_.push_back(from_json(Json::parse(line)));
    } catch (const nlohmann::json::exception& error) {
      refuse(fmt::format("this line is no finished configuration ({})", error.what()), place);
    }
  }
  if (whole == 0) refuse("this is no log of weft tune", path_);
  if (whole < text.size()) write_file(path_, text.substr(0, whole));
}

const Trial* TrialLog::find(const Trial& wanted) const {
  for (const Trial& trial : trials_) {
    if (trial.number != wanted.number || trial.rows != wanted.rows) continue;
    const FamilyOptions& a = trial.family;
    const FamilyOptions& b = wanted.family;
    if (a.family != b.family || a.sigma != b.sigma || a.gamma != b.gamma || a.theta != b.theta || a.kappa != b.kappa)
      refuse(fmt::format("its configuration {} is not the one this search would try", trial.number), path_);
    return &trial;
  }
  return nullptr;
}

void TrialLog::append(const Trial& trial) {
  if (path_.empty()) return;
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  file << to_json(trial).dump() << '\n' << std::flush;
  if (!file)
    throw Error(ErrorKind::file, fmt::format("it cannot be written: {}", std::strerror(errno)), path_,
                "check the disk and its permissions; what was logged so far is kept");
}

}  // namespace weft
