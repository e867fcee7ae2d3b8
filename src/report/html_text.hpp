// Escaping text for HTML.
#pragma once

#include "core/json_text.hpp"

#include <string>

namespace weft::detail {

/// Escaped for use between tags and in quoted attributes.
std::string html_text(const std::string& text);
/// JSON for use inside <script>: "<" is written as \u003c, so that nothing in it ends the element or opens a
/// comment.
std::string script_json(const Json& json);

}  // namespace weft::detail
