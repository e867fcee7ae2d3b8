#include "data/rows/training_rows.hpp"

#include "core/at.hpp"
#include "core/huge_pages.hpp"
#include "core/memory.hpp"
#include "data/encode/read_ahead.hpp"
#include "data/rows/piece_sums.hpp"
#include "distributed/one_process.hpp"

#include <algorithm>
#include <atomic>

namespace weft::detail {

namespace {

/// What becomes of encoded rows: classes get their codes, and weights are multiplied by those of the classes.
class RowCodes {
 public:
  RowCodes(const Encoder& encoder, Index outputs, const std::vector<double>& class_weight)
      : outputs_(outputs),
        classes_(encoder.target().task == Task::binary || encoder.target().task == Task::multiclass),
        class_weight_(class_weight) {}

  void apply(Block& block) const {
    if (!class_weight_.empty()) {
      block.weights.resize(at(block.rows()), 1.0);
      for (Index i = 0; i < block.rows(); ++i)
        block.weights[at(i)] *= class_weight_[at(static_cast<Index>(block.y(0, i)))];
    }
    if (!classes_ || outputs_ == 0) return;
    const Matrix positions = std::move(block.y);
    block.y = Matrix(outputs_, block.rows());
    for (Index o = 0; o < outputs_; ++o)
      for (Index i = 0; i < block.rows(); ++i)
        block.y(o, i) = class_code(static_cast<Index>(positions(0, i)), o, outputs_);
  }

 private:
  Index outputs_;
  bool classes_;
  const std::vector<double>& class_weight_;
};

/// Some rows of a block; y is empty where there are no outputs.
TrainingBlock part_of(const Block& block, Index first, Index rows) {
  return {block.x.view().col_range(first, rows), block.y.rows() > 0 ? block.y.view().col_range(first, rows) : block.y,
          block.weights.empty() ? nullptr : block.weights.data() + first, block.first_row + first};
}

// W / (K · W_k): every class has the same total weight, and the total stays W. Summed in the pieces of the share.
std::vector<double> balanced_weights(const Encoder& encoder, const Data& data, const RowShare& share) {
  const std::size_t classes = encoder.target().classes.size();
  if (classes == 0)
    throw Error(ErrorKind::option, "class weights need a classification target", "‹class_weights›",
                "leave it out, or set ‹task› classification");
  MatrixSums sums(share, 1, static_cast<Index>(classes));
  const auto reader = encoder.open(data, true);
  for (Block block; reader->next(block, kBlockRows);) {
    Matrix& piece = sums.of(share.begin() + block.first_row);
    for (Index i = 0; i < block.rows(); ++i)
      piece(0, static_cast<Index>(block.y(0, i))) +=
          block.weights.empty() ? 1 : block.weights[static_cast<std::size_t>(i)];
  }
  const Matrix found = sums.all();
  std::vector<double> totals(found.data(), found.data() + classes);
  double sum = 0;
  for (const double total : totals) sum += total;
  for (double& total : totals) total = total > 0 ? sum / (static_cast<double>(classes) * total) : 0;
  return totals;
}

class StreamedRows final : public BlockSource {
 public:
  StreamedRows(Encoder encoder, Data data, Index outputs, std::vector<double> class_weight, Index rows, Index first_row,
               const Run& run)
      : encoder_(std::move(encoder)),
        data_(std::move(data)),
        outputs_(outputs),
        class_weight_(std::move(class_weight)),
        rows_(rows),
        first_row_(first_row),
        run_(run) {}

  Index rows() const override { return rows_; }
  Index outputs() const override { return outputs_; }
  const TrainingBlock* in_memory() const override { return nullptr; }
  /// In blocks of exactly kBlockRows (the last may be shorter) however the source cuts its own: the same rows always
  /// meet in the same sums, so a file and an array give the same bits.
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    for_each(consume, [](const TrainingBlock&) {});
  }
  /// `keep` gets the rows of several blocks at once, before `consume` does and from whatever thread has encoded them.
  void for_each(const std::function<bool(const TrainingBlock&)>& consume,
                const std::function<void(const TrainingBlock&)>& keep) const {
    const RowCodes codes(encoder_, outputs_, class_weight_);
    ReadAhead reader(encoder_.open_training(data_, outputs_ > 0, reading_run(run_), first_row_), kBlockRows,
                     encoder_.inputs().columns(), run_, [&](Block& block) {
                       codes.apply(block);
                       keep(part_of(block, 0, block.rows()));
                     });
    Index seen = 0;
    for (Block block; seen <= rows() && reader.next(block);) {
      seen += block.rows();
      for (Index first = 0; first < block.rows() && seen <= rows(); first += kBlockRows) {
        run_.check_cancelled();
        if (!consume(part_of(block, first, std::min(kBlockRows, block.rows() - first)))) return;
      }
    }
    if (seen != rows())
      throw Error(ErrorKind::data, "the data changed while they were read", data_.name(),
                  "fit on a copy that does not change");
  }

 private:
  Encoder encoder_;
  Data data_;
  Index outputs_;
  std::vector<double> class_weight_;
  Index rows_;
  Index first_row_;
  Run run_;
};

/// Keeps the rows of `source` as the first pass that goes to its end delivers them, so that encoding them and what the
/// fit makes of them overlap where the latter is a device's.
class HeldRows final : public BlockSource {
 public:
  HeldRows(std::unique_ptr<StreamedRows> source, Index inputs, const Run& run)
      : source_(std::move(source)), inputs_(inputs), run_(run) {}

