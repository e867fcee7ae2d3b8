// A fit whose rows are shared out over processes.
#include <weft/distributed.hpp>
#include <weft/level_statistics.hpp>

#include "compute/gpu.hpp"
#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "data/rows/training_rows.hpp"
#include "distributed/merge_tree.hpp"
#include "methods/method.hpp"
#include "train/fit_rows.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

/// Sums fitted and held out, penalty, factor; and rows whose features are held (methods/least_squares/cyclic_sums.cpp).
constexpr double kSharedMatrices = 4;
constexpr double kSharedRows = 1024;

[[noreturn]] void refuse_shared(const char* field, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::option, why, option_mark(field), hint);
}

/// Statistics of every file, each gathered by one process, merged in a tree over the files.
template <class Statistics, class Gather>
Statistics merged_statistics(const SharedTable& table, const Gather& gather) {
  MergeTree<Statistics> tree(static_cast<Index>(table.first_rows().size()) - 1,
                             {[](Statistics& value, Statistics& next) { value.merge(next); },
                              [](const Statistics& value) { return value.to_bytes(); },
                              [](const std::string& bytes) { return Statistics::from_bytes(bytes); }});
  const auto [from, to] = table.own_files();
  const std::vector<Index>& first = table.first_rows();
  for (std::size_t k = from; k < to; ++k)
    tree.add(static_cast<Index>(k), gather(table.rows(first[k], first[k + 1]), first[k]));
  return *tree.all(table.processes());
}

Encoder fit_shared_encoder(const SharedTable& table, const EncodeOptions& options, const Run& run) {
  const Encoder inputs = Encoder::fit(
      merged_statistics<EncoderStatistics>(
          table, [&](const Data& file, Index first) { return EncoderStatistics::of(file, options, run, first); }),
      run);
  if (inputs.many_levels().empty()) return inputs;
  const auto levels = merged_statistics<LevelStatistics>(
      table, [&](const Data& file, Index first) { return LevelStatistics::of(inputs, file, run, first); });
  return inputs.with_effects(levels, run);
}

/// The rows of this process, numbered as in the whole table.
class SharedRows final : public BlockSource {
 public:
  SharedRows(std::unique_ptr<BlockSource> own, RowShare share, RowRule rule) : own_(std::move(own)) {
    set_share(std::move(share));
    set_rule(std::move(rule));
  }

  Index rows() const override { return share()->rows(); }
  Index outputs() const override { return own_->outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    own_->for_each([&](const TrainingBlock& block) {
      return consume({block.x, block.y, block.weights, share()->begin() + block.first_row});
    });
  }

 private:
  std::unique_ptr<BlockSource> own_;
};

/// Bytes left for the rows. Where the matrices of the method do not fit, they are shared out too, if that is possible.
double shared_memory(const FitRequest& request, const FamilyOptions& family, const Encoder& encoder,
                     const SharedTable& table, RowShare& share) {
  try {
    return check_memory(request.fit, family, {0, table.rows(), encoder.inputs().columns()}, request.run,
                        request.custom);
  } catch (const Error& error) {
    CyclicSolver* const solver = table.processes().solver();
    const Method& method = method_of(request.fit);
    const bool shares = method.shares_matrices != nullptr && method.shares_matrices(request.fit);
    if (error.kind() != ErrorKind::memory || solver == nullptr || !shares) throw;
    const CyclicSolver::Grid grid = solver->grid();
    const auto features =
        static_cast<double>(method.centres != nullptr ? method.centres(request.fit) : *family.features);
    if (features <= static_cast<double>(grid.tile) * std::max(grid.rows, grid.cols)) throw;
    share.matrices = true;
    MemoryPlan plan(request.run);
    plan.hold(fmt::format("a share of {} matrices of the features", kSharedMatrices),
              kSharedMatrices * features * features / table.processes().size());
    plan.hold("features of some rows", kSharedRows * features);
    plan.hold("centres", features * static_cast<double>(encoder.inputs().columns()));
    const char* name = method.centres != nullptr ? "landmarks" : "features";
    plan.check(fmt::format("{:.0f} {} on {} processes", features, name, table.processes().size()), option_mark(name),
               fmt::format("use more processes, or fewer {}", name));
    return plan.left();
  }
}

std::string shared_methods() {
  std::vector<std::string> names;
  for (const Method* method : methods())
    if (method->shares_rows || method->shares_work) names.emplace_back(method->name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

void check_shared_fit(const FitRequest& request) {
  check_options(request.encode);
  check_fit_options(request.fit, request.family);
  const Method& method = method_of(request.fit);
  if (!method.shares_rows && !method.shares_work)
    refuse_shared("fit", fmt::format("{} does not run on several processes", method.name),
                  fmt::format("use ‹fit› {}, or run one process", shared_methods()));
  if (request.run.max_seconds > 0)
    refuse_shared("max_time", "processes do not stop at the same row", "leave it out, or run one process");
  if (method.shares_work) return;
  if (method.check_shared != nullptr) method.check_shared(request.fit, std::numeric_limits<Index>::max());
  if (request.unlabelled)
    throw Error(ErrorKind::option, "rows without labels are not shared out over processes", {},
                "leave them out, or run one process");
}

bool shares_work(const FitOptions& options) {
  return method_of(options).shares_work;
}

Model fit(const FitRequest& given, const SharedTable& table) {
  if (shares_work(given.fit)) return fit(given, table.processes());
  FitRequest request = given;
  request.run.started = Run::Clock::now();
  check_shared_fit(request);
  use_alike(request.run, table.processes());
  const Run& run = request.run;
  const Stopwatch encode_clock;
  if (const Method& method = method_of(request.fit); method.check_shared != nullptr)
    method.check_shared(request.fit, table.rows());
  const Encoder encoder = fit_shared_encoder(table, request.encode, run);
  FittedRows rows{encoder, resolved_family(request, encoder), nullptr};
  RowShare share =
      RowShare::of(table.rows(), kBlockRows, table.processes(), may_use_gpu(run) ? kMostGpuPieces : kMostPieces);
  const double left = shared_memory(request, rows.family, encoder, table, share);
  auto own = training_rows(encoder, table.rows(share.begin(), share.end()), request.fit.class_weights, left, run, share,
                           share.begin());
  rows.rows = std::make_unique<SharedRows>(std::move(own), std::move(share), RowRule::of(table.all(), run));
  rows.encode_seconds = encode_clock.seconds();
  return fit_rows(request, std::move(rows));
}

}  // namespace weft
