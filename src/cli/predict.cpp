#include <weft/model.hpp>
#include <weft/write.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

namespace weft::cli {

namespace {

struct PredictArguments {
  std::string model;
  std::string data;
  std::string out = "-";
  bool proba = false;
  bool std = false;
  ReadOptions read;
  CellRules cells;
  RunOptions run;
};

bool is_classification(const Model& model) {
  return model.target().task != Task::regression;
}

std::vector<std::string> column_names(const Model& model, const PredictArguments& arguments) {
  const TargetInfo& target = model.target();
  std::vector<std::string> names = target.names;
  if (arguments.proba)
    for (const std::string& label : target.classes) names.push_back("proba_" + label);
  if (!arguments.std) return names;
  const bool per_class = target.task == Task::multiclass;
  for (const std::string& name : per_class ? target.classes : target.names)
    names.push_back(per_class ? target.names.front() + "_" + name + "_std" : name + "_std");
  return names;
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

std::vector<std::vector<std::string>> labelled_rows(const PredictionBlock& block, const Matrix& numbers,
                                                    const std::vector<std::string>& classes) {
  std::vector<std::vector<std::string>> rows;
  for (Index i = 0; i < block.rows(); ++i) {
    std::vector<std::string> row = {classes[static_cast<std::size_t>(block.values(i, 0))]};
    for (Index j = 1; j < numbers.cols(); ++j) row.push_back(fmt::format("{}", numbers(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

void run_predict(const PredictArguments& arguments) {
  Session session(arguments.run, arguments.out == "-");
  const Model model = arguments.cells.load(arguments.model);
  if (arguments.proba) model.check_probabilities();
  const Data data = CellRules::read(model, arguments.data, arguments.read);
  // Opened with the first rows: a table that does not match the model leaves standard output empty.
  std::optional<TableWriter> opened;
  const auto writer = [&]() -> TableWriter& {
    return opened ? *opened : opened.emplace(arguments.out, column_names(model, arguments));
  };
  const auto write = [&](const PredictionBlock& block) {
    std::vector<const Matrix*> parts = {&block.values};
    if (arguments.proba) parts.push_back(&block.probabilities);
    if (arguments.std) parts.push_back(&block.std);
    const Matrix numbers = side_by_side(parts);
    if (is_classification(model))
      writer().append_text(labelled_rows(block, numbers, model.target().classes));
    else
      writer().append(numbers);
  };
  model.for_each_prediction(data, {.with_std = arguments.std}, write, session.run());
  writer().commit();
}

}  // namespace

void add_predict(App& app) {
  auto* command = app.add_subcommand("predict", "Predict every row of a table with a model");
  command->footer(
      "Columns are found by the names they had in training, in any order; the target may be missing.\n"
      "Writes the target (a number, or the label of the class), with --proba one column per class, with --std\n"
      "the standard deviation of a new value (classes: of the score).\n"
      "Example:\n  weft predict model.weft new.csv --proba --out predictions.csv");
  auto arguments = std::make_shared<PredictArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data, true);
  command->add_option("--out", arguments->out,
                      "output file (.csv, or .npy for numbers only), or - for CSV on standard output");
  command->add_flag("--proba", arguments->proba, "write the probability of every class");
  command->add_flag("--std", arguments->std, "write standard deviations (of models fitted with --std)");
  add_fields(*command, arguments->read, "Reading");
  arguments->cells.add_to(*command);
  add_fields(*command, arguments->run, "Run", {"threads"});
  command->callback([arguments] { run_predict(*arguments); });
}

}  // namespace weft::cli
