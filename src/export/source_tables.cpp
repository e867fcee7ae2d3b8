#include "export/source_tables.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::detail {

namespace {

std::string whole(Index value) {
  return fmt::format("{}", value);
}

}  // namespace

std::string SourceLanguage::number(double value) const {
  if (std::isnan(value)) return script ? "NaN" : "NAN";
  if (std::isinf(value)) return fmt::format("{}{}", value < 0 ? "-" : "", script ? "Infinity" : "INFINITY");
  const std::string digits = fmt::format("{}", value);
  return script || digits.find_first_of(".e") != std::string::npos ? digits : digits + ".0";
}

std::string SourceLanguage::text(const std::string& bytes) const {
  std::string literal = "\"";
  for (const char c : bytes) {
    if (c == '"' || c == '\\')
      literal += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < ' ' || c == 127)
      literal += fmt::format(fmt::runtime(script ? "\\x{:02x}" : "\\{:03o}"), static_cast<unsigned char>(c));
    else if (c == '?' && !script)
      literal += "\\?";  // two of them begin a trigraph
    else
      literal += c;
  }
  return literal + "\"";
}

std::string SourceLanguage::row(const std::vector<std::string>& items) const {
  return fmt::format("{}{}{}", script ? '[' : '{', fmt::join(items, ", "), script ? ']' : '}');
}

std::string SourceLanguage::list(const std::vector<std::string>& items) const {
  constexpr std::size_t kWidth = 110;
  std::string text(1, script ? '[' : '{');
  std::size_t line = text.size();
  for (const std::string& item : items) {
    const bool breaks = line + item.size() > kWidth || line == 1;
    text += breaks ? "\n  " : " ";
    line = (breaks ? 2 : line + 1) + item.size() + 1;
    text += item + ",";
  }
  if (items.empty() && !script) text += "0";  // C has no empty arrays
  return text + (script ? ']' : '}');
}

std::string SourceLanguage::numbers(const std::vector<double>& values) const {
  std::vector<std::string> items;
  for (const double value : values) items.push_back(number(value));
  return list(items);
}

std::string SourceLanguage::integers(const std::vector<Index>& values) const {
  std::vector<std::string> items;
  for (const Index value : values) items.push_back(whole(value));
  return list(items);
}

std::string SourceLanguage::texts(const std::vector<std::string>& values) const {
  std::vector<std::string> items;
  for (const std::string& value : values) items.push_back(text(value));
  return list(items);
}

std::string SourceLanguage::cells(const ScaleStep& s) const {
  return row({number(s.shift), number(s.factor), whole(s.count == 0 ? 0 : s.knots), whole(s.count)});
}

std::string SourceLanguage::cells(const LevelTable& t) const {
  std::vector<std::string> items;
  for (const Index value : {t.labels, t.count, t.positions, t.numbers, t.number_count, t.number_positions, t.one_hot,
                            t.effects, t.effect_count, t.effect_scales})
    items.push_back(whole(value));
  return row(items);
}

std::string SourceLanguage::cells(const DateTable& t) const {
  return row({number(t.start), whole(t.parts), whole(t.count), whole(t.fills)});
}

std::string SourceLanguage::cells(const LearnedStep& s) const {
  return row(
      {whole(s.count), number(s.first), number(s.step), number(s.width), whole(s.degree), whole(s.coefficients)});
}

// A pointer into the parameters must not leave them, even where it is not used.
std::string SourceLanguage::cells(const FeatureGroup& g) const {
  return row({whole(g.activation), number(g.spread), whole(g.axis ? 1 : 0), whole(g.columns), whole(g.width),
              whole(g.count), whole(g.weights < 0 ? 0 : g.weights), whole(g.offsets), whole(g.coefficients)});
}

std::string SourceLanguage::cells(const SectionGroup& g) const {
  return row(
      {whole(g.kernel), whole(g.landmarks), whole(g.width), whole(g.positions), whole(g.count), whole(g.coefficients)});
}

std::string SourceLanguage::cells(const LeafStep& leaf) const {
  return row({whole(leaf.intercepts), whole(leaf.groups), whole(leaf.group_count), whole(leaf.sections)});
}

std::string SourceLanguage::cells(const SplitStep& s) const {
  return row({whole(s.input), number(s.threshold), whole(s.below), whole(s.above)});
}

std::string SourceLanguage::cells(const MemberStep& m) const {
  return row({number(m.weight), whole(m.columns), whole(m.count), whole(m.factors), whole(m.matrix), whole(m.inputs),
              whole(m.root)});
}

}  // namespace weft::detail
