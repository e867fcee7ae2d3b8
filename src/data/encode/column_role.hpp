// What becomes of a column that an encoder reads.
#pragma once

#include "data/encode/encoder_state.hpp"
#include "data/encode/text_numbers.hpp"

namespace weft::detail {

enum class Role { number, boolean, date, category, target, weight };

inline Role role_of(const Variable& variable) {
  if (variable.categorical) return Role::category;
  if (variable.dates) return Role::date;
  return variable.boolean ? Role::boolean : Role::number;
}

/// Cells may be words that training did not see.
inline bool has_words(Role role) {
  return role == Role::category || role == Role::boolean;
}

inline TextNumbers text_numbers(Role role) {
  if (role == Role::date) return TextNumbers::dates;
  return role == Role::boolean ? TextNumbers::booleans : TextNumbers::plain;
}

}  // namespace weft::detail
