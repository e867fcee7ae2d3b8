#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"
#include "cli/training_arguments.hpp"
#include "cli/tune_report.hpp"

#include <exception>

namespace weft::cli {

namespace {

struct TrainArguments : TrainingArguments {
  LabelOptions labels;
  bool automatic = false;
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

void run_train(TrainArguments& arguments) {
  arguments.check(arguments.labels.unlabelled);
  if (arguments.automatic)
    arguments.search_portfolio();
  else
    refuse_search_options(arguments.tune);
  arguments.labels.check();
  Session session(arguments.run, arguments.json);
  const Data all = read_training(arguments.data, arguments.read, arguments.encode, session.run());
  const std::uint64_t seed = arguments.family.seed;
  if (arguments.automatic) arguments.test.check_table(all, arguments.read, arguments.encode, session.run());
  const TrainAndTest data = arguments.test.split(all, arguments.read, arguments.encode, seed, session.run());
  const LabelledData labelled =
      arguments.labels.apply(data.train, arguments.read, arguments.encode, seed, session.run());
  const std::optional<TuneResult> found = search(arguments, labelled, session);
  const Model model = fit_model(arguments, labelled, found ? &*found : nullptr, session);
  if (!arguments.model.empty()) model.save(arguments.model);
  TrainingSummary summary{.train = evaluate(model, labelled.train, session.run()), .path = arguments.model};
  summary.norms = model.norms(session.run());
  // An error in the test table must not suppress the report of the training.
  std::exception_ptr failure;
  try {
    if (data.test) summary.test = evaluate(model, *data.test, session.run());
    if (!arguments.report.empty())
      write_report(arguments, model, labelled, data.test, found ? &*found : nullptr, session.run());
    summary.page = arguments.report;
  } catch (const Error&) {
    failure = std::current_exception();
  }
  summary.warnings = session.warnings();
  session.finish_progress();
  if (found && !arguments.json && verbosity() != Verbosity::quiet) print_search(*found);
  print_training(model, summary, arguments.json, found ? &*found : nullptr);
  const std::string option = arguments.random_feature_option();
  if (!arguments.json && verbosity() != Verbosity::quiet && !arguments.fast && !arguments.method.named() &&
      !option.empty())
    print_line(
        fmt::format("note: {} is an option of random features, so those were fitted; without it learned kernels are, "
                    "which are usually more accurate",
                    option));
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void add_train(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("train", "Fit a model and write it to a file");
  command->footer(
      "Only the target column is needed: the best of several learned kernels is chosen on held-out rows, in seconds.\n"
      "--auto searches longer; --fast fits random features; --fit names a method.\n"
      "Example:\n  weft train houses.csv --target price --auto --model price.weft --holdout 0.25 --report price.html");
  auto arguments = std::make_shared<TrainArguments>();
  arguments->add_to(*command, command_line, "file to write the model to; without it the model is only evaluated");
  arguments->labels.add_to(*command);
  command->add_flag("--auto", arguments->automatic,
                    "search first: more kernels and larger ones, or with --fit the hyperparameters of a method by "
                    "cross-validation (weft tune)");
  command->add_flag("--fast", arguments->fast, "random features and least squares, in one pass over the rows");
  add_fields(*command, arguments->tune, "Search (with --auto)");
  command->common({"target", "task", "drop", "fit", "minutes", "max-time", "seed", "quiet", "verbose", "config"});
  command->callback([arguments] { run_train(*arguments); });
}

}  // namespace weft::cli
