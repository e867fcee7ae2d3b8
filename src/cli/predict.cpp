#include <weft/distributed.hpp>
#include <weft/write.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/interval_arguments.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/processes.hpp"
#include "cli/read_table.hpp"
#include "cli/session.hpp"

namespace weft::cli {

namespace {

struct PredictArguments {
  std::string model;
  std::string data;
  std::string out = "-";
  bool proba = false;
  bool std = false;
  std::string keep;
  bool rows = false;
  DecisionOptions decision;
  IntervalArguments intervals;
  ReadOptions read;
  CellRules cells;
  RunOptions run;
};

void run_predict(const PredictArguments& arguments) {
  check_output_files({{"--out", arguments.out, true}}, {{"the model", arguments.model},
                                                        {"the table", arguments.data},
                                                        {"the file of --calibrate", arguments.intervals.file()}});
  Session session(arguments.run, arguments.out == "-");
  const Model model = arguments.cells.load(arguments.model);
  if (arguments.proba) model.check_probabilities();
  PredictOptions options{.with_std = arguments.std, .decision = arguments.decision};
  arguments.intervals.apply(model, arguments.read, session.run(), options);
  const PredictedColumns columns = {.proba = arguments.proba,
                                    .std = arguments.std,
                                    .interval = arguments.intervals.options.interval.has_value(),
                                    .rows = arguments.rows};
  PredictedTable table(model, columns, [&](std::vector<std::string> names, const std::vector<CellType>& types) {
    return TableWriter(arguments.out, std::move(names), types);
  });
  const auto read = [&](const std::string& path) {
    return CellRules::read(model, path, arguments.read, session.run());
  };
  if (under_mpirun()) {
    const SharedTable rows = share_table(arguments.data, read, processes(), session.run());
    for_each_prediction(
        model, rows, options, arguments.keep,
        [&](const PredictionBlock& block, const CarriedCells& kept) { table.append(block, kept); }, session.run());
    if (rows.processes().rank() == 0) table.commit(CarriedColumns(rows.all(), arguments.keep).names());
    return;
  }
  CarriedColumns kept(read(arguments.data), arguments.keep);
  model.for_each_prediction(
      kept.data(), options,
      [&](const PredictionBlock& block) {
        table.append(block, {kept.names(), kept.take(block.rows())});
      },
      session.run());
  table.commit(kept.names());
}

}  // namespace

void add_predict(App& app) {
  auto* command = app.add_subcommand("predict", "Predict every row of a table with a model");
  command->footer(
      "Columns are found by the names they had in training, in any order; the target may be missing.\n"
      "Writes the target (a number, one column per quantile, or the label of the class), with --proba one column per\n"
      "class, with --std the standard deviation of a new value (classes: of the score), with --interval 0.9 the ends\n"
      "of an interval that holds 90 % of new values (classes: the set of labels). --keep carries columns of the table\n"
      "through as they are written there.\n"
      "Example:\n  weft predict model.weft new.csv --keep id,name --proba --out predictions.csv");
  auto arguments = std::make_shared<PredictArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data, true);
  command->add_option("--out", arguments->out,
                      "output file (.csv, .tsv, or .npy for numbers only; .gz behind it compresses), table of a "
                      "database (sqlite:FILE?table=NAME, postgresql://…?table=NAME; &mode=append or replace where it "
                      "exists), or - for CSV on standard output");
  command->add_flag("--proba", arguments->proba, "write the probability of every class");
  command->add_flag("--std", arguments->std, "write standard deviations (of models fitted with --std)");
  command->add_option("--keep", arguments->keep,
                      "columns of the table to write beside the predictions, by name or index, separated by commas");
  command->add_flag("--rows", arguments->rows, "write the number of the row, the first being 1");
  add_fields(*command, arguments->decision);
  arguments->intervals.add_to(*command);
  add_fields(*command, arguments->read, "Reading");
  arguments->cells.add_to(*command);
  add_fields(*command, arguments->run, "Run", {"threads", "device"});
  command->callback([arguments] { run_predict(*arguments); });
}

}  // namespace weft::cli
