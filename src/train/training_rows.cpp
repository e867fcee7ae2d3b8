#include "train/training_rows.hpp"

#include "core/memory.hpp"

#include <algorithm>

namespace weft::detail {

namespace {

/// Encoded rows with coded targets and final weights, in blocks of exactly kBlockRows (the last may be shorter) however
/// the source cuts its own: the same rows always meet in the same sums, so a file and an array give the same bits.
class CodedStream {
 public:
  CodedStream(const Encoder& encoder, const Data& data, Index outputs, const std::vector<double>& class_weight,
              const Run& run)
      : outputs_(outputs),
        classes_(encoder.target().task == Task::binary || encoder.target().task == Task::multiclass),
        class_weight_(class_weight),
        stream_(encoder.open(data, outputs > 0, run)),
        x_(encoder.inputs().columns(), kBlockRows),
        y_(outputs_, kBlockRows) {}

  bool next() {
    first_row_ += filled_;
    filled_ = 0;
    weights_.clear();
    while (filled_ < kBlockRows && (taken_ < source_.rows() || refill())) take();
    return filled_ > 0;
  }

  TrainingBlock block() const {
    return {x_.view().col_range(0, filled_), y_.view().col_range(0, filled_),
            weights_.empty() ? nullptr : weights_.data(), first_row_};
  }

 private:
  bool refill() {
    taken_ = 0;
    if (stream_->next(source_, kBlockRows)) return true;
    source_ = Block{};
    return false;
  }

  void take() {
    const Index count = std::min(kBlockRows - filled_, source_.rows() - taken_);
    for (Index j = 0; j < x_.rows(); ++j) std::copy_n(source_.x.row(j) + taken_, count, x_.row(j) + filled_);
    for (Index o = 0; o < outputs_; ++o)
      for (Index i = 0; i < count; ++i)
        y_(o, filled_ + i) =
            classes_ ? class_code(static_cast<Index>(source_.y(0, taken_ + i)), o, outputs_) : source_.y(o, taken_ + i);
    if (!source_.weights.empty() || !class_weight_.empty())
      for (Index i = taken_; i < taken_ + count; ++i) weights_.push_back(weight(i));
    filled_ += count;
    taken_ += count;
  }

  double weight(Index i) const {
    const double sample = source_.weights.empty() ? 1 : source_.weights[static_cast<std::size_t>(i)];
    return class_weight_.empty() ? sample : sample * class_weight_[static_cast<std::size_t>(source_.y(0, i))];
  }

  Index outputs_;
  bool classes_;
  const std::vector<double>& class_weight_;
  std::unique_ptr<Encoder::Stream> stream_;
  Block source_;
  Index taken_ = 0;  // rows of source_ already delivered
  Matrix x_, y_;
  std::vector<double> weights_;
  Index filled_ = 0;
  Index first_row_ = 0;
};

// W / (K · W_k): every class has the same total weight, and the total stays W.
std::vector<double> balanced_weights(const Encoder& encoder, const Data& data) {
  const std::size_t classes = encoder.target().classes.size();
  if (classes == 0)
    throw Error(ErrorKind::option, "class weights need a classification target", "--class-weights",
                "leave it out, or set --task classification");
  std::vector<double> totals(classes, 0.0);
  const auto stream = encoder.open(data, true);
  for (Block block; stream->next(block, kBlockRows);)
    for (Index i = 0; i < block.rows(); ++i)
      totals[static_cast<std::size_t>(block.y(0, i))] +=
          block.weights.empty() ? 1 : block.weights[static_cast<std::size_t>(i)];
  double sum = 0;
  for (const double total : totals) sum += total;
  for (double& total : totals) total = total > 0 ? sum / (static_cast<double>(classes) * total) : 0;
  return totals;
}

class StreamedRows final : public BlockSource {
 public:
  StreamedRows(Encoder encoder, Data data, Index outputs, std::vector<double> class_weight, Index rows, const Run& run)
      : encoder_(std::move(encoder)),
        data_(std::move(data)),
        outputs_(outputs),
        class_weight_(std::move(class_weight)),
        rows_(rows),
        run_(run) {}

  Index rows() const override { return rows_; }
  Index outputs() const override { return outputs_; }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    CodedStream stream(encoder_, data_, outputs_, class_weight_, run_);
    Index seen = 0;
    while (stream.next()) {
      run_.check_cancelled();
      seen += stream.block().rows();
      if (seen > rows()) break;
      if (!consume(stream.block())) return;
    }
    if (seen != rows())
      throw Error(ErrorKind::data, "the data changed while they were read", data_.name(),
                  "fit on a copy that nobody writes to");
  }

 private:
  Encoder encoder_;
  Data data_;
  Index outputs_;
  std::vector<double> class_weight_;
  Index rows_;
  Run run_;
};

class HeldRows final : public BlockSource {
 public:
  HeldRows(const BlockSource& source, Index inputs, const Run& run)
      : x_(inputs, source.rows()), y_(source.outputs(), source.rows()), run_(run) {
    source.for_each([&](const TrainingBlock& block) {
      for (Index j = 0; j < inputs; ++j) std::copy_n(block.x.row(j), block.rows(), x_.row(j) + block.first_row);
      for (Index o = 0; o < y_.rows(); ++o) std::copy_n(block.y.row(o), block.rows(), y_.row(o) + block.first_row);
      if (block.weights != nullptr) weights_.insert(weights_.end(), block.weights, block.weights + block.rows());
      run_.report("reading", static_cast<double>(block.first_row + block.rows()), static_cast<double>(x_.cols()));
      return true;
    });
    all_ = {x_, y_, weights_.empty() ? nullptr : weights_.data(), 0};
  }

  Index rows() const override { return x_.cols(); }
  Index outputs() const override { return y_.rows(); }
  const TrainingBlock* in_memory() const override { return &all_; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    for (Index first = 0; first < rows(); first += kBlockRows) {
      run_.check_cancelled();
      const Index count = std::min(kBlockRows, rows() - first);
      const TrainingBlock block{all_.x.col_range(first, count), all_.y.col_range(first, count),
                                all_.weights == nullptr ? nullptr : all_.weights + first, first};
      if (!consume(block)) return;
    }
  }

 private:
  Matrix x_;
  Matrix y_;
  std::vector<double> weights_;
  TrainingBlock all_;
  Run run_;
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
  throw Error(ErrorKind::option, "there is no target to learn", "--target", "name the column to predict");
}

std::unique_ptr<BlockSource> training_rows(const Encoder& encoder, const Data& data, const std::string& class_weights,
                                           double left, const Run& run, std::optional<Index> count) {
  std::vector<double> weights;
  if (class_weights == "balanced") weights = balanced_weights(encoder, data);
  auto streamed = std::make_unique<StreamedRows>(encoder, data, output_count(encoder.target()), std::move(weights),
                                                 count.value_or(encoder.rows_seen()), run);
  const Index inputs = encoder.inputs().columns();
  const double bytes =
      8.0 * static_cast<double>(inputs + streamed->outputs() + 1) * static_cast<double>(streamed->rows());
  if (bytes > std::min(MemoryPlan(run).spare_for_rows(), left)) return streamed;
  return std::make_unique<HeldRows>(*streamed, inputs, run);
}

std::unique_ptr<BlockSource> input_rows(const Encoder& encoder, const Data& data, const Run& run) {
  return std::make_unique<StreamedRows>(encoder, data, 0, std::vector<double>{}, encoder.rows_seen(), run);
}

}  // namespace weft::detail
