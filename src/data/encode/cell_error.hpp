// Errors about cells that cannot be used: the place, the problem and the remedy.
#pragma once

#include <string>

namespace weft::detail {

/// While fitting, columns can still be left out.
enum class Stage { fit, encode };

[[noreturn]] void throw_missing_input(const std::string& column, const std::string& place, Stage stage);
[[noreturn]] void throw_missing_target(const std::string& column, const std::string& place);
[[noreturn]] void throw_not_finite(const std::string& column, const std::string& place);
[[noreturn]] void throw_not_a_number(const std::string& column, const std::string& text, const std::string& place);
[[noreturn]] void throw_not_a_date(const std::string& column, const std::string& text, const std::string& place);
[[noreturn]] void throw_unseen_category(const std::string& column, const std::string& text, const std::string& place);
[[noreturn]] void throw_unseen_class(const std::string& column, const std::string& text, const std::string& place);
[[noreturn]] void throw_bad_weight(const std::string& column, double value, const std::string& place);

/// Usable as a sample weight.
bool is_weight(double value);

}  // namespace weft::detail
