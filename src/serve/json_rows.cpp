#include "serve/json_rows.hpp"

#include "core/json_text.hpp"
#include "data/text.hpp"

#include <limits>

#include <fmt/format.h>

namespace weft::detail {

RowColumns::RowColumns(std::vector<std::string> names, std::vector<CellRule> rules, std::string_view na_values)
    : names_(std::move(names)), rules_(std::move(rules)), na_values_(na_values) {
  for (std::size_t c = 0; c < names_.size(); ++c) by_name_.emplace(names_[c], c);
}

std::size_t RowColumns::find(std::string_view name, std::size_t expected) const {
  if (expected < names_.size() && names_[expected] == name) return expected;
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? names_.size() : found->second;
}

Cell RowColumns::cell(std::size_t column, std::string_view text) const {
  if (rules_[column] != CellRule::number) return na_values_.hold(text) ? Cell() : Cell(text);
  double number = 0;
  const CellKind kind = na_values_.parse(trim(text), number);
  if (kind == CellKind::infinite) return {std::numeric_limits<double>::infinity()};
  return kind == CellKind::text ? Cell(text) : Cell(number);
}

Cell RowColumns::cell(double number) const {
  return na_values_.hold(number) ? Cell() : Cell(number);
}

namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& place, const std::string& remedy) {
  throw Error(ErrorKind::data, message, place, remedy);
}

constexpr const char* kShape = R"(send one row, {"column": value, …}, or several, [{…}, {…}])";

/// nlohmann's handler of what its parser, which does not recurse, meets: nothing nests deeper than a row in a list.
class RowHandler : public nlohmann::json_sax<Json> {
 public:
  RowHandler(std::string_view text, const RowColumns& columns, Index most,
             const std::function<void(Index row, std::span<const Cell> cells)>& consume)
      : text_(text),
        columns_(columns),
        most_(most),
        consume_(consume),
        cells_(columns.names().size()),
        texts_(columns.names().size()),
        given_(columns.names().size()) {}

  bool null() override { return put("null", Cell()); }
  bool boolean(bool value) override { return put_text(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return put_number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return put_number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t& /*written*/) override { return put_number(value); }
  bool string(string_t& value) override { return put_text(value); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*size*/) override {
    if (in_row_) refuse_nested("an object");
    begin_row(true);
    return true;
  }

  bool key(string_t& name) override {
    position_ = columns_.find(name, position_);
    if (position_ < given_.size() && given_[position_])
      refuse(fmt::format("column {} is given twice", shown(name)), place(), "give every column once");
    return true;
  }

  bool end_object() override { return end_row(); }

  bool start_array(std::size_t /*size*/) override {
    if (in_row_) refuse_nested("a list");
    if (listed_)
      begin_row(false);
    else
      listed_ = true;
    return true;
  }

  bool end_array() override {
    if (!in_row_) return true;
    if (position_ != cells_.size())
      refuse(fmt::format("the row has {} cells, and the model has {} columns", position_, cells_.size()), place(),
             "give one cell per column, or name them: {\"column\": value, …}");
    return end_row();
  }

  bool parse_error(std::size_t position, const std::string& /*last*/, const Json::exception& error) override {
    const std::string_view what = error.what();
    const std::size_t from = what.find("line ");
    const std::size_t colon = what.find(": ", from);
    const bool placed = from != std::string_view::npos && colon != std::string_view::npos;
    const char reached = position > 0 && position <= text_.size() ? text_[position - 1] : ' ';
    const bool number = reached == 'N' || reached == 'I';
    refuse(number ? "JSON has no NaN and no infinity" : "the body is not JSON",
           placed ? std::string(what.substr(from, colon - from)) : "body",
           number ? "write null for a missing cell" : kShape);
  }

  void finish() const {
    if (row_ == 0) refuse("there are no rows", "body", kShape);
  }

 private:
  std::string place() const { return fmt::format("row {}", row_ + 1); }

  std::string place_of_cell() const {
    return position_ < cells_.size() ? fmt::format("row {}, column {}", row_ + 1, shown(columns_.names()[position_]))
                                     : place();
  }

  [[noreturn]] void refuse_nested(const char* what) const {
    refuse(fmt::format("a cell holds {}", what), place_of_cell(), "a cell is a number, a text, true, false or null");
  }

  void begin_row(bool named) {
    if (row_ == most_)
      throw Error(ErrorKind::memory, fmt::format("there are more than {} rows", most_), "body",
                  "send fewer rows at a time, or start the server with a larger ‹max_rows›");
    in_row_ = true;
    named_ = named;
    position_ = 0;
    given_.assign(given_.size(), false);
    cells_.assign(cells_.size(), Cell());
  }

  bool end_row() {
    for (std::size_t c = 0; c < given_.size(); ++c)
      if (!given_[c] && columns_.needed(c))
        refuse(fmt::format("the row has no column {}", shown(columns_.names()[c])), place(),
               "give every column of the training; null where its cell is missing");
    consume_(row_++, cells_);
    in_row_ = false;
    return true;
  }

  bool put_number(double number) { return put("a number", columns_.cell(number)); }

  bool put_text(std::string_view text) {
    if (!in_row_ || position_ >= texts_.size()) return put("a text", Cell());
    texts_[position_].assign(text);  // the parser's own is gone with the next one
    return put("a text", columns_.cell(position_, texts_[position_]));
  }

  bool put(const char* what, const Cell& cell) {
    if (!in_row_) refuse(fmt::format("{} stands where a row should", what), listed_ ? place() : "body", kShape);
    if (position_ < cells_.size()) {
      cells_[position_] = cell;
      given_[position_] = true;
      ++position_;
    } else if (!named_) {
      refuse(fmt::format("the row has more cells than the model has columns, {}", cells_.size()), place(),
             "give one cell per column, or name them: {\"column\": value, …}");
    }
    return true;
  }

  std::string_view text_;
  const RowColumns& columns_;
  Index most_;
  const std::function<void(Index row, std::span<const Cell> cells)>& consume_;
  std::vector<Cell> cells_;
  std::vector<std::string> texts_;  ///< what the cells look at
  std::vector<bool> given_;
  std::size_t position_ = 0;  ///< of the next cell; as many as there are columns: of one that is passed over
  Index row_ = 0;
  bool listed_ = false;  ///< within the list of rows
  bool in_row_ = false;
  bool named_ = false;
};

}  // namespace

void for_each_json_row(std::string_view text, const RowColumns& columns, Index most,
                       const std::function<void(Index row, std::span<const Cell> cells)>& consume) {
  RowHandler handler(text, columns, most, consume);
  Json::sax_parse(text.begin(), text.end(), &handler);
  handler.finish();
}

}  // namespace weft::detail
