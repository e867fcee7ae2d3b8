// The results that train prints.
#pragma once

#include <weft/tune.hpp>

#include <optional>
#include <string>
#include <vector>

namespace weft::cli {

struct TrainingSummary {
  Evaluation train;
  Index rows = 0;  ///< that the model was fitted to; `train` may be a part of them
  std::optional<Evaluation> test = {};
  std::optional<Norms> norms = {};
  std::string path = {};                   ///< of the model; empty: not written
  std::string page = {};                   ///< the report; empty: not written
  std::vector<std::string> warnings = {};  ///< about the rows
};

/// "target class: 26 classes, codes 1 … 26"
std::string target_line(const TargetInfo& target);

/// `search` is part of the JSON; null: there was none.
void print_training(const Model& model, const TrainingSummary& summary, bool json, const TuneResult* search);

/// Largest resident memory of this process so far, in bytes.
double peak_memory();

}  // namespace weft::cli
