#include "export/template_text.hpp"

#include <cassert>
#include <cctype>
#include <sstream>
#include <vector>

namespace weft::detail {

namespace {

struct Part {
  std::set<std::string> names;
  bool always = false;
  std::string text;
};

bool is_set(const TemplateValues& values, std::string_view flag) {
  const bool negated = flag.front() == '!';
  return values.flags.contains(std::string(flag.substr(negated ? 1 : 0))) != negated;
}

// A line that begins with [flag].
bool is_conditional(const std::string& line) {
  return line.size() > 1 && line[0] == '[' && (line[1] == '!' || std::islower(static_cast<unsigned char>(line[1])));
}

void add_line(const std::string& line, const TemplateValues& values, std::string& text) {
  std::string_view rest = line;
  if (is_conditional(line)) {
    const std::size_t end = line.find(']');
    if (!is_set(values, rest.substr(1, end - 1))) return;
    rest.remove_prefix(end + 1);
  }
  for (std::size_t at = rest.find('@'); at != std::string_view::npos; at = rest.find('@')) {
    const std::size_t end = rest.find('@', at + 1);
    const auto value = values.values.find(std::string(rest.substr(at + 1, end - at - 1)));
    assert(end != std::string_view::npos && value != values.values.end());
    text.append(rest.substr(0, at)).append(value->second);
    rest.remove_prefix(end + 1);
  }
  text.append(rest).append("\n");
}

Part begin_part(const std::string& line, const TemplateValues& values) {
  Part part;
  std::istringstream words(line.substr(3));
  bool wanted = true;
  for (std::string word; words >> word;) {
    if (word == "*")
      part.always = true;
    else if (word.front() == '[')
      wanted = is_set(values, std::string_view(word).substr(1, word.size() - 2));
    else
      part.names.insert(word);
  }
  part.always = part.always && wanted;
  return part;
}

std::vector<Part> parts_of(std::string_view text, const TemplateValues& values) {
  std::vector<Part> parts;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("//:"))
      parts.push_back(begin_part(line, values));
    else if (parts.back().always || !parts.back().names.empty())
      add_line(line, values, parts.back().text);
  }
  return parts;
}

// Where a comment or a text in quotes that begins at `at` ends; `at` where none does.
std::size_t skip_quiet(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view end) {
    const std::size_t found = text.find(end, at + 2);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "/*") return behind("*/");
  if (text.substr(at, 2) == "//") return behind("\n");
  if (text[at] != '"') return at;
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

void collect_names(std::string_view text, std::set<std::string>& names) {
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = skip_quiet(text, at); end != at) {
      at = end;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end > at && !std::isdigit(static_cast<unsigned char>(text[at]))) names.emplace(text.substr(at, end - at));
    at = end > at ? end : at + 1;
  }
}

}  // namespace

std::string render_template(std::string_view text, const TemplateValues& values) {
  std::vector<Part> parts = parts_of(text, values);
  std::set<std::string> used;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    bool wanted = part->always;
    for (const std::string& name : part->names) wanted = wanted || used.contains(name);
    if (wanted)
      collect_names(part->text, used);
    else
      part->text.clear();
  }
  std::string result;
  for (const Part& part : parts) result += part.text;
  return result;
}

}  // namespace weft::detail
