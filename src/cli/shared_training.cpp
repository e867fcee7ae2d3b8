#include "cli/shared_training.hpp"

#include <weft/distributed.hpp>

#include "cli/class_spellings.hpp"
#include "cli/model_report.hpp"
#include "cli/processes.hpp"
#include "cli/read_table.hpp"

#include <algorithm>

namespace weft::cli {

namespace {

void refuse_alone(bool given, const char* option, const char* remedy) {
  if (given) throw Error(ErrorKind::option, "it is not done on several processes", option, remedy);
}

Model fit_together(const TrainingArguments& arguments, const SharedTable& table, const Run& run) {
  ModelParts parts = fit({table.all(), arguments.family, arguments.fit, arguments.encode, run}, table).parts();
  parts.provenance["command"] = arguments.command;
  return Model(std::move(parts));
}

bool shares_matrices(const Model& model) {
  const auto& words = model.parts().report.words;
  return std::any_of(words.begin(), words.end(), [](const auto& word) { return word.first == "matrices"; });
}

}  // namespace

void choose_shared_method(TrainingArguments& arguments) {
  if (!arguments.method.named()) arguments.fast = true;
}

void train_together(const TrainingArguments& arguments) {
  refuse_alone(arguments.test.holdout > 0, "--holdout", "put test rows into a file and name it with --test");
  refuse_alone(!arguments.report.empty(), "--report", "write it afterwards: weft evaluate MODEL DATA --report");
  Communicator& others = processes();
  Session session(arguments.run, arguments.json);
  const Run& run = session.run();
  const auto open = [&](const std::string& file) {
    Data data = read_training(file, arguments.read, arguments.encode, run);
    check_shared_fit({data, arguments.family, arguments.fit, arguments.encode, run});
    return data;
  };
  const SharedTable table = share_table(arguments.data, open, others, run);
  const Model model = fit_together(arguments, table, run);
  const bool speaks = others.rank() == 0;
  if (speaks && !arguments.model.empty()) model.save(arguments.model);
  if (const std::string note = spelling_note(model.target()); !note.empty()) run.warn(note);
  TrainingSummary summary{.train = evaluate(model, table, {}, run), .path = arguments.model};
  summary.rows = table.rows();
  if (!arguments.test.test.empty())
    summary.test = evaluate(model, share_table(arguments.test.test, open, others, run), {}, run);
  if (!speaks) return;
  if (!shares_matrices(model)) summary.norms = model.norms(run);  // they need a matrix
  summary.warnings = session.warnings();
  session.finish_progress();
  print_training(model, summary, arguments.json, nullptr);
}

}  // namespace weft::cli
