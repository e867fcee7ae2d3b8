#include "data/readers/dictionary.hpp"

#include "data/text.hpp"

#include <fmt/format.h>

namespace weft::detail {

void throw_too_many_texts(const std::string& column, const std::string& place) {
  throw Error(ErrorKind::data,
              fmt::format("text column {} has more than {} distinct values", shown(column), Dictionary::kLargest),
              place, fmt::format("leave it out with ‹drop› {}", column));
}

}  // namespace weft::detail
