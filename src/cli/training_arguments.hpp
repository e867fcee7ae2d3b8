// The options that train and tune share, and the fit that both end with.
#pragma once

#include <weft/communicator.hpp>
#include <weft/tune.hpp>

#include "cli/method_arguments.hpp"
#include "cli/session.hpp"
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
  bool fast = false;    ///< --fast of train: random features where no method is named
  std::string command;  ///< the whole command line

  void add_to(App& app, const std::vector<std::string>& command_line, const char* model_help);
  /// Throws for a test split that is not possible, files that cannot be written or are read, or options that the method
  /// does not have. `unlabelled`: one more file that is read.
  void check(const std::string& unlabelled = "");
  /// The first option given that methods of random features alone have; empty: none.
  std::string random_feature_option() const;
  /// Whether the method minimises a loss that --loss names.
  bool fits_a_loss() const;
  /// A portfolio of kernels, random features where options of theirs were given, or what fits the loss named.
  std::string default_method() const;
  /// A portfolio that searches longer, for as long as --minutes allows. False: the method is another one. Throws for
  /// options of a search that a portfolio does not have.
  bool search_portfolio();
  TuneRequest search(const LabelledData& data, const Run& run) const;
};

/// With the given options, completed by the result of a search of the same rows (nullptr: no search). The work of a fit
/// without a search is shared out to the processes, if any are given.
Model fit_model(const TrainingArguments& arguments, const LabelledData& data, const TuneResult* found, const Run& run,
                Communicator* processes = nullptr);
/// The same, with those of mpirun; where a portfolio is stopped, what it has found so far and what to do are printed
/// first.
Model fit_model(const TrainingArguments& arguments, const LabelledData& data, const TuneResult* found, Session& session,
                const Run& run);

/// Writes the HTML report of --report.
void write_report(const TrainingArguments& arguments, const Model& model, const LabelledData& data,
                  const std::optional<Data>& test, const TuneResult* found, const Run& run);

}  // namespace weft::cli
