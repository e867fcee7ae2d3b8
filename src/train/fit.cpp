// From a table to a model: encode, draw, fit, store.
#include <weft/distributed.hpp>

#include "compute/gpu.hpp"
#include "core/stopwatch.hpp"
#include "data/rows/training_rows.hpp"
#include "distributed/row_share.hpp"
#include "features/draws.hpp"
#include "methods/calibration.hpp"
#include "methods/method.hpp"
#include "train/fit_rows.hpp"
#include "train/stored_options.hpp"
#include "train/useful_threads.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

void check_target(const FitOptions& options, const TargetInfo& target) {
  if (own_value<bool>(options.method, "calibrate") == true && target.task != Task::binary &&
      target.task != Task::multiclass)
    throw Error(ErrorKind::option, "calibration is for classifiers", "‹calibrate›",
                "leave it out, or use ‹task› classification if the numbers are classes");
}

/// Throws about the first target that is negative, with its line.
void check_counts(const Data& train, const std::vector<std::string>& targets) {
  const auto reader = train.open();
  reader->need_only(targets);
  const std::vector<Column>& columns = reader->columns();
  for (RawBlock block; reader->next(block, kBlockRows);)
    for (Index c = 0; c < block.columns.rows; ++c) {
      const std::string& name = columns[static_cast<std::size_t>(c)].name;
      if (std::find(targets.begin(), targets.end(), name) == targets.end()) continue;
      for (Index i = 0; i < block.rows(); ++i)
        if (block.columns(c, i) < 0)
          throw Error(ErrorKind::data,
                      fmt::format("target '{}' is {}, and the poisson loss is for counts: 0 or more", name,
                                  block.columns(c, i)),
                      reader->place(i, c), "leave the row out, or use another ‹loss›");
    }
}

struct Encoding {
  Encoder encoder;
  std::unique_ptr<BlockSource> unlabelled;  ///< those rows, where there are any
};

/// The target is that of the training rows; the inputs are encoded as the unlabelled rows have them, where there are
/// any, because a few labelled rows contain neither all categories nor the scales.
Encoding fit_encoding(const FitRequest& request, const Run& run) {
  if (!request.unlabelled)
    return {request.encoder ? *request.encoder : Encoder::fit(request.train, request.encode, run), nullptr};
  const Encoder inputs = Encoder::fit_inputs(*request.unlabelled, request.encode, run);
  return {inputs.with_target_of(request.train, run), input_rows(inputs, *request.unlabelled, run)};
}

/// Classifiers whose method gives neither log-odds nor a calibration get one here, and methods that do not predict rows
/// without them score some for intervals, where that is asked for.
FitResult fit_with_scores(const Problem& problem) {
  const Method& method = method_of(problem.options);
  FitResult result = method.run(problem);
  const bool classes = problem.task == Task::binary || problem.task == Task::multiclass;
  const bool uncalibrated = classes && !result.probabilistic && result.calibration.slope.empty();
  const bool unscored = problem.options.intervals && result.left_out.by == ScoredBy::none && result.members.empty();
  if (!uncalibrated && !unscored) return result;
  const Stopwatch clock;
  result.left_out = score_by_second_fit(problem, method.run, result);
  if (uncalibrated) result.calibration = result.left_out.rows.common_sigmoid();
  result.report.seconds.emplace_back("calibrate", clock.seconds());
  return result;
}

/// Where the rows do not decide what is drawn, the features say which columns of a wide table blocks have to hold.
void draw_for_wide_tables(const FitRequest& request, FittedRows& rows) {
  const Method& method = method_of(request.fit);
  if (method.make_map != nullptr || method.kernel_machine || samples_from_data(rows.family.sampling) ||
      request.unlabelled || rows.encoder.inputs().columns() <= kWideInputs)
    return;
  rows.map = FeatureMap::draw(rows.family, rows.encoder.inputs(), request.custom);
  rows.narrow = narrow_inputs(rows.encoder, *rows.map);
}

