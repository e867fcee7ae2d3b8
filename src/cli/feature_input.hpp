// The part that features, kernel and constants share: raw inputs (no scaling, no bias) and a map drawn or read from a
// file.
#pragma once

#include <weft/encoder.hpp>
#include <weft/feature_map.hpp>
#include <weft/load.hpp>

#include <string>
#include <vector>

namespace weft::cli {

/// The user chooses only how missing cells and unseen categories are treated.
inline EncodeOptions raw_inputs() {
  EncodeOptions options;
  options.scale = Scaling::none;
  options.bias = false;
  options.missing = MissingCells::error;  // features of a table have the columns of the table
  options.unseen = UnseenCategories::error;
  return options;
}
inline const std::vector<std::string> kRawChoices = {"missing", "unseen"};

inline FeatureMap make_map(const FamilyOptions& options, const Inputs& inputs, const std::string& centres_file) {
  if (centres_file.empty()) return FeatureMap::draw(options, inputs);
  return FeatureMap::from_table(options, inputs, load_numbers(centres_file));
}

}  // namespace weft::cli
