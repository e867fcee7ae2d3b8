// The values of a categorical variable or target: ordered labels that are found by text or by number.
#pragma once

#include <weft/matrix.hpp>

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft::detail {

/// The finite number that the whole text stands for, if any.
std::optional<double> parse_number(const std::string& text);
/// The shortest text that reads back as `value`: "1", "0.5"; both zeros are "0".
std::string shortest_text(double value);

class Categories {
 public:
  static constexpr Index kUnseen = -1;

  Categories() = default;
  /// Orders the labels: by value where every one is a number, else by text.
  explicit Categories(std::vector<std::string> labels);

  Index size() const { return static_cast<Index>(labels_.size()); }
  const std::vector<std::string>& labels() const { return labels_; }

  /// The position of the label, else of the label that is the same number, else kUnseen.
  Index find(const std::string& text) const;
  Index find(double number) const;

 private:
  std::vector<std::string> labels_;
  std::unordered_map<std::string, Index> by_text_;
  std::vector<std::pair<double, Index>> by_number_;  // ascending; the labels that are numbers
};

}  // namespace weft::detail
