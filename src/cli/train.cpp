#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"
#include "cli/training_arguments.hpp"
#include "cli/tune_report.hpp"

#include <exception>

namespace weft::cli {

namespace {

struct Arguments : TrainingArguments {
  LabelOptions labels;
  bool automatic = false;
};

// --auto: the search chooses whatever the options do not fix.
std::optional<TuneResult> search(const Arguments& arguments, const LabelledData& data, const Run& run) {
  if (arguments.automatic && arguments.labels.any())
    throw Error(ErrorKind::option, "a search needs labels for all rows", "--auto",
                "omit --unlabelled and --labels-per-class");
  if (arguments.automatic) return tune(arguments.search(data, run));
  for_each_field<TuneOptions>([&](const auto& field) {
    if (is_given(arguments.tune.*field.member))
      throw Error(ErrorKind::option, "only used by --auto and weft tune", "--" + option_name(field.name), "add --auto");
  });
  return std::nullopt;
}

void run_train(Arguments& arguments) {
  arguments.check();
  arguments.labels.check();
  Session session(arguments.run, arguments.json);
  const Data all = read_training(arguments.data, arguments.read);
  const std::uint64_t seed = arguments.family.seed;
  const TrainAndTest data = arguments.test.split(all, arguments.read, arguments.encode, seed, session.run());
  const LabelledData labelled =
      arguments.labels.apply(data.train, arguments.read, arguments.encode, seed, session.run());
  const std::optional<TuneResult> found = search(arguments, labelled, session.run());
  const Model model = fit_model(arguments, labelled, found ? &*found : nullptr, session.run());
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
  session.finish_progress();
  if (found && !arguments.json) print_search(*found);
  print_training(model, summary, arguments.json, found ? &*found : nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void add_train(App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("train", "Fit a model and write it to a file");
  command->footer(
      "With --auto only the target column is needed. Without it the default features are used, and lambda is\n"
      "chosen on held-out rows.\n"
      "Example:\n  weft train houses.csv --target price --auto --model price.weft --holdout 0.25 --report price.html");
  auto arguments = std::make_shared<Arguments>();
  arguments->add_to(*command, command_line, "file to write the model to; without it the model is only evaluated");
  arguments->labels.add_to(*command);
  command->add_flag("--auto", arguments->automatic,
                    "search by cross-validation first (weft tune), then fit the best configuration");
  add_fields(*command, arguments->tune, "Search (with --auto)");
  command->callback([arguments] { run_train(*arguments); });
}

}  // namespace weft::cli
