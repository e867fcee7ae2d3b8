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

#include <algorithm>

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

bool is_classification(const Model& model) {
  return model.target().task != Task::regression;
}

std::vector<std::string> predicted_names(const Model& model, const PredictArguments& arguments) {
  const TargetInfo& target = model.target();
  std::vector<std::string> names = model.value_names();
  if (arguments.proba)
    for (const std::string& label : target.classes) names.push_back("proba_" + label);
  const bool per_class = target.task == Task::multiclass;
  if (arguments.std)
    for (const std::string& name : per_class ? target.classes : target.names)
      names.push_back(per_class ? target.names.front() + "_" + name + "_std" : name + "_std");
  if (!arguments.intervals.options.interval) return names;
  if (is_classification(model)) {
    names.emplace_back("set");
    return names;
  }
  for (const char* end : {"lower", "upper"})
    for (const std::string& name : target.names) names.push_back(target.names.size() == 1 ? end : name + "_" + end);
  return names;
}

/// The number of the row, then what is kept, then what is predicted. A kept column of the same name is the truth.
std::vector<std::string> column_names(const Model& model, const PredictArguments& arguments,
                                      const std::vector<std::string>& kept) {
  std::vector<std::string> names = kept;
  const auto free_name = [&](std::string name, const char* prefix) {
    while (std::find(names.begin(), names.end(), name) != names.end()) name.insert(0, prefix);
    return name;
  };
  if (arguments.rows) names.insert(names.begin(), free_name("row", "table_"));
  for (const std::string& name : predicted_names(model, arguments)) names.push_back(free_name(name, "predicted_"));
  return names;
}

/// Of those columns.
std::vector<CellType> column_types(const Model& model, const PredictArguments& arguments, std::size_t kept) {
  std::vector<CellType> types(kept, CellType::text);
  if (arguments.rows) types.insert(types.begin(), CellType::integer);
  types.insert(types.end(), model.target().names.size(), is_classification(model) ? CellType::text : CellType::number);
  types.resize(kept + (arguments.rows ? 1 : 0) + predicted_names(model, arguments).size(), CellType::number);
  return types;
}

Matrix row_numbers(const PredictionBlock& block) {
  Matrix numbers(block.rows(), 1);
  for (Index i = 0; i < block.rows(); ++i) numbers(i, 0) = static_cast<double>(block.first_row + i + 1);
  return numbers;
}

/// The rows of several matrices side by side, as numbers.
Matrix side_by_side(const std::vector<const Matrix*>& parts) {
  Index cols = 0;
  for (const Matrix* part : parts) cols += part->cols();
  Matrix rows(parts.front()->rows(), cols);
  for (Index i = 0; i < rows.rows(); ++i) {
    double* to = rows.row(i);
    for (const Matrix* part : parts) to = std::copy_n(part->row(i), part->cols(), to);
  }
  return rows;
}

/// In the order of predicted_names().
std::vector<const Matrix*> predicted_numbers(const PredictionBlock& block, const PredictArguments& arguments) {
  std::vector<const Matrix*> parts = {&block.values};
  if (arguments.proba) parts.push_back(&block.probabilities);
  if (arguments.std) parts.push_back(&block.std);
  if (block.lower.rows() > 0) parts.insert(parts.end(), {&block.lower, &block.upper});
  return parts;
}

/// Appends to the rows of `before`.
std::vector<std::vector<std::string>> text_rows(std::vector<std::vector<std::string>> before, const Matrix& numbers,
                                                const std::vector<std::string>& classes) {
  for (Index i = 0; i < numbers.rows(); ++i)
    for (Index j = 0; j < numbers.cols(); ++j)
      before[static_cast<std::size_t>(i)].push_back(j == 0 && !classes.empty()
                                                        ? classes[static_cast<std::size_t>(numbers(i, 0))]
                                                        : fmt::format("{}", numbers(i, j)));
  return before;
}

/// The labels of every row's set, separated by |.
void append_sets(const Matrix& sets, const std::vector<std::string>& classes,
                 std::vector<std::vector<std::string>>& rows) {
  for (Index i = 0; i < sets.rows(); ++i) {
    std::string labels;
    for (Index k = 0; k < sets.cols(); ++k)
      if (sets(i, k) == 1) labels += (labels.empty() ? "" : "|") + classes[static_cast<std::size_t>(k)];
    rows[static_cast<std::size_t>(i)].push_back(std::move(labels));
  }
}

/// Opened with the first rows: a table that does not match the model leaves standard output empty.
class PredictedTable {
 public:
  PredictedTable(const Model& model, const PredictArguments& arguments) : model_(model), arguments_(arguments) {}

  void append(const PredictionBlock& block, CarriedCells kept) {
    std::vector<const Matrix*> parts = predicted_numbers(block, arguments_);
    const Matrix rows = row_numbers(block);
    if (!is_classification(model_) && arguments_.keep.empty()) {
      if (arguments_.rows) parts.insert(parts.begin(), &rows);
      writer(kept.names).append(side_by_side(parts));
      return;
    }
    auto& texts = kept.cells;
    for (Index i = 0; arguments_.rows && i < block.rows(); ++i) {
      auto& row = texts[static_cast<std::size_t>(i)];
      row.insert(row.begin(), fmt::format("{}", rows(i, 0)));
    }
    texts = text_rows(std::move(texts), side_by_side(parts), model_.target().classes);
    append_sets(block.sets, model_.target().classes, texts);
    writer(kept.names).append_text(texts);
  }

  void commit(const CarriedColumns& kept) { writer(opened_ ? std::vector<std::string>{} : kept.names()).commit(); }

 private:
  TableWriter& writer(const std::vector<std::string>& kept) {
    return opened_ ? *opened_
                   : opened_.emplace(arguments_.out, column_names(model_, arguments_, kept),
                                     column_types(model_, arguments_, kept.size()));
  }

  const Model& model_;
  const PredictArguments& arguments_;
  std::optional<TableWriter> opened_;
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
  PredictedTable table(model, arguments);
  const auto read = [&](const std::string& path) {
    return CellRules::read(model, path, arguments.read, session.run());
  };
  if (under_mpirun()) {
    const SharedTable rows = share_table(arguments.data, read, processes(), session.run());
    for_each_prediction(
        model, rows, options, arguments.keep,
        [&](const PredictionBlock& block, const CarriedCells& kept) { table.append(block, kept); }, session.run());
    if (rows.processes().rank() == 0) table.commit(CarriedColumns(rows.all(), arguments.keep));
    return;
  }
  CarriedColumns kept(read(arguments.data), arguments.keep);
  model.for_each_prediction(
      kept.data(), options,
      [&](const PredictionBlock& block) {
        table.append(block, {kept.names(), kept.take(block.rows())});
      },
      session.run());
  table.commit(kept);
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
  add_fields(*command, arguments->run, "Run", {"threads"});
  command->callback([arguments] { run_predict(*arguments); });
}

}  // namespace weft::cli