  Index rows() const override { return source_->rows(); }
  Index outputs() const override { return source_->outputs(); }
  const TrainingBlock* in_memory() const override {
    while (!held_) {
      if (busy_.exchange(true)) {
        busy_.wait(true);
        continue;
      }
      const Busy busy{busy_};
      if (held_) break;
      fill([&](const TrainingBlock& block) {
        run_.report("reading", static_cast<double>(block.first_row + block.rows()), static_cast<double>(rows()));
        return true;
      });
    }
    return &all_;
  }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    if (!held_ && busy_.exchange(true)) return source_->for_each(consume);  // another pass is filling
    if (!held_) {
      const Busy busy{busy_};
      if (!held_) return fill(consume);
    }
    for (Index first = 0; first < rows(); first += kBlockRows) {
      run_.check_cancelled();
      const Index count = std::min(kBlockRows, rows() - first);
      const TrainingBlock block{all_.x.col_range(first, count), all_.y.col_range(first, count),
                                all_.weights == nullptr ? nullptr : all_.weights + first, first};
      if (!consume(block)) return;
    }
  }

 private:
  struct Busy {
    std::atomic<bool>& flag;
    ~Busy() {
      flag = false;
      flag.notify_all();
    }
  };

  void fill(const std::function<bool(const TrainingBlock&)>& consume) const {
    if (x_.rows() == 0) {
      x_ = Matrix::unset(inputs_, rows());
      y_ = Matrix::unset(outputs(), rows());
      prefer_huge_pages(x_.data(), static_cast<std::size_t>(inputs_ * rows()) * sizeof(double));
    }
    weights_.clear();
    bool whole = true;
    source_->for_each([&](const TrainingBlock& block) { return whole = consume(block); },
                      [&](const TrainingBlock& rows) { keep(rows); });
    if (!whole) return;
    all_ = {x_, y_, weights_.empty() ? nullptr : weights_.data(), 0};
    held_ = true;
  }

  void keep(const TrainingBlock& some) const {
    if (some.first_row + some.rows() > rows()) return;  // more than there were: the pass ends with an error
    for_each_row_tile(inputs_, some.rows(), reading_run(run_).thread_count(), [&](Index, Tile tile) {
      for (Index j = 0; j < inputs_; ++j)
        std::copy_n(some.x.row(j) + tile.first, tile.count, x_.row(j) + some.first_row + tile.first);
    });
    for (Index o = 0; o < y_.rows(); ++o) std::copy_n(some.y.row(o), some.rows(), y_.row(o) + some.first_row);
    if (some.weights != nullptr) weights_.insert(weights_.end(), some.weights, some.weights + some.rows());
  }

  std::unique_ptr<StreamedRows> source_;
  Index inputs_;
  Run run_;
  mutable std::atomic<bool> busy_ = false, held_ = false;  // busy: somebody fills, or finds out whether to
  mutable Matrix x_, y_;
  mutable std::vector<double> weights_;
  mutable TrainingBlock all_;
};

}  // namespace

Index output_count(const TargetInfo& target) {
  switch (target.task) {
    case Task::regression:
      return static_cast<Index>(target.names.size());
    case Task::multiclass:
      return static_cast<Index>(target.classes.size());
    case Task::binary:
      return 1;
    case Task::none:
      break;
  }
  throw Error(ErrorKind::option, "no target column given", "‹target›", "name the column to predict");
}

std::unique_ptr<BlockSource> training_rows(const Encoder& encoder, const Data& data, ClassWeighting class_weights,
                                           double left, const Run& run, std::optional<Index> count, Index first_row) {
  return training_rows(encoder, data, class_weights, left, run,
                       RowShare::of(count.value_or(encoder.rows_seen()), kBlockRows, one_process()), first_row);
}

std::unique_ptr<BlockSource> training_rows(const Encoder& encoder, const Data& data, ClassWeighting class_weights,
                                           double left, const Run& run, const RowShare& share, Index first_row) {
  std::vector<double> weights;
  if (class_weights == ClassWeighting::balanced) weights = balanced_weights(encoder, data, share);
  auto streamed = std::make_unique<StreamedRows>(encoder, data, output_count(encoder.target()), std::move(weights),
                                                 share.end() - share.begin(), first_row, run);
  const Index inputs = encoder.inputs().columns();
  const double bytes =
      8.0 * static_cast<double>(inputs + streamed->outputs() + 1) * static_cast<double>(streamed->rows());
  RowRule rule = RowRule::of(data, run);
  std::unique_ptr<BlockSource> rows;
  if (bytes > std::min(MemoryPlan(run).spare_for_rows(), left))
    rows = std::move(streamed);
  else
    rows = std::make_unique<HeldRows>(std::move(streamed), inputs, run);
  rows->set_rule(std::move(rule));
  return rows;
}

std::unique_ptr<BlockSource> streamed_rows(const Encoder& encoder, const Data& data, std::vector<double> class_factors,
                                           const Run& run, Index rows, Index first_row) {
  return std::make_unique<StreamedRows>(encoder, data, output_count(encoder.target()), std::move(class_factors), rows,
                                        first_row, run);
}

std::unique_ptr<BlockSource> input_rows(const Encoder& encoder, const Data& data, const Run& run) {
  return std::make_unique<StreamedRows>(encoder, data, 0, std::vector<double>{}, encoder.rows_seen(), 0, run);
}

}  // namespace weft::detail
