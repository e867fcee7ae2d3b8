#include "cli/train_data.hpp"

#include "cli/read_table.hpp"

namespace weft::cli {

namespace {

// --query is of the training table: others that are databases name a table, or a query of their own.
Data read_other(const std::string& path, ReadOptions options, const Run& run) {
  options.query.clear();
  return read_table(path, options, run);
}

// The file may have the target, the weights and the groups of the training table, or not: none is an input.
Data read_unlabelled(const std::string& path, ReadOptions options, const ReadOptions& training, const Run& run) {
  options.target.clear();
  options.weights.clear();
  options.query.clear();
  options.rule = {};
  Data data = read_table(path, options, run);
  if (!data.options().target.empty()) return data;  // formats with a fixed target column
  const auto reader = data.open();
  for (const Column& column : reader->columns())
    for (const std::string& list :
         {training.target, training.weights, training.rule.time_input ? "" : training.rule.column()})
      if (("," + list + ",").find("," + column.name + ",") != std::string::npos)
        options.drop += (options.drop.empty() ? "" : ",") + column.name;
  return read(path, options);
}

Data labelled_rows(const Data& data, const EncodeOptions& encode, const Run& run) {
  return encode.missing == MissingCells::error ? data : rows_with_target(data, {}, run);
}

}  // namespace

void TestOptions::add_to(App& command) {
  command.add_option("--test", test, "file to test the model on");
  command.add_option("--holdout", holdout,
                     "fraction of the rows, whole groups or latest times kept for testing (in [0, 1)) [0]");
}

void TestOptions::check() const {
  check_value("holdout", holdout, Allowed{.low = 0, .high = 1, .high_open = true});
  if (!test.empty() && holdout > 0)
    throw Error(ErrorKind::option, "both --test and --holdout are given", "--holdout", "give only one of them");
}

void TestOptions::check_table(const Data& all, const ReadOptions& read, const EncodeOptions& encode,
                              const Run& run) const {
  if (test.empty()) return;
  const Encoder encoder = Encoder::fit(all, encode, run);
  const auto rows = encoder.open(read_other(test, read, run), true, run);
  constexpr Index kRows = 4096;
  for (Block block; rows->next(block, kRows);) run.check_cancelled();
}

TrainAndTest TestOptions::split(const Data& all, const ReadOptions& read, const EncodeOptions& encode,
                                std::uint64_t seed, const Run& run) const {
  if (!test.empty()) return {all, labelled_rows(read_other(test, read, run), encode, run)};
  if (holdout == 0) return {all, std::nullopt};
  DataSplit parts = hold_out(all, encode, {.holdout = holdout, .seed = seed}, run);
  return {std::move(parts.train), std::move(parts.test)};
}

void LabelOptions::add_to(App& command) {
  command
      .add_option("--unlabelled", unlabelled,
                  "file of rows that determine the encoding of the inputs and the features chosen by leverage "
                  "sampling; a target in it is ignored")
      ->group("Few labels");
  command
      .add_option("--labels-per-class", labels_per_class,
                  "use the labels of only this many rows per class; the other rows serve as --unlabelled (0: use all "
                  "labels) [0]")
      ->group("Few labels");
}

void LabelOptions::check() const {
  check_value("labels_per_class", labels_per_class, Allowed::at_least(0));
}

LabelledData LabelOptions::apply(const Data& train, const ReadOptions& read, const EncodeOptions& encode,
                                 std::uint64_t seed, const Run& run) const {
  LabelledData data{train, std::nullopt, encode};
  if (!unlabelled.empty()) data.unlabelled = read_unlabelled(unlabelled, read, train.options(), run);
  if (labels_per_class == 0) return data;
  const std::vector<Index> classes = row_classes(train, encode, run).classes;
  if (classes.empty())
    throw Error(ErrorKind::option, "the target is not a class", "--labels-per-class",
                "omit it, or add --task classification if the numbers are classes");
  if (!data.unlabelled) data.unlabelled = train;
  data.train = select_rows(train, choose_labelled(classes, labels_per_class, seed), 1);
  data.encode.task = TargetKind::classification;  // auto may not detect it from so few rows
  return data;
}

Data read_training(const std::string& path, const ReadOptions& options, const EncodeOptions& encode, const Run& run) {
  const Data all = read_table(path, options, run);
  if (all.options().target.empty())
    throw Error(ErrorKind::option, "no target column given", "--target", "name the target column");
  return labelled_rows(all, encode, run);
}

}  // namespace weft::cli
