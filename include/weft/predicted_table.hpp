// Predictions as a table: the columns that weft predict writes.
#pragma once

#include <weft/model.hpp>
#include <weft/write.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// Which columns stand in it, besides the values.
struct PredictedColumns {
  bool proba = false;     ///< one per class
  bool std = false;       ///< of the options that the blocks were predicted with
  bool interval = false;  ///< likewise: lower and upper ends, or the set of labels
  bool rows = false;      ///< the number of the row, the first being 1
};

/// Columns of the table that go along with its predictions (CarriedColumns).
struct CarriedCells {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> cells;  ///< rows × columns
};

/// Blocks of predictions to a writer: the number of the row, then what is carried along, then what is predicted.
class PredictedTable {
 public:
  /// Opens the writer with the first rows: a table that does not match the model leaves no output.
  using Open = std::function<TableWriter(std::vector<std::string> columns, const std::vector<CellType>& types)>;

  PredictedTable(Model model, const PredictedColumns& columns, Open open);

  void append(const PredictionBlock& block, CarriedCells carried);
  /// `carried`: the names, for a table without rows.
  void commit(const std::vector<std::string>& carried);

 private:
  TableWriter& writer(const std::vector<std::string>& carried);

  Model model_;
  PredictedColumns columns_;
  Open open_;
  std::optional<TableWriter> opened_;
};

}  // namespace weft
