#include "table.hpp"

#include "sealed.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace py = pybind11;

namespace weft::python {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw py::value_error(message);
}

/// An element of an array that need not be aligned.
template <class T>
T element(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
class DensePart final : public ColumnPart {
 public:
  explicit DensePart(const py::array& x)
      : data_(static_cast<const char*>(x.data())),
        rows_(x.shape(0)),
        columns_(x.shape(1)),
        row_step_(x.strides(0)),
        column_step_(x.strides(1)) {}

  Index rows() const override { return rows_; }
  Index columns() const override { return columns_; }
  void copy(Index first_row, View<double> to) const override {
    for (Index i = 0; i < to.rows; ++i) {
      const char* from = data_ + (first_row + i) * row_step_;
      for (Index j = 0; j < columns_; ++j) to(i, j) = static_cast<double>(element<T>(from + j * column_step_));
    }
  }
  View<const double> in_place() const override {
    if constexpr (std::is_same_v<T, double>) {
      constexpr Index kSize = sizeof(double);
      const bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(double) == 0 && row_step_ % kSize == 0;
      if (aligned && (column_step_ == kSize || columns_ == 1))
        return {reinterpret_cast<const double*>(data_), rows_, columns_, row_step_ / kSize};
    }
    return {};
  }

 private:
  const char* data_;
  Index rows_, columns_, row_step_, column_step_;
};

/// Entries of one row add up, as SciPy has it. The arrays may be anyone's, so that every position is checked.
template <class T, class Position>
class CsrPart final : public ColumnPart {
 public:
  CsrPart(const py::array& data, const py::array& indices, const py::array& indptr, Index columns)
      : data_(static_cast<const T*>(data.data())),
        indices_(static_cast<const Position*>(indices.data())),
        starts_(static_cast<const Position*>(indptr.data())),
        entries_(std::min(data.size(), indices.size())),
        rows_(indptr.size() - 1),
        columns_(columns) {}

  Index rows() const override { return rows_; }
  Index columns() const override { return columns_; }
  void copy(Index first_row, View<double> to) const override {
    for (Index i = 0; i < to.rows; ++i) {
      std::fill_n(to.row(i), to.cols, 0.0);
      const auto first = static_cast<Index>(starts_[first_row + i]);
      const auto last = static_cast<Index>(starts_[first_row + i + 1]);
      if (first < 0 || last > entries_) throw Error(ErrorKind::data, "the row pointers of a CSR matrix are wrong", "X");
      for (Index k = first; k < last; ++k) {
        const auto column = static_cast<Index>(indices_[k]);
        if (column < 0 || column >= columns_)
          throw Error(ErrorKind::data, "a column of a CSR matrix is out of range", "X");
        to(i, column) += static_cast<double>(data_[k]);
      }
    }
  }

 private:
  const T* data_;
  const Position* indices_;
  const Position* starts_;
  Index entries_, rows_, columns_;
};

class TableReader final : public RowReader {
 public:
  explicit TableReader(std::shared_ptr<const TableLayout> layout) : layout_(std::move(layout)) {}

  const std::vector<Column>& columns() const override { return layout_->columns; }
  const std::vector<std::string>& dictionary(Index column) const override {
    return layout_->dictionaries[static_cast<std::size_t>(column)];
  }
  bool next(RawBlock& block, Index max_rows) override {
    const auto columns = static_cast<Index>(layout_->columns.size());
    constexpr Index kMostCells = Index{1} << 25;
    const Index most = std::clamp<Index>(kMostCells / columns, 1, max_rows);
    const Index count = std::min(most, rows() - read_);
    if (count <= 0) return false;
    block.first_row = start_ = read_;
    read_ += count;
    cells_.reshape(columns, count);
    share_rows(columns, count, threads_, [&](Index begin, Index some) {
      Index first = 0;
      for (const auto& part : layout_->parts) {
        read_part(*part, begin, cells_.view().row_range(first, part->columns()).col_range(begin, some));
        first += part->columns();
      }
    });
    block.columns = cells_.view();
    return true;
  }
  void use_threads(int threads) override { threads_ = threads; }
  std::string place(Index row, Index column) const override {
    return "row " + std::to_string(start_ + row) + ", column " + std::to_string(column);
  }
  double fraction() const override { return static_cast<double>(read_) / static_cast<double>(rows()); }

 private:
  Index rows() const { return layout_->parts.front()->rows(); }

  /// Rows of the block from `begin` on.
  void read_part(const ColumnPart& part, Index begin, View<double> to) const {
    const View<const double> whole = part.in_place();
    if (whole.data != nullptr) return transpose(whole.row_range(start_ + begin, to.cols), to);
    constexpr Index kTogether = 64;
    Matrix some;  // rows × columns of the part
    for (Index first = 0; first < to.cols; first += kTogether) {
      some.reshape(std::min(kTogether, to.cols - first), to.rows);
      part.copy(start_ + begin + first, some.view());
      transpose(some, to.col_range(first, some.rows()));
    }
  }

  std::shared_ptr<const TableLayout> layout_;
  Matrix cells_;  // columns × rows
  Index read_ = 0;
  Index start_ = 0;
  int threads_ = 1;
};

std::shared_ptr<const ColumnPart> dense_part(const py::array& x, const char* what) {
  if (x.ndim() != 2) refuse(std::string(what) + " has " + std::to_string(x.ndim()) + " dimensions instead of two");
  if (py::isinstance<py::array_t<double>>(x)) return std::make_shared<DensePart<double>>(x);
  if (py::isinstance<py::array_t<float>>(x)) return std::make_shared<DensePart<float>>(x);
  refuse(std::string(what) + " holds neither float64 nor float32");
}

template <class T>
std::shared_ptr<const ColumnPart> csr_part(const py::array& data, const py::array& indices, const py::array& indptr,
                                           Index columns) {
  if (py::isinstance<py::array_t<std::int32_t>>(indices) && py::isinstance<py::array_t<std::int32_t>>(indptr))
    return std::make_shared<CsrPart<T, std::int32_t>>(data, indices, indptr, columns);
  if (py::isinstance<py::array_t<std::int64_t>>(indices) && py::isinstance<py::array_t<std::int64_t>>(indptr))
    return std::make_shared<CsrPart<T, std::int64_t>>(data, indices, indptr, columns);
  refuse("the positions of a CSR matrix are neither int32 nor int64");
}

// The encoder takes the codes of text columns for positions in their dictionaries.
void check_codes(const ColumnPart& part, const Table::Texts& texts) {
  if (std::all_of(texts.begin(), texts.end(), [](const auto& list) { return list.empty(); })) return;
  Matrix row(1, part.columns());
  for (Index i = 0; i < part.rows(); ++i) {
    part.copy(i, row.view());
    for (std::size_t j = 0; j < texts.size(); ++j) {
      const double code = row(0, static_cast<Index>(j));
      if (texts[j].empty() || std::isnan(code)) continue;
      if (!(code >= 0 && code < static_cast<double>(texts[j].size()) && code == std::floor(code)))
        refuse("a code of a text column has no text");
    }
  }
}

}  // namespace

