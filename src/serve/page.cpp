#include "serve/page.hpp"

#include "core/embedded.hpp"

namespace weft::detail {

namespace {

constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors 'none'";

const char* type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  return name.ends_with(".js") ? "text/javascript; charset=utf-8" : "text/plain; charset=utf-8";
}

std::string_view contents_of(std::string_view path) {
  const std::string_view name = path == "/" ? "serve.html" : path.substr(1);
  const std::string_view contents = find_embedded(embedded_serve_page(), name);
  return contents.empty() ? find_embedded(embedded_page(), name) : contents;
}

}  // namespace

bool is_page_file(std::string_view path) {
  return !contents_of(path).empty();
}

Answer page_file(std::string_view path) {
  return {.type = type_of(path == "/" ? ".html" : path),
          .body = std::string(contents_of(path)),
          .headers = {{"Content-Security-Policy", kPolicy},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cross-Origin-Opener-Policy", "same-origin"}}};
}

}  // namespace weft::detail
