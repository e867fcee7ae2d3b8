// How a command that uses a model treats cells that are missing or hold unseen categories.
#pragma once

#include <weft/model.hpp>

#include "cli/app.hpp"

#include <string>
#include <vector>

namespace weft::cli {

class CellRules {
 public:
  void add_to(App& command);
  /// The model from this file, with the rules that were given in place of those of the training.
  Model load(const std::string& path) const;
  /// A table with the missing values of the training, unless the options name others.
  static Data read(const Model& model, const std::string& path, const ReadOptions& options, const Run& run);
  /// The same without the rows that have no target, unless missing cells are errors to the model.
  static Data read_labelled(const Model& model, const std::string& path, const ReadOptions& options, const Run& run);

 private:
  std::string missing_;
  std::string unseen_;
};

/// JSON of an object with "warnings" added where there are any.
std::string with_warnings(const std::string& json, const std::vector<std::string>& warnings);

}  // namespace weft::cli