void Table::add(const std::shared_ptr<const ColumnPart>& part, const std::vector<std::string>& names,
                const Texts& texts) {
  if (part->rows() == 0 || part->columns() == 0) refuse("an array is empty");
  if (!layout_->parts.empty() && part->rows() != rows())
    refuse("arrays of " + std::to_string(rows()) + " and " + std::to_string(part->rows()) + " rows cannot be combined");
  if (static_cast<Index>(names.size()) != part->columns() || (!texts.empty() && texts.size() != names.size()))
    refuse("there must be one name per column");
  check_codes(*part, texts);
  layout_->parts.push_back(part);
  for (std::size_t j = 0; j < names.size(); ++j) {
    layout_->columns.push_back({names[j], !texts.empty() && !texts[j].empty()});
    layout_->dictionaries.push_back(texts.empty() ? std::vector<std::string>{} : texts[j]);
  }
}

Table Table::dense(const py::array& x, const std::vector<std::string>& names, const Texts& texts) {
  Table table;
  table.add(dense_part(x, "X"), names, texts);
  table.kept_.append(x);
  return table;
}

Table Table::columns(const std::vector<py::array>& values, const std::vector<std::string>& names, const Texts& texts) {
  if (values.empty() || values.size() != names.size() || values.size() != texts.size())
    refuse("there must be one name and one list of texts per column");
  Table table;
  for (std::size_t j = 0; j < values.size(); ++j) {
    table.add(dense_part(values[j], "a column"), {names[j]}, {texts[j]});
    table.kept_.append(values[j]);
  }
  return table;
}

