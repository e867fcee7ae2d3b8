#include "data/encode/cell_error.hpp"

#include <cmath>

#include <fmt/format.h>
#include <weft/error.hpp>

namespace weft::detail {

void throw_missing_input(const std::string& column, const std::string& place, Stage stage) {
  throw Error(ErrorKind::data, fmt::format("the value of column '{}' is missing", column), place,
              stage == Stage::fit ? fmt::format("use ‹missing› indicate or ‹missing› impute, or ‹drop› {}", column)
                                  : "fill it in, or use ‹missing› indicate or ‹missing› impute");
}

void throw_missing_target(const std::string& column, const std::string& place) {
  throw Error(ErrorKind::data, fmt::format("the value of target '{}' is missing", column), place, "remove the row");
}

void throw_not_finite(const std::string& column, const std::string& place) {
  throw Error(ErrorKind::data, fmt::format("the value of column '{}' is not finite", column), place,
              "fix it, or leave the cell empty to mark it as missing");
}

void throw_not_a_number(const std::string& column, const std::string& text, const std::string& place) {
  throw Error(ErrorKind::data,
              fmt::format("'{}' is not a number, and column '{}' was numeric in training", text, column), place,
              "fix it, or leave the cell empty to mark it as missing");
}

void throw_not_a_date(const std::string& column, const std::string& text, const std::string& place) {
  throw Error(ErrorKind::data, fmt::format("'{}' is not a date, and column '{}' had dates in training", text, column),
              place, "write it as YYYY-MM-DD or YYYY-MM-DD hh:mm:ss, or leave the cell empty to mark it as missing");
}

void throw_unseen_category(const std::string& column, const std::string& text, const std::string& place) {
  throw Error(ErrorKind::data, fmt::format("category '{}' of column '{}' did not occur in training", text, column),
              place, "use ‹unseen› ignore to encode it as none of the categories");
}

void throw_unseen_class(const std::string& column, const std::string& text, const std::string& place) {
  throw Error(ErrorKind::data, fmt::format("class '{}' of target '{}' did not occur in training", text, column), place,
              "remove the row, or train on data with this class");
}

void throw_bad_weight(const std::string& column, double value, const std::string& place) {
  throw Error(ErrorKind::data,
              std::isnan(value) ? fmt::format("the weight in column '{}' is missing", column)
                                : fmt::format("the weight {} in column '{}' is not allowed", value, column),
              place, "weights must be finite and not negative");
}

bool is_weight(double value) {
  return value >= 0 && std::isfinite(value);
}

}  // namespace weft::detail
