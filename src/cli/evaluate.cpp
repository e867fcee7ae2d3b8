#include <weft/describe.hpp>
#include <weft/write.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/interval_arguments.hpp"
#include "cli/measures.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/processes.hpp"
#include "cli/read_table.hpp"
#include "cli/session.hpp"

namespace weft::cli {

namespace {

struct EvaluateArguments {
  std::string model;
  std::string data;
  std::string report;
  bool json = false;
  DecisionOptions decision;
  IntervalArguments intervals;
  ReadOptions read;
  CellRules cells;
  RunOptions run;
};

std::string measures_table(const Evaluation& result) {
  TextTable table({"measure", "value"});
  table.add({"rows", std::to_string(result.rows)});
  for (const Measure& measure : kMeasures)
    if (result.*measure.value && is_shown(result.task, measure))
      table.add({measure.name, shown(*(result.*measure.value))});
  return table.text();
}

std::string confusion_table(const Evaluation& result) {
  std::vector<std::string> header = {"true \\ predicted"};
  header.insert(header.end(), result.classes.begin(), result.classes.end());
  TextTable table(std::move(header));
  for (std::size_t k = 0; k < result.classes.size(); ++k) {
    std::vector<std::string> row = {result.classes[k]};
    for (const double weight : result.confusion[k]) row.push_back(shown(weight));
    table.add(std::move(row));
  }
  return table.text();
}

void run_evaluate(const EvaluateArguments& arguments) {
  check_output_files({{"--report", arguments.report}}, {{"the model", arguments.model},
                                                        {"the table", arguments.data},
                                                        {"the file of --calibrate", arguments.intervals.file()}});
  if (under_mpirun() && !arguments.report.empty())
    throw Error(ErrorKind::option, "it is not written by several processes", "--report", "run one process");
  Session session(arguments.run);
  const Model model = arguments.cells.load(arguments.model);
  PredictOptions options{.decision = arguments.decision};
  arguments.intervals.apply(model, arguments.read, session.run(), options);
  const auto read = [&](const std::string& path) {
    return CellRules::read_labelled(model, path, arguments.read, session.run());
  };
  const Evaluation result =
      under_mpirun()
          ? evaluate(model, share_table(arguments.data, read, processes(), session.run()), options, session.run())
          : evaluate(model, read(arguments.data), options, session.run());
  if (under_mpirun() && processes().rank() > 0) return;
  if (!arguments.report.empty()) {
    const Data data = read(arguments.data);
    const std::string page = describe(model, data, arguments.decision, session.run()).to_html();
    write_file(arguments.report, in_command_line_words(page));
  }
  session.finish_progress();
  if (arguments.json) {
    print_line(with_warnings(result.to_json(), session.warnings()));
    return;
  }
  print_out("{}", measures_table(result));
  if (const std::string details = details_text(result); !details.empty()) print_out("\n{}", details);
  if (!result.classes.empty()) print_out("\n{}", confusion_table(result));
  if (!arguments.report.empty()) print_out("\nreport written to {}\n", arguments.report);
}

}  // namespace

void add_evaluate(App& app) {
  auto* command = app.add_subcommand("evaluate", "Measure how well a model predicts a table with known targets");
  command->footer(
      "The target column is that of the training data unless --target names another.\n"
      "Of two classes, precision, recall, f1, auc and pr_auc are those of the second, which is named; of more they "
      "are\n"
      "given per class and as macro means. A Poisson model has its deviance, one of quantiles the pinball loss of "
      "each\n"
      "and its coverage: the share of rows whose target is at most the prediction. --interval 0.9 adds the share of\n"
      "targets that lie in their intervals or sets, and how large those are on average.\n"
      "Example:\n  weft evaluate model.weft test.csv --json");
  auto arguments = std::make_shared<EvaluateArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data, true);
  command->add_option("--report", arguments->report,
                      "write an HTML report: errors with intervals, charts, importance of the variables (one file)");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->decision);
  arguments->intervals.add_to(*command);
  add_fields(*command, arguments->read, "Reading");
  arguments->cells.add_to(*command);
  add_fields(*command, arguments->run, "Run", {"threads", "device"});
  command->callback([arguments] { run_evaluate(*arguments); });
}

}  // namespace weft::cli
