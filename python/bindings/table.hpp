// Arrays of Python as a table of weft: rows are read where they lie.
#pragma once

#include <weft/data.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

namespace weft::python {

/// Some columns of a table, in memory that Table keeps alive.
class ColumnPart {
 public:
  virtual ~ColumnPart() = default;
  virtual Index rows() const = 0;
  virtual Index columns() const = 0;
  virtual void copy(Index first_row, View<double> to) const = 0;
  /// The numbers themselves where their layout is that of weft; data is nullptr otherwise.
  virtual View<const double> in_place() const { return {}; }
};

/// What a reader needs to know; no Python object is in it, so that readers may live without the interpreter's lock.
struct TableLayout {
  std::vector<std::shared_ptr<const ColumnPart>> parts;  ///< inputs, then target and weights where there are any
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> dictionaries;  ///< one per column; empty for numbers
  ReadOptions options;
};

/// float64 and float32 arrays of any strides and CSR matrices. Text columns hold positions in `texts`.
class Table {
 public:
  using Texts = std::vector<std::vector<std::string>>;  ///< one per column, empty for numbers

  static Table dense(const pybind11::array& x, const std::vector<std::string>& names, const Texts& texts);
  /// One array of one column for each.
  static Table columns(const std::vector<pybind11::array>& values, const std::vector<std::string>& names,
                       const Texts& texts);
  static Table csr(const pybind11::array& data, const pybind11::array& indices, const pybind11::array& indptr,
                   const std::vector<std::string>& names);
  void set_target(const pybind11::array& y, const std::vector<std::string>& names,
                  const std::vector<std::string>& labels);
  void set_weights(const pybind11::array& weights, const std::string& name);
  /// A column of RowRuleOptions, by the name of its option.
  void set_rule(const std::string& option, const pybind11::array& values, const std::string& name,
                const std::vector<std::string>& texts);

  Index rows() const { return layout_->parts.front()->rows(); }
  Data data() const;

 private:
  void add(const std::shared_ptr<const ColumnPart>& part, const std::vector<std::string>& names, const Texts& texts);

  std::shared_ptr<TableLayout> layout_ = std::make_shared<TableLayout>();
  pybind11::list kept_;  // the arrays
};

void bind_table(pybind11::module_& module);

}  // namespace weft::python
