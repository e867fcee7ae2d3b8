#include <weft/distributed.hpp>

#include "cli/class_spellings.hpp"
#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/processes.hpp"
#include "cli/session.hpp"
#include "cli/shared_training.hpp"
#include "cli/time_limit.hpp"
#include "cli/training_arguments.hpp"
#include "cli/tune_report.hpp"

#include <exception>

namespace weft::cli {

namespace {

struct TrainArguments : TrainingArguments {
  LabelOptions labels;
  bool automatic = false;

  /// Whether the time limit is one of the whole command, and not of a search.
  bool limited(const TuneResult* found) const { return run.max_time > 0 && tune.minutes == 0 && found == nullptr; }
};

// --auto: the search chooses whatever the options do not fix.
std::optional<TuneResult> search(const TrainArguments& arguments, const LabelledData& data, Session& session) {
  if (arguments.automatic && arguments.labels.any())
    throw Error(ErrorKind::option, "a search needs labels for all rows", "--auto",
                "omit --unlabelled and --labels-per-class");
  if (arguments.automatic && !std::holds_alternative<PortfolioOptions>(arguments.fit.method))
    return run_search(arguments.search(data, session.run()), session, arguments.json);
  return std::nullopt;
}

void refuse_search_options(const TuneOptions& options) {
  for_each_field<TuneOptions>([&](const auto& field) {
    if (is_given(options.*field.member))
      throw Error(ErrorKind::option, "only used by --auto and weft tune", "--" + option_name(field.name), "add --auto");
  });
}

/// Of the training rows and the test rows; writes the report. An error in the test table must not suppress what is
/// printed about the training: it is the `failure`.
TrainingSummary measure(const TrainArguments& arguments, const Model& model, const LabelledData& labelled,
                        const std::optional<Data>& test, const TuneResult* found, const Session& session,
                        std::exception_ptr& failure) {
  const bool limited = arguments.limited(found);
  const auto measured = [&](const Data& rows, const char* name, double share) {
    return limited ? evaluate_in_time(model, rows, name, share, session.run()) : evaluate(model, rows, session.run());
  };
  TrainingSummary summary{.train = measured(labelled.train, "training rows", test ? 0.5 : 1), .path = arguments.model};
  summary.rows = limited ? model.parts().encoder.rows_seen() : summary.train.rows;
  summary.norms = model.norms(session.run());
  try {
    if (test) summary.test = measured(*test, "test rows", 1);
    if (!arguments.report.empty()) write_report(arguments, model, labelled, test, found, session.run());
    summary.page = arguments.report;
  } catch (const Error&) {
    failure = std::current_exception();
  }
  return summary;
}

void train_shared(const TrainArguments& arguments, bool no_kernels) {
  if (arguments.labels.any())
    throw Error(ErrorKind::option, "it is not done on several processes", "--unlabelled, --labels-per-class",
                "leave it out, or run one process");
  train_together(arguments);
  if (no_kernels && !arguments.json && verbosity() != Verbosity::quiet)
    print_line(
        "note: under mpirun random features are fitted, whose rows are shared out; --fit portfolio fits learned "
        "kernels, which are usually more accurate, with all rows in every process");
}

void run_train(TrainArguments& arguments) {
  const bool no_kernels = under_mpirun() && !arguments.automatic && choose_shared_method(arguments);
  arguments.check(arguments.labels.unlabelled);
  if (arguments.automatic)
    arguments.search_portfolio();
  else
    refuse_search_options(arguments.tune);
  arguments.labels.check();
  if (under_mpirun()) {
    if (!arguments.automatic && !shares_work(arguments.fit)) return train_shared(arguments, no_kernels);
    check_shared_work(arguments);
    processes();
  }
  Session session(arguments.run, arguments.json);
  const Data all = read_training(arguments.data, arguments.read, arguments.encode, session.run());
  const std::uint64_t seed = arguments.family.seed;
  if (arguments.automatic) arguments.test.check_table(all, arguments.read, arguments.encode, session.run());
  const TrainAndTest data = arguments.test.split(all, arguments.read, arguments.encode, seed, session.run());
  const LabelledData labelled =
      arguments.labels.apply(data.train, arguments.read, arguments.encode, seed, session.run());
  const std::optional<TuneResult> found = search(arguments, labelled, session);
  if (found && !is_first_process()) return wait_for_first_process();
  const TuneResult* winner = found ? &*found : nullptr;
  const Run fit_run = arguments.limited(winner) ? fit_in_time(session.run()) : session.run();
  const Model model = fit_model(arguments, labelled, winner, session, fit_run);
  if (!is_first_process()) return wait_for_first_process();
  if (!arguments.model.empty()) model.save(arguments.model);
  if (const std::string note = spelling_note(model.target()); !note.empty()) session.run().warn(note);
  std::exception_ptr failure;
  TrainingSummary summary = measure(arguments, model, labelled, data.test, winner, session, failure);
  summary.warnings = session.warnings();
  session.finish_progress();
  if (found && !arguments.json && verbosity() != Verbosity::quiet) print_search(*found);
  print_training(model, summary, arguments.json, winner);
  const std::string option = arguments.random_feature_option();
  if (!arguments.json && verbosity() != Verbosity::quiet && !arguments.fast && !arguments.method.named() &&
      !arguments.fits_a_loss() && !option.empty())
    print_line(
        fmt::format("note: {} is an option of random features, so those were fitted; without it learned kernels are, "
                    "which are usually more accurate",
                    option));
  if (failure) std::rethrow_exception(failure);
  wait_for_first_process();
}

}  // namespace

void add_train(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("train", "Fit a model and write it to a file");
  command->footer(
      "Only the target column is needed: the best of several learned kernels is chosen on held-out rows, in seconds.\n"
      "--auto searches longer; --fast fits random features; --fit names a method; --loss poisson, absolute, huber or\n"
      "quantile --quantiles 0.1,0.5,0.9 predicts means of counts, medians, robust means or quantiles.\n"
      "Example:\n  weft train houses.csv --target price --auto --model price.weft --holdout 0.25 --report price.html");
  auto arguments = std::make_shared<TrainArguments>();
  arguments->add_to(*command, command_line, "file to write the model to; without it the model is only evaluated");
  arguments->labels.add_to(*command);
  command->add_flag("--auto", arguments->automatic,
                    "search first: more kernels and larger ones, or with --fit the hyperparameters of a method by "
                    "cross-validation (weft tune)");
  command->add_flag("--fast", arguments->fast, "random features and least squares, in one pass over the rows");
  add_fields(*command, arguments->tune, "Search (with --auto)");
  command->common(
      {"target", "task", "drop", "group", "time", "fit", "minutes", "max-time", "seed", "quiet", "verbose", "config"});
  command->callback([arguments] { run_train(*arguments); });
}

}  // namespace weft::cli
