// Files that the build put into the library (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace weft::detail {

struct EmbeddedFile {
  std::string_view name;  ///< without folder
  std::string_view contents;
};

/// What a page needs to be drawn: style and script, and, where npm fetched it, the charting library with its licences.
std::span<const EmbeddedFile> embedded_page();
/// The page of weft serve, which uses style and charts of the reports.
std::span<const EmbeddedFile> embedded_serve_page();
/// The texts that exported models are made of.
std::span<const EmbeddedFile> embedded_export_runtime();

/// Contents of the file of that name; empty: there is none.
inline std::string_view find_embedded(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files)
    if (file.name == name) return file.contents;
  return {};
}

}  // namespace weft::detail