Model fit_all_rows(FitRequest request, Communicator* processes) {
  request.run.started = Run::Clock::now();
  check_options(request.encode);
  check_fit_options(request.fit, request.family);
  const Stopwatch encode_clock;
  const auto [encoder, others] = fit_encoding(request, request.run);
  FittedRows rows{encoder, resolved_family(request, encoder), nullptr, others.get()};
  draw_for_wide_tables(request, rows);
  const Encoder& seen = rows.narrow ? rows.narrow->encoder : encoder;
  request.run = with_useful_threads(request.run, encoder.rows_seen(), seen.inputs().columns(), rows.family.features);
  const double left = check_memory(request.fit, rows.family, {0, encoder.rows_seen(), seen.inputs().columns()},
                                   request.run, request.custom);
  rows.rows = training_rows(seen, request.train, request.fit.class_weights, left, request.run);
  rows.encode_seconds = encode_clock.seconds();
  rows.processes = processes;
  return fit_rows(request, std::move(rows));
}

}  // namespace

Model fit(const FitRequest& request) {
  return fit_all_rows(request, nullptr);
}

Model fit(const FitRequest& given, Communicator& processes) {
  FitRequest request = given;
  check_shared_fit(request);
  assert(shares_work(request.fit));
  use_alike(request.run, processes);
  return fit_all_rows(request, &processes);
}

namespace detail {

void use_alike(Run& run, Communicator& processes) {
  if (!on_all(&processes, may_use_gpu(run))) run.device = "cpu";
}

FamilyOptions resolved_family(const FitRequest& request, const Encoder& encoder) {
  check_target(request.fit, encoder.target());
  if (own_value<RegressionLoss>(request.fit.method, "loss") == RegressionLoss::poisson)
    check_counts(request.train, encoder.target().names);
  return resolve_family(request.fit, request.family, encoder.inputs(), request.custom);
}

Model fit_rows(const FitRequest& request, FittedRows given) {
  const FitOptions& options = request.fit;
  const Encoder& encoder = given.encoder;
  const BlockSource& rows = *given.rows;
  FamilyOptions& family = given.family;
  const Task task = encoder.target().task;
  const Stopwatch sample_clock;
  const FittedMap made = given.narrow ? FittedMap{given.narrow->map}
                                      : make_map({family,
                                                  options,
                                                  encoder.inputs(),
                                                  {rows, given.unlabelled != nullptr ? *given.unlabelled : rows},
                                                  task,
                                                  request.run,
                                                  request.custom});
  const KernelSections* sections = made.map.sections();
  if (sections != nullptr) family.family = sections->kernel.name();  // the family recorded in the model
  const double sample_seconds = sample_clock.seconds();

  ModelParts parts{.encoder = encoder, .map = given.narrow ? *given.map : made.map};
  FitResult result =
      fit_with_scores({made.map, rows, task, options, family, request.run, made.shares,
                       given.narrow ? given.narrow->encoder.column_kinds() : encoder.column_kinds(), given.processes});
  if (given.narrow && result.map) result.map = on_all_inputs(*result.map, *given.map);
  store_result(std::move(result), parts);
  for (const auto& [name, value] : made.report.numbers) parts.report.set(name, value);
  for (const std::string& warning : made.report.warnings) parts.report.warnings.push_back(warning);
  if (sections != nullptr || samples_from_data(family.sampling))
    parts.report.seconds.insert(parts.report.seconds.begin(), {"sample", sample_seconds});
  parts.report.seconds.insert(parts.report.seconds.begin(), {"encode", given.encode_seconds});
  store_origin(family, options, request.train.name(), encoder.rows_seen(), parts);
  store_cells(request.train.options().na_values, parts);
  store_rule(request.train.options().rule, rows.rule().describe(), parts);
  if (request.alternatives > 1) parts.provenance["alternatives"] = std::to_string(request.alternatives);
  return Model(std::move(parts));
}

}  // namespace detail

}  // namespace weft
