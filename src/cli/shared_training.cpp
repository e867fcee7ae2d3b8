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

struct SharedSplit {
  SharedTable train;
  std::optional<SharedTable> test = {};
};

/// Rows that are held out for tests leave one table, however many files there were.
SharedSplit share_rows(const TrainingArguments& arguments, Communicator& others, const Run& run) {
  const auto open = [&](const std::string& file) {
    Data data = read_training(file, arguments.read, arguments.encode, run);
    check_shared_fit({data, arguments.family, arguments.fit, arguments.encode, run});
    return data;
  };
  SharedTable all = share_table(arguments.data, open, others, run);
  const TestOptions& test = arguments.test;
  if (!test.test.empty()) return {all, share_table(test.test, open, others, run)};
  if (test.holdout == 0) return {all};
  TrainAndTest parts = test.split(all.all(), arguments.read, arguments.encode, arguments.family.seed, run);
  return {SharedTable({parts.train}, parts.train.name(), others, run),
          SharedTable({*parts.test}, parts.test->name(), others, run)};
}

/// By this process alone, with all rows.
void report_alone(const TrainingArguments& arguments, const Model& model, const SharedSplit& rows, const Run& run) {
  if (shares_matrices(model))
    throw Error(ErrorKind::memory, "the report needs matrices that no process holds", "--report",
                "the model is written; weft evaluate MODEL DATA --report draws its errors");
  const LabelledData labelled{rows.train.all(), std::nullopt, arguments.encode};
  write_report(arguments, model, labelled, rows.test ? std::optional(rows.test->all()) : std::nullopt, nullptr, run);
}

}  // namespace

bool choose_shared_method(TrainingArguments& arguments) {
  if (arguments.method.named() || arguments.fast) return false;
  arguments.fast = true;
  return arguments.random_feature_option().empty();
}

void check_shared_work(const TrainingArguments& arguments) {
  if (shares_work(arguments.fit))
    refuse_alone(arguments.run.max_time > 0, arguments.tune.minutes > 0 ? "--minutes" : "--max-time",
                 "leave it out: processes do not run out of time at the same step");
}

void train_together(const TrainingArguments& arguments) {
  Communicator& others = processes();
  Session session(arguments.run, arguments.json);
  const Run& run = session.run();
  const SharedSplit rows = share_rows(arguments, others, run);
  const Model model = fit_together(arguments, rows.train, run);
  const bool speaks = others.rank() == 0;
  if (speaks && !arguments.model.empty()) model.save(arguments.model);
  if (const std::string note = spelling_note(model.target()); !note.empty()) run.warn(note);
  TrainingSummary summary{.train = evaluate(model, rows.train, {}, run), .path = arguments.model};
  summary.rows = rows.train.rows();
  if (rows.test) summary.test = evaluate(model, *rows.test, {}, run);
  if (!speaks) return wait_for_first_process();
  if (!shares_matrices(model)) summary.norms = model.norms(run);  // they need a matrix
  if (!arguments.report.empty()) report_alone(arguments, model, rows, run);
  summary.page = arguments.report;
  summary.warnings = session.warnings();
  session.finish_progress();
  print_training(model, summary, arguments.json, nullptr);
  wait_for_first_process();
}

}  // namespace weft::cli
