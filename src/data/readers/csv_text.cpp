#include "data/readers/csv_text.hpp"

#include "data/readers/csv_reader.hpp"
#include "data/readers/text_encoding.hpp"

#include <memory>

namespace weft::detail {

Data csv_text(std::string text, const std::string& name, const ReadOptions& options, bool tabs) {
  const auto held = std::make_shared<const std::string>(std::move(text));
  const TextEncoding encoding = find_encoding(*memory_bytes(*held), options.encoding, name);
  return {name, options, [held, name, options, tabs, encoding] {
            return read_csv(decoded(memory_bytes(*held), encoding, name), name, options, tabs);
          }};
}

}  // namespace weft::detail
