#include <weft/describe.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/model_report.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"
#include "cli/train_data.hpp"
#include "cli/tune_report.hpp"

#include <exception>

#include <fmt/ranges.h>

namespace weft::cli {

namespace {

struct Arguments {
  std::string data;
  std::string model;
  std::string report;
  TestOptions test;
  LabelOptions labels;
  bool automatic = false;
  bool json = false;
  ReadOptions read;
  EncodeOptions encode;
  FamilyOptions family;
  FitOptions fit;
  TuneOptions tune;
  RunOptions run;
  std::string command;
};

// --auto: the search decides what the options leave open.
std::optional<TuneResult> search(const Arguments& arguments, const Data& train, const Run& run) {
  if (arguments.automatic && arguments.labels.any())
    throw Error(ErrorKind::option, "a search needs every row's label", "--auto",
                "leave out --unlabelled and --labels-per-class");
  if (arguments.automatic) return tune(train, arguments.family, arguments.fit, arguments.encode, arguments.tune, run);
  const TuneOptions usual;
  for_each_field<TuneOptions>([&](const auto& field) {
    if (arguments.tune.*field.member != usual.*field.member)
      throw Error(ErrorKind::option, "it is about the search, and there is none", "--" + option_name(field.name),
                  "add --auto");
  });
  return std::nullopt;
}

Model train_model(const Arguments& arguments, const LabelledData& data, const std::optional<TuneResult>& found,
                  const Data& train, const Run& run) {
  const bool smallest = arguments.tune.smallest;
  ModelParts parts = fit(train, found ? found->family(smallest) : arguments.family,
                         found ? found->fit(arguments.fit, smallest) : arguments.fit, data.encode, run, nullptr,
                         data.unlabelled ? &*data.unlabelled : nullptr)
                         .parts();
  parts.provenance["command"] = arguments.command;
  if (found) parts.provenance["alternatives"] = std::to_string(found->alternatives(smallest));
  return Model(std::move(parts));
}

void write_report(const Arguments& arguments, const Model& model, const LabelledData& data,
                  const std::optional<Data>& test, const std::optional<TuneResult>& found, const Run& run) {
  const Described subject{model, data.train, test, found,
                          [&](const Data& rows) { return train_model(arguments, data, found, rows, run); }};
  write_file(arguments.report, describe(subject, run).to_html());
}

void run_train(const Arguments& arguments) {
  arguments.test.check();
  arguments.labels.check();
  for (const std::string& path : {arguments.model, arguments.report})
    if (!path.empty()) check_writable(path);
  Session session(arguments.run, arguments.json);
  const Data all = read_training(arguments.data, arguments.read);
  const std::uint64_t seed = arguments.family.seed;
  const TrainAndTest data = arguments.test.split(all, arguments.read, arguments.encode, seed, session.run());
  const LabelledData labelled =
      arguments.labels.apply(data.train, arguments.read, arguments.encode, seed, session.run());
  const std::optional<TuneResult> found = search(arguments, labelled.train, session.run());
  const Model model = train_model(arguments, labelled, found, labelled.train, session.run());
  if (!arguments.model.empty()) model.save(arguments.model);
  TrainingSummary summary{.train = evaluate(model, labelled.train, session.run()), .path = arguments.model};
  summary.norms = norms_of(model, session.run());
  // A test table that fails must not take the report of the training with it.
  std::exception_ptr failure;
  try {
    if (data.test) summary.test = evaluate(model, *data.test, session.run());
    if (!arguments.report.empty()) write_report(arguments, model, labelled, data.test, found, session.run());
  } catch (const Error&) {
    failure = std::current_exception();
  }
  session.finish_progress();
  if (found && !arguments.json) print_search(*found);
  print_training(model, summary, arguments.json, found ? search_json(*found) : Json());
  if (!arguments.report.empty() && !failure && !arguments.json) fmt::print("report written to {}\n", arguments.report);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void add_train(CLI::App& app, const std::vector<std::string>& command_line) {
  auto* command = app.add_subcommand("train", "Fit a model and write it to a file");
  command->footer(
      "With --auto nothing but the target need be known. Without it the features are the default ones, and lambda is\n"
      "chosen on held-out rows.\n"
      "Example:\n  weft train houses.csv --target price --auto --model price.weft --holdout 0.25 --report price.html");
  auto arguments = std::make_shared<Arguments>();
  arguments->command = fmt::format("{}", fmt::join(command_line, " "));
  command->add_option("data", arguments->data, "CSV, TSV, LIBSVM, .npy or IDX file (gzip or not) or builtin:NAME")
      ->required();
  command->add_option("--model", arguments->model, "where to write the model; without it the model is only assessed");
  command->add_option("--report", arguments->report,
                      "write a page about the model: errors, charts, certificate (HTML, one file)");
  arguments->test.add_to(*command);
  arguments->labels.add_to(*command);
  command->add_flag("--auto", arguments->automatic,
                    "search by cross-validation first (weft tune), then fit what is best");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Encoding");
  add_fields(*command, arguments->family, "Family");
  add_fields(*command, arguments->fit, "Fit");
  add_fields(*command, arguments->tune, "Search (with --auto)");
  add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_train(*arguments); });
}

}  // namespace weft::cli
