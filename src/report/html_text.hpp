// Text on its way into a page.
#pragma once

#include "core/json_text.hpp"

#include <string>

namespace weft::detail {

/// Text as it may stand between tags and in quoted attributes.
std::string html_text(const std::string& text);
/// JSON as it may stand inside <script>: "<" is written as \u003c, so that nothing in it ends the element or opens a
/// comment.
std::string script_json(const Json& json);

}  // namespace weft::detail
