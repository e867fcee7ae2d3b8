#include "data/readers/csv_text.hpp"

#include "data/readers/csv_reader.hpp"

#include <memory>

namespace weft::detail {

Data csv_text(std::string text, const std::string& name, const ReadOptions& options, bool tabs) {
  const auto held = std::make_shared<const std::string>(std::move(text));
  return {name, options, [held, name, options, tabs] { return read_csv(memory_bytes(*held), name, options, tabs); }};
}

}  // namespace weft::detail
