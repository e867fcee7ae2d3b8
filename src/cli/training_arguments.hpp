// What train and tune are told alike, and the fit that both end with.
#pragma once

#include <weft/tune.hpp>

#include "cli/method_arguments.hpp"
#include "cli/train_data.hpp"

#include <string>
#include <vector>

namespace weft::cli {

struct TrainingArguments {
  std::string data;
  std::string model;
  std::string report;
  TestOptions test;
  bool json = false;
  ReadOptions read;
  EncodeOptions encode;
  FamilyOptions family;
  FitOptions fit;  ///< its method is set by check()
  MethodArguments method;
  TuneOptions tune;  ///< added by the commands, each in its place
  RunOptions run;
  std::string command;  ///< the whole command line

  void add_to(App& app, const std::vector<std::string>& command_line, const char* model_help);
  /// Throws on a test that cannot be, files that cannot be written, or options that the method does not use.
  void check();
  TuneRequest search(const LabelledData& data, const Run& run) const;
};

/// By the options, or by what a search found where they leave it open (nullptr: there was none).
Model fit_model(const TrainingArguments& arguments, const LabelledData& data, const TuneResult* found, const Run& run);

/// The page about the model that --report asks for.
void write_report(const TrainingArguments& arguments, const Model& model, const LabelledData& data,
                  const std::optional<Data>& test, const TuneResult* found, const Run& run);

}  // namespace weft::cli
