// Predictions of one row at a time, in microseconds: for services that answer one question after another.
#pragma once

#include <weft/model.hpp>

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace WEFT_PUBLIC weft {

/// A number or a text. An empty text and NaN are missing cells, and so is a cell without a value.
class Cell {
 public:
  Cell() = default;
  Cell(double number) : number_(number) {}
  Cell(std::string_view text) : text_(text), is_text_(!text.empty()) {}
  Cell(const char* text) : Cell(std::string_view(text)) {}
  Cell(const std::string& text) : Cell(std::string_view(text)) {}

  bool is_text() const { return is_text_; }
  double number() const { return number_; }
  std::string_view text() const { return text_; }

 private:
  double number_ = std::numeric_limits<double>::quiet_NaN();
  std::string_view text_ = {};
  bool is_text_ = false;
};

/// What a model says about a row; PredictionBlock explains the numbers.
struct RowPrediction {
  std::vector<double> values;         ///< numbers, or one class position; quantiles of that loss
  std::vector<double> scores;         ///< outputs
  std::vector<double> probabilities;  ///< classes, where the model has them
  Index missing = 0;                  ///< cells that were missing where training had no missing ones
  Index unseen = 0;                   ///< cells with a category that training did not see
};

/// A model prepared for single rows: centres and coefficients are stored once more, in the order in which one row meets
/// them. The numbers are those of Model::for_each_prediction up to rounding; standard deviations and intervals are left
/// to it. Any number of threads may call at once, and a call allocates nothing once its thread has made another.
class RowPredictor {
 public:
  explicit RowPredictor(const Model& model, const DecisionOptions& decision = {});
  ~RowPredictor();
  RowPredictor(RowPredictor&&) noexcept;
  RowPredictor& operator=(RowPredictor&&) noexcept;

  /// The names of a row's cells, in their order: the inputs of the training table.
  const std::vector<std::string>& columns() const;
  /// One cell per column. Throws Error(data), as predictions of tables do, for a cell that cannot be used.
  void predict(std::span<const Cell> row, RowPrediction& prediction) const;
  /// The same for a row of numbers.
  void predict(std::span<const double> row, RowPrediction& prediction) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace weft
