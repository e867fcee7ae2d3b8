#include <weft/describe.hpp>
#include <weft/write.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"

namespace weft::cli {

namespace {

struct ExplainArguments {
  std::string model;
  std::string data;
  std::string report;
  std::optional<Index> row;
  bool json = false;
  ExplainOptions explain;
  ReadOptions read;
  CellRules cells;
  RunOptions run;
};

std::string shown_estimate(const Estimate& estimate) {
  return fmt::format("{:.4g} ({:.4g} … {:.4g})", estimate.value, estimate.low, estimate.high);
}

void print_variables(const Explanation& explanation) {
  const bool losses = !explanation.loss.empty();
  const bool relevance = !explanation.variables.empty() && explanation.variables.front().relevance;
  std::vector<std::string> header = {"variable", "effect"};
  if (losses) header.push_back(explanation.loss + " grows by");
  if (relevance) header.emplace_back("relevance");
  TextTable table(header);
  for (const VariableEffect& variable : explanation.variables) {
    std::vector<std::string> row = {variable.name, shown_estimate(variable.effect)};
    if (losses) row.push_back(shown_estimate(*variable.loss));
    if (relevance) row.push_back(fmt::format("{:.4g}", variable.relevance.value_or(0)));
    table.add(row);
  }
  print_out("{} rows{}\n\n{}", explanation.rows,
            losses ? fmt::format(", {} {}", explanation.loss, shown(*explanation.loss_before)) : "", table.text());
}

void print_explanation(const Explanation& explanation) {
  print_variables(explanation);
  if (explanation.interactions.empty()) return;
  constexpr std::size_t kShown = 5;
  TextTable table({"interaction", "strength"});
  for (std::size_t k = 0; k < std::min(kShown, explanation.interactions.size()); ++k) {
    const Interaction& pair = explanation.interactions[k];
    table.add({pair.first + " × " + pair.second, shown_estimate(pair.strength)});
  }
  print_out("\n{}\nCurves of the predictions: --report page.html, or --json.\n", table.text());
}

void print_row(const RowExplanation& row) {
  for (std::size_t o = 0; o < row.outputs.size(); ++o) {
    TextTable table(row.exact ? std::vector<std::string>{"variable", "value", "contribution"}
                              : std::vector<std::string>{"variable", "value", "contribution", "standard error"});
    table.add({"mean of the rows", "", shown(row.base[o])});
    for (const RowExplanation::Part& part : row.parts) {
      std::vector<std::string> line = {part.variable, part.cell, shown(part.value[o])};
      if (!row.exact) line.push_back(fmt::format("{:.2g}", part.standard_error[o]));
      table.add(line);
    }
    table.add({"sum: " + row.outputs[o], "", shown(row.prediction[o])});
    print_out("{}{}", o > 0 ? "\n" : "", table.text());
  }
}

/// Rows are counted from 1.
RowExplanation explain_row(const Model& model, const Data& data, const ExplainArguments& arguments, const Run& run) {
  const Index row = *arguments.row;
  if (row < 1) throw Error(ErrorKind::option, fmt::format("{} must be at least 1", row), "--row", "rows count from 1");
  const Data one = data.rows(row - 1, row);
  Block block;
  if (!model.parts().encoder.open(one, false, run)->next(block, 1))
    throw Error(ErrorKind::option, fmt::format("the table has fewer than {} rows", row), "--row",
                "give the number of one of its rows, counted from 1");
  RowExplanation result = explain_rows(model, one, data, arguments.explain, run).front();
  result.row = row - 1;
  return result;
}

void run_explain(const ExplainArguments& arguments) {
  check_output_files({{"--report", arguments.report}}, {{"the model", arguments.model}, {"the table", arguments.data}});
  Session session(arguments.run);
  const Model model = arguments.cells.load(arguments.model);
  const Data data = CellRules::read(model, arguments.data, arguments.read, session.run());
  std::vector<RowExplanation> rows;
  if (arguments.row) rows.push_back(explain_row(model, data, arguments, session.run()));
  const bool whole = !arguments.row || !arguments.report.empty();
  const Explanation all = whole ? explain(model, data, arguments.explain, session.run()) : Explanation{};
  session.finish_progress();
  if (!arguments.report.empty()) write_file(arguments.report, describe(model, all, rows, session.run()).to_html());
  if (arguments.json)
    print_line(arguments.row ? rows.front().to_json() : all.to_json());
  else if (arguments.row)
    print_row(rows.front());
  else
    print_explanation(all);
  if (!arguments.report.empty() && !arguments.json) print_out("\nreport written to {}\n", arguments.report);
}

}  // namespace

void add_explain(App& app) {
  auto* command = app.add_subcommand("explain", "Say which variables matter, how predictions depend on them, and why");
  command->footer(
      "The effect of a variable is the change of the prediction (of classes: the scores) when its value is taken from\n"
      "another row. If DATA have the target, the growth of the error is shown as well (permutation importance).\n"
      "Example:\n"
      "  weft explain price.weft houses.csv --report why.html\n"
      "  weft explain price.weft houses.csv --row 17");
  auto arguments = std::make_shared<ExplainArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data);
  command->add_option_function<Index>(
      "--row", [arguments](const Index& row) { arguments->row = row; },
      "explain the prediction of this row, counted from 1: contributions of its variables (Shapley values)");
  command->add_option("--report", arguments->report, "write an HTML report with charts (one file)");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->explain);
  add_fields(*command, arguments->read, "Reading");
  arguments->cells.add_to(*command);
  add_fields(*command, arguments->run, "Run", {"threads", "device"});
  command->callback([arguments] { run_explain(*arguments); });
}

}  // namespace weft::cli
