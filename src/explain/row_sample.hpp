// Some rows of a table, encoded and as read, and the same rows with variables exchanged.
#pragma once

#include <weft/model.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace weft::detail {

/// 1000, or fewer where each of many variables is exchanged `times`: bounds the time for wide tables.
Index affordable_rows(const Inputs& inputs, Index times);

/// Evenly spaced rows of a table.
struct RowSample {
  std::vector<Index> rows = {};      ///< their numbers, from 0
  Matrix x = {};                     ///< inputs × rows
  Matrix y = {};                     ///< targets × rows; empty where none were asked for
  std::vector<double> weights = {};  ///< one per row

  Index count() const { return x.cols(); }
};

/// At most `wanted`, in one pass: the number of rows need not be known. Throws if there are none.
RowSample spaced_rows(const Encoder& encoder, const Data& data, bool with_target, Index wanted, const Run& run);

/// The cells of one variable in the table, as read.
struct Cells {
  bool text = false;
  std::vector<double> numbers = {};     ///< missing: NaN
  std::vector<std::string> texts = {};  ///< of a text column; missing: empty

  std::string shown(Index row) const;
};

/// Of every variable of the encoder, in the rows of these numbers (ascending).
std::vector<Cells> cells_of(const Encoder& encoder, const Data& data, const std::vector<Index>& rows, const Run& run);

/// Copies what row `from` of `source` has for a variable to row `to` of x.
void set_variable(const Inputs& inputs, Index variable, const Matrix& source, Index from, Matrix& x, Index to);

/// The rows of a sample with the values of variables taken from other rows: all rows in a random order, moved on by
/// `repeat` + 1 places. No row meets itself while there are more rows than repeats.
class ExchangedRows {
 public:
  /// Inputs and rows must outlive it.
  ExchangedRows(const Inputs& inputs, const Matrix& x, std::uint64_t seed);

  Matrix with(std::initializer_list<Index> variables, Index repeat) const;

 private:
  const Inputs& inputs_;
  const Matrix& x_;
  std::vector<Index> order_;
};

/// Predictions of encoded rows.
PredictionBlock predictions(const ModelParts& parts, const Matrix& x, const Run& run);

}  // namespace weft::detail
