#include "fit/training_rows.hpp"

#include <algorithm>

namespace weft {

namespace {

/// Encoded blocks with coded targets and final weights.
class CodedStream {
 public:
  CodedStream(const Encoder& encoder, const Data& data, const std::vector<double>& class_weight)
      : outputs_(output_count(encoder.target())),
        classes_(encoder.target().task == Task::binary || encoder.target().task == Task::multiclass),
        class_weight_(class_weight),
        stream_(encoder.open(data, true)) {}

  bool next(Index max_rows) {
    if (!stream_->next(block_, max_rows)) return false;
    if (classes_) code();
    return true;
  }

  TrainingBlock block() const {
    return {block_.x, classes_ ? View<const double>(coded_) : View<const double>(block_.y),
            block_.weights.empty() ? nullptr : block_.weights.data(), block_.first_row};
  }

 private:
  void code() {
    const Index rows = block_.rows();
    coded_.reshape(outputs_, rows);
    if (!class_weight_.empty() && block_.weights.empty()) block_.weights.assign(static_cast<std::size_t>(rows), 1.0);
    for (Index i = 0; i < rows; ++i) {
      const auto k = static_cast<Index>(block_.y(0, i));
      for (Index o = 0; o < outputs_; ++o) coded_(o, i) = class_code(k, o, outputs_);
      if (!class_weight_.empty())
        block_.weights[static_cast<std::size_t>(i)] *= class_weight_[static_cast<std::size_t>(k)];
    }
  }

  Index outputs_;
  bool classes_;
  const std::vector<double>& class_weight_;
  std::unique_ptr<Encoder::Stream> stream_;
  Block block_;
  Matrix coded_;
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
  StreamedRows(Encoder encoder, Data data, std::vector<double> class_weight, const Run& run)
      : encoder_(std::move(encoder)), data_(std::move(data)), class_weight_(std::move(class_weight)), run_(run) {}

  Index rows() const override { return encoder_.rows_seen(); }
  Index outputs() const override { return output_count(encoder_.target()); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    CodedStream stream(encoder_, data_, class_weight_);
    while (stream.next(kBlockRows)) {
      run_.check_cancelled();
      if (!consume(stream.block())) return;
    }
  }

 private:
  Encoder encoder_;
  Data data_;
  std::vector<double> class_weight_;
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
                                           double left, const Run& run) {
  std::vector<double> weights;
  if (class_weights == "balanced") weights = balanced_weights(encoder, data);
  auto streamed = std::make_unique<StreamedRows>(encoder, data, std::move(weights), run);
  const Index inputs = encoder.inputs().columns();
  const double bytes =
      8.0 * static_cast<double>(inputs + streamed->outputs() + 1) * static_cast<double>(streamed->rows());
  const double budget = run.max_memory > 0 ? run.max_memory / 4 : 1024.0 * 1024.0 * 1024.0;
  if (bytes > std::min(budget, left)) return streamed;
  return std::make_unique<HeldRows>(*streamed, inputs, run);
}

}  // namespace weft
