// The page on which people try a model.
#pragma once

#include "serve/answer.hpp"

#include <string_view>

namespace weft::detail {

/// Whether one of its files has that path.
bool is_page_file(std::string_view path);
/// The file, with the headers that keep it from loading anything from elsewhere.
Answer page_file(std::string_view path);

}  // namespace weft::detail
