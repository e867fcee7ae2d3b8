// Options of commands that give intervals or label sets beside predictions.
#pragma once

#include <weft/model.hpp>

#include "cli/app.hpp"

#include <string>

namespace weft::cli {

class IntervalArguments {
 public:
  IntervalOptions options;

  void add_to(App& command);
  /// Adds what was asked for. Reads the rows of --calibrate where they are given.
  void apply(const Model& model, const ReadOptions& read, const Run& run, PredictOptions& to) const;
  const std::string& file() const { return calibrate_; }

 private:
  std::string calibrate_;
};

}  // namespace weft::cli
