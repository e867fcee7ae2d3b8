#include "data/encode/row_encoder.hpp"

#include "core/at.hpp"
#include "data/encode/cell_error.hpp"

namespace weft::detail {

namespace {

[[noreturn]] void explain(const Variable& variable, Role role, double value, double number,
                          const std::optional<std::string_view>& text) {
  const std::string place = "the row";
  if (std::isnan(value)) throw_missing_input(variable.name, place, Stage::encode);
  if (!text && !std::isfinite(number)) throw_not_finite(variable.name, place);
  const std::string cell = text ? std::string(*text) : shortest_text(number);
  if (has_words(role)) throw_unseen_category(variable.name, cell, place);
  if (role == Role::date) throw_not_a_date(variable.name, cell, place);
  throw_not_a_number(variable.name, cell, place);
}

}  // namespace

RowEncoder::RowEncoder(const Encoder& encoder) : encoder_(encoder), inputs_(encoder.inputs().columns()) {
  Index first_row = 0;
  for (const Variable& variable : encoder.state().variables) {
    columns_.push_back(variable.name);
    first_row_.push_back(first_row);
    first_row += variable.columns();
  }
}

void RowEncoder::begin(Matrix& x) const {
  x.reshape(inputs_, 1);
  if (encoder_.inputs().bias) x(inputs_ - 1, 0) = 1;
}

StrangeCounts RowEncoder::write(Index position, double number, std::optional<std::string_view> text, Matrix& x) const {
  const Encoder::State& state = encoder_.state();
  const Variable& variable = state.variables[at(position)];
  const Role role = role_of(variable);
  double value = decode(variable, number, text);
  if (!usable_input(role, value, state.options)) explain(variable, role, value, number, text);
  return write_variable(variable, state.options.missing, &value, nullptr, 1, x, first_row_[at(position)], 0);
}

double RowEncoder::decode(const Variable& variable, double number, const std::optional<std::string_view>& text) const {
  if (variable.unused()) return 0;
  if (text) {
    thread_local std::string cell;  // lookups take a string, whose memory serves again
    cell.assign(*text);
    return decode_text(cell, variable.categorical ? &variable.categories : nullptr, text_numbers(role_of(variable)));
  }
  if (variable.categorical) return decode_number(number, variable.categories);
  return variable.dates && !std::isnan(number) ? kUnreadable : number;
}

}  // namespace weft::detail
