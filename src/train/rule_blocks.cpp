#include "train/rule_blocks.hpp"

#include <algorithm>

namespace weft::detail {

Json texts_json(const OptionTexts& texts) {
  Json json = Json::array();
  for (const auto& [name, text] : texts) json.push_back({name, text_to_json(text)});
  return json;
}

OptionTexts texts_from(const Json& json) {
  OptionTexts texts;
  for (const Json& pair : json) texts[pair.at(0).get<std::string>()] = text_from_json(pair.at(1));
  return texts;
}

namespace {

Json rule_json(const RowRuleOptions& options, bool text, const std::vector<std::string>& texts) {
  OptionTexts given;
  store_options(options, given);
  return {{"options", texts_json(given)}, {"text", text}, {"texts", texts_to_json(texts)}};
}

template <class T>
bool ascends(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(), [](const T& a, const T& b) { return !(a < b); }) ==
         values.end();
}

/// Options, kind and values, which both structs have.
template <class Values>
Values rule_from(const Json& json, const std::string& block, const BlockFileReader& file) {
  Values values;
  values.options = stored_options<RowRuleOptions>(texts_from(json.at("options")));
  values.text = json.at("text").get<bool>();
  values.texts = texts_from_json(json.at("texts"));
  values.numbers = file.numbers(block + ".numbers");
  const bool times = values.options.name() == "time";
  const bool one_kind = values.text ? values.numbers.empty() && !times : values.texts.empty();
  if (values.none() || !one_kind || !ascends(values.texts) || !ascends(values.numbers))
    file.damaged("the values by which rows are held out do not fit together");
  return values;
}

}  // namespace

void store_rule_values(const RuleValues& rule, Json& header, BlockFileWriter& file) {
  if (rule.none()) return;
  header["rule"] = rule_json(rule.options, rule.text, rule.texts);
  file.add("rule.numbers", rule.numbers);
  file.add("rule.rows", rule.rows);
}

RuleValues rule_values_from(const Json& header, Index rows, const BlockFileReader& file) {
  if (!header.contains("rule")) return {};
  auto values = rule_from<RuleValues>(header.at("rule"), "rule", file);
  values.rows = file.indices("rule.rows");
  Index left = rows;
  for (const Index number : values.rows)
    if (number < 0 || number > left)
      file.damaged("it counts more rows than there are");
    else
      left -= number;
  if (left != 0 || values.rows.size() != values.texts.size() + values.numbers.size())
    file.damaged("the values by which rows are held out are not those of its rows");
  return values;
}

void store_held_out(const HeldOutValues& held, Json& plan, BlockFileWriter& file) {
  if (held.none()) return;
  plan["held_out"] = rule_json(held.options, held.text, held.texts);
  plan["held_out"]["rows"] = held.rows;
  plan["held_out"]["several"] = held.several;
  file.add("held_out.numbers", held.numbers);
}

HeldOutValues held_out_from(const Json& plan, const BlockFileReader& file) {
  if (!plan.contains("held_out")) return {};
  const Json& json = plan.at("held_out");
  auto held = rule_from<HeldOutValues>(json, "held_out", file);
  held.rows = whole_from_json(json.at("rows"));
  held.several = whole_from_json(json.at("several"));
  if (held.texts.empty() && held.numbers.empty()) file.damaged("no rows are held out");
  return held;
}

}  // namespace weft::detail
