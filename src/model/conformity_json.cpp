#include "model/conformity_json.hpp"

#include <weft/error.hpp>

namespace weft::detail {

Json conformity_to_json(const Conformity& conformity) {
  Json counts = Json::array();
  for (const ScoreTable& table : conformity.tables) counts.push_back(table.count());
  const MeasuredLoss& loss = conformity.loss;
  return {
      {"by", name_of(conformity.by)},
      {"counts", counts},
      {"loss", {loss.rows, number_to_json(loss.mean), number_to_json(loss.variance), number_to_json(loss.largest)}}};
}

std::vector<double> conformity_numbers(const Conformity& conformity) {
  std::vector<double> numbers;
  for (const ScoreTable& table : conformity.tables)
    numbers.insert(numbers.end(), table.kept().begin(), table.kept().end());
  return numbers;
}

Conformity conformity_from_json(const Json& header, const BlockFileReader& file) {
  if (!header.contains("conformity")) return {};
  const Json& json = header["conformity"];
  const std::vector<double> numbers = file.numbers("conformity");
  // A way of scoring that a later version may add is one that this one has no name for.
  Conformity result{choice_named<ScoredBy>(json.at("by").get<std::string>()).value_or(ScoredBy::none)};
  auto next = numbers.begin();
  for (const Json& count : json.at("counts")) {
    const auto scores = whole_from_json(count);
    const Index kept = scores < 0 ? 0 : ScoreTable::kept_of(scores);
    if (kept > numbers.end() - next) throw Error(ErrorKind::model, "its scores for intervals are incomplete");
    result.tables.emplace_back(scores, std::vector<double>(next, next + kept));
    next += kept;
  }
  const Json& loss = json.at("loss");
  result.loss = {whole_from_json(loss.at(0)), number_from_json(loss.at(1)), number_from_json(loss.at(2)),
                 number_from_json(loss.at(3))};
  return result;
}

}  // namespace weft::detail