Table Table::csr(const py::array& data, const py::array& indices, const py::array& indptr,
                 const std::vector<std::string>& names) {
  for (const py::array& part : {data, indices, indptr})
    if (part.ndim() != 1 || (part.flags() & py::array::c_style) == 0)
      refuse("the parts of a CSR matrix must be contiguous");
  if (indptr.size() < 1) refuse("a CSR matrix has no row pointers");
  Table table;
  const auto columns = static_cast<Index>(names.size());
  if (py::isinstance<py::array_t<double>>(data))
    table.add(csr_part<double>(data, indices, indptr, columns), names, {});
  else if (py::isinstance<py::array_t<float>>(data))
    table.add(csr_part<float>(data, indices, indptr, columns), names, {});
  else
    refuse("X holds neither float64 nor float32");
  for (const py::array& part : {data, indices, indptr}) table.kept_.append(part);
  return table;
}

void Table::set_target(const py::array& y, const std::vector<std::string>& names,
                       const std::vector<std::string>& labels) {
  add(dense_part(y, "y"), names, labels.empty() ? Texts{} : Texts{labels});
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  layout_->options.target = list;
  kept_.append(y);
}

void Table::set_weights(const py::array& weights, const std::string& name) {
  add(dense_part(weights, "sample_weight"), {name}, {});
  layout_->options.weights = name;
  kept_.append(weights);
}

void Table::set_rule(const std::string& option, const py::array& values, const std::string& name,
                     const std::vector<std::string>& texts) {
  RowRuleOptions& rule = layout_->options.rule;
  std::string* const columns[] = {&rule.group, &rule.time, &rule.folds_column};
  const char* const options[] = {"group", "time", "folds_column"};
  const auto found = std::find(std::begin(options), std::end(options), option);
  if (found == std::end(options)) refuse("there is no rule for rows called " + option);
  add(dense_part(values, option.c_str()), {name}, texts.empty() ? Texts{} : Texts{texts});
  *columns[found - std::begin(options)] = name;
  kept_.append(values);
}

Data Table::data() const {
  const auto layout = std::make_shared<const TableLayout>(*layout_);
  return {"array", layout->options, [layout] { return std::make_unique<TableReader>(layout); }};
}

void bind_table(py::module_& module) {
  sealed_class<Table>(module, "Table", "Arrays as a table of weft; they are read in place and kept alive.")
      .def_static("dense", &Table::dense, py::arg("x"), py::arg("names"), py::arg("texts") = Table::Texts{})
      .def_static("columns", &Table::columns, py::arg("values"), py::arg("names"), py::arg("texts"))
      .def_static("csr", &Table::csr, py::arg("data"), py::arg("indices"), py::arg("indptr"), py::arg("names"))
      .def("set_target", &Table::set_target, py::arg("y"), py::arg("names"),
           py::arg("labels") = std::vector<std::string>{})
      .def("set_weights", &Table::set_weights, py::arg("weights"), py::arg("name"))
      .def("set_rule", &Table::set_rule, py::arg("option"), py::arg("values"), py::arg("name"),
           py::arg("texts") = std::vector<std::string>{})
      .def_property_readonly("rows", &Table::rows);
}

}  // namespace weft::python
