#include <weft/fit.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <exception>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

struct Arguments {
  std::string data;
  std::string model;
  std::string test;
  double holdout = 0;
  bool json = false;
  ReadOptions read;
  EncodeOptions encode;
  FamilyOptions family;
  FitOptions fit;
  RunOptions run;
  std::string command;
};

struct TrainAndTest {
  Data train;
  std::optional<Data> test;
};

// --test names a file; --holdout cuts the table, stratified for classes.
TrainAndTest split_data(const Arguments& arguments, const Data& all, const Run& run) {
  if (!arguments.test.empty()) return {all, read(arguments.test, arguments.read)};
  if (arguments.holdout == 0) return {all, std::nullopt};
  const Encoder encoder = Encoder::fit(all, arguments.encode, run);
  const auto held_out = std::make_shared<const std::vector<std::uint8_t>>(
      split(encoder.rows_seen(), row_classes(encoder, all, run),
            {.holdout = arguments.holdout, .seed = arguments.family.seed}));
  const auto rows_where = [&](bool wanted) {
    return select_rows(
        all, [held_out, wanted](Index row) { return (*held_out)[static_cast<std::size_t>(row)] == (wanted ? 1 : 0); });
  };
  return {rows_where(false), rows_where(true)};
}

void run_train(const Arguments& arguments) {
  check_value("holdout", arguments.holdout, Allowed{.low = 0, .high = 1, .high_open = true});
  if (!arguments.test.empty() && arguments.holdout > 0)
    throw Error(ErrorKind::option, "a test file and a hold-out are two ways to the same end", "--holdout",
                "give --test or --holdout");
  if (!arguments.model.empty()) check_writable(arguments.model);
  Session session(arguments.run, arguments.json);
  const Data all = read(arguments.data, arguments.read);
  if (all.options().target.empty())
    throw Error(ErrorKind::option, "what is to be predicted is not said", "--target", "name the target column");
  const TrainAndTest data = split_data(arguments, all, session.run());
  ModelParts parts = fit(data.train, arguments.family, arguments.fit, arguments.encode, session.run()).parts();
  parts.provenance["command"] = arguments.command;
  const Model model(std::move(parts));
  if (!arguments.model.empty()) model.save(arguments.model);
  TrainingSummary summary{.train = evaluate(model, data.train, session.run()), .path = arguments.model};
  summary.norms = norms_of(model, session.run());
  // A test table that fails must not take the report of the training with it.
  std::exception_ptr failure;
  try {
    if (data.test) summary.test = evaluate(model, *data.test, session.run());
  } catch (const Error&) {
    failure = std::current_exception();
  }
  session.finish_progress();
  print_training(model, summary, arguments.json);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void add_train(CLI::App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("train", "Fit a model and write it to a file");
  command->footer(
      "Plain use needs a target and a name for the model; lambda is chosen on held-out rows.\n"
      "Example:\n  weft train houses.csv --target price --model price.weft --holdout 0.25");
  auto arguments = std::make_shared<Arguments>();
  arguments->command = fmt::format("{}", fmt::join(command_line, " "));
  command->add_option("data", arguments->data, "CSV, TSV, LIBSVM, .npy or IDX file (gzip or not) or builtin:NAME")
      ->required();
  command->add_option("--model", arguments->model, "where to write the model; without it the model is only assessed");
  command->add_option("--test", arguments->test, "file to test the model on");
  command->add_option("--holdout", arguments->holdout, "fraction of the rows kept for testing (in [0, 1)) [0]");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Encoding");
  add_fields(*command, arguments->family, "Family");
  add_fields(*command, arguments->fit, "Fit");
  add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_train(*arguments); });
}

}  // namespace weft::cli
