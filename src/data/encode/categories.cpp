#include "data/encode/categories.hpp"

#include <algorithm>
#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace weft::detail {

std::optional<double> parse_number(const std::string& text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), last, value);
  if (result.ec != std::errc() || result.ptr != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string shortest_text(double value) {
  return fmt::format("{}", value == 0 ? 0.0 : value);
}

namespace {

struct Label {
  std::string text;
  std::optional<double> number;
};

std::vector<Label> in_order(std::vector<std::string> texts) {
  std::vector<Label> labels;
  for (std::string& text : texts) {
    const std::optional<double> number = parse_number(text);
    labels.push_back({std::move(text), number});
  }
  const bool numeric = std::all_of(labels.begin(), labels.end(), [](const Label& label) { return label.number; });
  std::sort(labels.begin(), labels.end(), [numeric](const Label& a, const Label& b) {
    return numeric && *a.number != *b.number ? *a.number < *b.number : a.text < b.text;
  });
  return labels;
}

}  // namespace

Categories::Categories(std::vector<std::string> labels) {
  for (Label& label : in_order(std::move(labels))) {
    const Index position = size();
    by_text_.emplace(label.text, position);
    if (label.number) by_number_.emplace_back(*label.number, position);
    labels_.push_back(std::move(label.text));
  }
  // "1" and "1.0" are two texts but one number: the number means the label that is its shortest text.
  const auto spelling = [this](const std::pair<double, Index>& entry) {
    return labels_[static_cast<std::size_t>(entry.second)] != shortest_text(entry.first);
  };
  std::sort(by_number_.begin(), by_number_.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : std::pair(spelling(a), a.second) < std::pair(spelling(b), b.second);
  });
}

Index Categories::find(const std::string& text) const {
  const auto found = by_text_.find(text);
  if (found != by_text_.end()) return found->second;
  const std::optional<double> number = parse_number(text);
  return number ? find(*number) : kUnseen;
}

Index Categories::find(double number) const {
  const auto found = std::lower_bound(by_number_.begin(), by_number_.end(), number,
                                      [](const auto& entry, double value) { return entry.first < value; });
  return found != by_number_.end() && found->first == number ? found->second : kUnseen;
}

}  // namespace weft::detail
