#include <weft/incremental.hpp>

#include "data/rows/row_filter.hpp"
#include "data/rows/training_rows.hpp"
#include "features/draws.hpp"
#include "methods/fold_rows.hpp"
#include "methods/method.hpp"
#include "train/stored_options.hpp"

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

[[noreturn]] void refuse(const char* field, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::option, why, option_mark(field), hint);
}

void check_incremental(const FamilyOptions& family, const FitOptions& options) {
  check_fit_options(options, family);
  const Method& method = method_of(options);
  if (!method.batches)
    refuse("fit", fmt::format("{} reads its rows more than once, and these come in batches", method.name),
           "use ‹fit› least-squares, or fit all rows together");
  if (own_value<bool>(options.method, "calibrate") == true)
    refuse("calibrate", "calibration reads the rows again, and these come in batches", "fit all rows together");
  if (options.intervals)
    refuse("intervals", "scores for intervals need the rows again, and these come in batches", "fit all rows together");
  if (options.class_weights != ClassWeighting::none)
    refuse("class_weights", "the sizes of the classes are not known before the last batch", "give weights per row");
  if (samples_from_data(family.sampling))
    refuse("sampling",
           fmt::format("{} chooses features from all rows, and these come in batches", name_of(*family.sampling)),
           "use plain, orthogonal, structured, halton or sobol");
}

Index count_rows(const Data& data) {
  const auto reader = data.open();
  Index rows = 0;
  for (RawBlock block; reader->next(block, kBlockRows);) rows += block.rows();
  return rows;
}

/// A batch as a part of all rows: its numbers follow those of the batches before.
class NextRows final : public BlockSource {
 public:
  NextRows(const BlockSource& batch, Index before) : batch_(batch), before_(before) {}

  Index rows() const override { return before_ + batch_.rows(); }
  Index outputs() const override { return batch_.outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    batch_.for_each([&](const TrainingBlock& block) {
      return consume({block.x, block.y, block.weights, before_ + block.first_row});
    });
  }

 private:
  const BlockSource& batch_;
  Index before_;
};

}  // namespace

struct IncrementalFit::State {
  Encoder encoder;
  FamilyOptions family;
  FitOptions options;
  FeatureMap map;
  double left = 0;        // bytes of memory for a batch
  PartSums sums = {};     // the part fitted and, unless λ is given, the one held out
  std::string data = {};  // name of the first batch
  Index rows = 0;
};

IncrementalFit::IncrementalFit(const Encoder& encoder, const FamilyOptions& given, const FitOptions& options,
                               const Run& run) {
  check_incremental(given, options);
  const FamilyOptions family = resolve_family(given, encoder.inputs().variables());
  const double left = check_memory(options, family, {0, 0, encoder.inputs().columns()}, run);
  state_ = std::make_unique<State>(State{encoder, family, options, FeatureMap::draw(family, encoder.inputs()), left});
}

IncrementalFit::~IncrementalFit() = default;
IncrementalFit::IncrementalFit(IncrementalFit&&) noexcept = default;
IncrementalFit& IncrementalFit::operator=(IncrementalFit&&) noexcept = default;

void IncrementalFit::add(const Data& rows, const Run& given_run) {
  State& s = *state_;
  if (const std::string rule = rows.options().rule.name(); !rule.empty())
    refuse(rule.c_str(), "the rows of a group or time may be in other batches, where they cannot be held out together",
           "fit all rows together");
  Run run = given_run;
  run.max_seconds = 0;
  const auto batch = training_rows(s.encoder, rows, ClassWeighting::none, s.left, run, count_rows(rows), s.rows);
  const NextRows next(*batch, s.rows);
  merge_parts(accumulate_parts({s.map, next, s.encoder.target().task, s.options, s.family, run},
                               s.options.lambda ? 1 : 2, held_out_part(RowRule(), s.family, s.options)),
              s.sums);
  if (s.rows == 0) s.data = rows.name();
  s.rows += batch->rows();
}

Index IncrementalFit::rows() const {
  return state_->rows;
}

Model IncrementalFit::model(const Run& run) const {
  const State& s = *state_;
  if (s.rows == 0) throw Error(ErrorKind::data, "there are no rows to fit yet", {}, "add some");
  check_parts(s.sums.parts);
  ModelParts parts{.encoder = s.encoder, .map = s.map};
  const auto sample = sample_rows({}, {});  // how many rows would come, and so which to keep, was not known
  store_result(method_of(s.options).solve({s.map, *sample, s.encoder.target().task, s.options, s.family, run},
                                          HeldOutSums::of(s.sums)),
               parts);
  store_origin(s.family, s.options, s.data, s.rows, parts);
  return Model(std::move(parts));
}

}  // namespace weft
