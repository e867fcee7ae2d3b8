#include "export/program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/at.hpp"
#include "data/text.hpp"
#include "model/intervals.hpp"
#include "model/predictor.hpp"

namespace weft::detail {

namespace {

// The inputs of a row are held on the stack.
constexpr Index kMostInputs = 50'000;

bool text_column(const ColumnStep& column) {
  return column.is_text();
}

bool number_column(const ColumnStep& column) {
  return column.reader == CellReader::number;
}

std::vector<std::string> names_of(const std::vector<ColumnStep>& columns, bool (*wanted)(const ColumnStep&)) {
  std::vector<std::string> names;
  for (const ColumnStep& column : columns)
    if (wanted(column)) names.push_back(column.name);
  return names;
}

/// Members with equal transforms share their landmarks.
class MembersOf {
 public:
  explicit MembersOf(Program& program) : program_(program) {}

  void add(const Member& member) {
    Transform& shared = transform_of(member);
    MemberStep step = shared.step;
    step.weight = member.weight;
    const auto leaves = static_cast<Index>(program_.leaves.size());
    const auto splits = static_cast<Index>(program_.splits.size());
    const auto child = [&](Index c) { return c >= 0 ? splits + c : c - leaves; };
    step.root = member.splits.empty() ? -1 - leaves : splits;
    for (const Split& split : member.splits)
      program_.splits.push_back({split.input, split.threshold, child(split.below), child(split.above)});
    for (const Leaf& leaf : member.leaves) {
      program_.leaves.push_back(add_leaf(leaf.map, leaf.coefficients, leaf.intercepts, shared.rows, program_));
      table_of_.resize(program_.sections.size(), shared.table);
    }
    program_.members.push_back(step);
  }

  /// Landmarks go behind everything else.
  void place_landmarks() {
    std::vector<Index> starts;
    for (const Transform& shared : transforms_) starts.push_back(program_.add(shared.rows.numbers()));
    for (std::size_t s = 0; s < program_.sections.size(); ++s) {
      SectionGroup& section = program_.sections[s];
      section.landmarks = starts[at(table_of_[s])] + section.landmarks * section.width;
    }
  }

 private:
  struct Transform {
    const InputTransform* transform;
    MemberStep step;
    LandmarkRows rows;
    Index table;
  };

  Transform& transform_of(const Member& member) {
    for (Transform& known : transforms_)
      if (*known.transform == member.transform) return known;
    const InputTransform& transform = member.transform;
    MemberStep step;
    step.count = transform.columns.empty() ? program_.inputs : static_cast<Index>(transform.columns.size());
    step.inputs = transform.inputs(program_.inputs);
    if (!transform.columns.empty()) step.columns = program_.add(transform.columns);
    if (!transform.factors.empty()) step.factors = program_.add(transform.factors);
    if (transform.matrix.rows() > 0)
      step.matrix = program_.add(transform.matrix.data(), transform.matrix.rows() * transform.matrix.cols());
    program_.most_inputs = std::max({program_.most_inputs, step.inputs, step.count});
    transforms_.push_back({&transform, step, LandmarkRows(step.inputs), static_cast<Index>(transforms_.size())});
    return transforms_.back();
  }

  Program& program_;
  std::vector<Transform> transforms_;
  std::vector<Index> table_of_;  // of each section
};

LinkStep link_of(const ModelParts& parts, const DecisionOptions& decision, Program& program) {
  LinkStep link;
  const Task task = parts.encoder.target().task;
  link.probabilities = parts.probabilistic || !parts.calibration.slope.empty();
  if (task == Task::regression) {
    if (parts.loss.kind == RegressionLoss::poisson) link.kind = LinkStep::Kind::poisson;
    if (parts.loss.is_quantile()) link.kind = LinkStep::Kind::quantiles;
    return link;
  }
  link.kind = task == Task::binary ? LinkStep::Kind::binary : LinkStep::Kind::multiclass;
  link.threshold = decision.threshold;
  if (!parts.calibration.slope.empty()) {
    link.slopes = program.add(parts.calibration.slope);
    program.add(parts.calibration.offset);
  }
  return link;
}

void add_ends(const Model& model, double share, Program& program) {
  if (!program.classes.empty())
    throw Error(ErrorKind::option, "sets of labels are not exported", "‹interval›",
                "leave it out, and use the probabilities of the labels");
  const Intervals intervals(model, {.intervals = {.interval = share}});
  if (const std::string note = intervals.note(); !note.empty())
    throw Error(ErrorKind::option, note, "‹interval›", "ask for a smaller share, or train with more rows");
  program.link.ends = program.add(intervals.below());
  program.add(intervals.above());
}

}  // namespace

Index Program::values() const {
  return static_cast<Index>(value_names().size());
}

std::vector<std::string> Program::value_names() const {
  std::vector<std::string> names = targets;
  if (link.probabilities)
    for (const std::string& label : classes) names.push_back("proba_" + label);
  if (link.ends < 0) return names;
  for (const char* end : {"lower", "upper"})
    for (const std::string& target : targets) {
      std::string name = targets.size() == 1 ? end : target + "_" + end;
      while (std::find(names.begin(), names.end(), name) != names.end()) name.insert(0, "predicted_");
      names.push_back(name);
    }
  return names;
}

std::vector<std::string> Program::number_columns() const {
  return names_of(columns, number_column);
}

std::vector<std::string> Program::text_columns() const {
  return names_of(columns, text_column);
}

Index Program::add(const double* numbers, Index count) {
  const auto first = static_cast<Index>(parameters.size());
  parameters.insert(parameters.end(), numbers, numbers + count);
  return first;
}

Index Program::add(const std::vector<double>& numbers) {
  return add(numbers.data(), static_cast<Index>(numbers.size()));
}

Index Program::add(const std::vector<Index>& numbers) {
  const auto first = static_cast<Index>(integers.size());
  integers.insert(integers.end(), numbers.begin(), numbers.end());
  return first;
}

Program program_of(const Model& model, const ExportOptions& options) {
  check_decision(model, options.decision);
  const ModelParts& parts = model.parts();
  Program program;
  program.inputs = program.most_inputs = parts.encoder.inputs().columns();
  if (program.inputs > kMostInputs)
    throw Error(ErrorKind::option,
                fmt::format("a model of {} inputs is not supported: a row is held on the stack", program.inputs), {},
                fmt::format("train with at most {} inputs, for instance with ‹drop›", kMostInputs));
  program.outputs = model.outputs();
  const auto na_values = parts.options.find("na_values");
  if (na_values != parts.options.end()) program.na_values = split_list(na_values->second);
  add_encoder(parts.encoder, program);
  program.intercepts = program.add(parts.intercepts);
  program.targets = model.value_names();
  program.classes = model.target().classes;
  program.link = link_of(parts, options.decision, program);
  if (options.interval) add_ends(model, *options.interval, program);
  MembersOf members(program);
  // A model without members is one of them, with one leaf.
  std::vector<Member> alone;
  if (parts.members.empty()) {
    const std::vector<double> zeros(parts.intercepts.size(), 0.0);
    alone.push_back({.name = "model"});
    alone.front().leaves.push_back({parts.map, parts.coefficients, zeros});
  }
  for (const Member& member : parts.members.empty() ? alone : parts.members) members.add(member);
  members.place_landmarks();
  return program;
}

}  // namespace weft::detail
