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
  std::string unlabelled;
  Index labels_per_class = 0;
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
  std::optional<Data> unlabelled;
};

Data rows_where(const Data& data, std::vector<std::uint8_t> marks, std::uint8_t wanted) {
  const auto shared = std::make_shared<const std::vector<std::uint8_t>>(std::move(marks));
  return select_rows(data, [shared, wanted](Index row) { return (*shared)[static_cast<std::size_t>(row)] == wanted; });
}

// --test names a file; --holdout cuts the table, stratified for classes.
TrainAndTest split_data(const Arguments& arguments, const Data& all, const Run& run) {
  if (!arguments.test.empty()) return {all, read(arguments.test, arguments.read), std::nullopt};
  if (arguments.holdout == 0) return {all, std::nullopt, std::nullopt};
  const Encoder encoder = Encoder::fit(all, arguments.encode, run);
  const std::vector<std::uint8_t> held_out = split(encoder.rows_seen(), row_classes(encoder, all, run),
                                                   {.holdout = arguments.holdout, .seed = arguments.family.seed});
  return {rows_where(all, held_out, 0), rows_where(all, held_out, 1), std::nullopt};
}

// The file may have the target and the weights of the training table, or not: neither is an input.
Data read_unlabelled(const std::string& path, ReadOptions options, const ReadOptions& training) {
  options.target.clear();
  options.weights.clear();
  const Data data = read(path, options);
  if (!data.options().target.empty()) return data;  // a format that knows its target itself
  const auto reader = data.open();
  for (const Column& column : reader->columns())
    for (const std::string& list : {training.target, training.weights})
      if (("," + list + ",").find("," + column.name + ",") != std::string::npos)
        options.drop += (options.drop.empty() ? "" : ",") + column.name;
  return read(path, options);
}

// --labels-per-class hides all other labels of the training rows: those rows only inform the sampling.
void hide_labels(const Arguments& arguments, TrainAndTest& data, const Run& run) {
  if (!arguments.unlabelled.empty())
    data.unlabelled = read_unlabelled(arguments.unlabelled, arguments.read, data.train.options());
  if (arguments.labels_per_class == 0) return;
  const Encoder encoder = Encoder::fit(data.train, arguments.encode, run);
  const std::vector<Index> classes = row_classes(encoder, data.train, run);
  if (classes.empty())
    throw Error(ErrorKind::option, "the target has no classes", "--labels-per-class",
                "leave it out, or use --task classification if the numbers are classes");
  if (!data.unlabelled) data.unlabelled = data.train;
  data.train = rows_where(data.train, choose_labelled(classes, arguments.labels_per_class, arguments.family.seed), 1);
}

void run_train(const Arguments& arguments) {
  check_value("holdout", arguments.holdout, Allowed{.low = 0, .high = 1, .high_open = true});
  check_value("labels_per_class", arguments.labels_per_class, Allowed::at_least(0));
  if (!arguments.test.empty() && arguments.holdout > 0)
    throw Error(ErrorKind::option, "a test file and a hold-out are two ways to the same end", "--holdout",
                "give --test or --holdout");
  if (!arguments.model.empty()) check_writable(arguments.model);
  Session session(arguments.run, arguments.json);
  const Data all = read(arguments.data, arguments.read);
  if (all.options().target.empty())
    throw Error(ErrorKind::option, "what is to be predicted is not said", "--target", "name the target column");
  TrainAndTest data = split_data(arguments, all, session.run());
  hide_labels(arguments, data, session.run());
  EncodeOptions encode = arguments.encode;
  if (arguments.labels_per_class > 0) encode.task = "classification";  // of so few rows auto would not know
  ModelParts parts = fit(data.train, arguments.family, arguments.fit, encode, session.run(), nullptr,
                         data.unlabelled ? &*data.unlabelled : nullptr)
                         .parts();
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
  command->add_option("--unlabelled", arguments->unlabelled,
                      "file whose rows say how inputs are encoded and which features leverage sampling takes; a "
                      "target in it is not looked at");
  command->add_option("--labels-per-class", arguments->labels_per_class,
                      "use the target of this many rows of every class only; the other rows serve as --unlabelled "
                      "(0: use all) [0]");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Encoding");
  add_fields(*command, arguments->family, "Family");
  add_fields(*command, arguments->fit, "Fit");
  add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_train(*arguments); });
}

}  // namespace weft::cli
