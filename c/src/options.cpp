#include "options.hpp"

#include <charconv>
#include <map>
#include <set>

namespace weft::c {

namespace {

using Values = std::map<std::string, std::string>;

[[noreturn]] void refuse(const std::string& name, const std::string& text, const char* wanted) {
  throw Error(ErrorKind::option, "'" + text + "' is not " + wanted, option_mark(name),
              std::string("it must be ") + wanted);
}

template <class T>
T number_from(const std::string& name, const std::string& text) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size())
    refuse(name, text, std::is_floating_point_v<T> ? "a number" : "a whole number");
  return value;
}

template <class T>
T value_from(const char* name, const std::string& text) {
  if constexpr (is_optional<T>::value) {
    return value_from<typename T::value_type>(name, text);
  } else if constexpr (Choice<T>) {
    return parse_choice<T>(name, text);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text != "true" && text != "false") refuse(name, text, "true or false");
    return text == "true";
  } else {
    return number_from<T>(name, text);
  }
}

Values values_of(const std::vector<std::string>& texts) {
  Values values;
  for (const std::string& text : texts) {
    const std::size_t end = text.find('=');
    if (end == std::string::npos || end == 0)
      throw Error(ErrorKind::option, "'" + text + "' is not an option", "", "write it as name=value");
    if (!values.emplace(text.substr(0, end), text.substr(end + 1)).second)
      throw Error(ErrorKind::option, "it is given twice", option_mark(text.substr(0, end)), "give it once");
  }
  return values;
}

/// Reads options into members and remembers which texts were used.
class Reader {
 public:
  explicit Reader(const Values& values) : values_(values) {}

  template <class Field, class Member>
  void operator()(const Field& field, Member& member) {
    const auto found = values_.find(field.name);
    if (found == values_.end()) return;
    member = value_from<plain_type<Member>>(field.name, found->second);
    used_.insert(field.name);
  }
  template <class Options>
  void read(Options& options) {
    for_each_field<Options>([&](const auto& field) { (*this)(field, options.*field.member); });
  }
  bool used(const std::string& name) const { return used_.contains(name); }
  void use(const std::string& name) { used_.insert(name); }

 private:
  const Values& values_;
  std::set<std::string> used_;
};

/// Any option of theirs does, but for the seed, which the portfolio has too.
bool chooses_random_features(const Reader& reader) {
  bool chooses = false;
  for_each_field<FamilyOptions>(
      [&](const auto& field) { chooses = chooses || (std::string(field.name) != "seed" && reader.used(field.name)); });
  return chooses;
}

}  // namespace

TrainOptions train_options(const std::vector<std::string>& texts) {
  const Values values = values_of(texts);
  Reader reader(values);
  TrainOptions options;
  if (const auto fit = values.find("fit"); fit != values.end()) {
    options.fit.method = method_options(fit->second);
    reader.use("fit");
  }
  if (const auto weights = values.find("weights"); weights != values.end()) {
    options.read.weights = weights->second;
    reader.use("weights");
  }
  reader.read(options.read.rule);
  reader.read(options.family);
  if (!values.contains("fit") && chooses_random_features(reader)) options.fit.method = LeastSquaresOptions{};
  for_each_fit_field(options.fit, [&](const auto& field, auto& member) { reader(field, member); });
  reader.read(options.encode);
  reader.read(options.run);
  for (const auto& [name, text] : values) {
    if (reader.used(name)) continue;
    if (!methods_with(name).empty()) throw_not_used(method_name(options.fit.method), name);
    throw Error(ErrorKind::option, "there is no option '" + name + "'", "", "weft train --help lists them");
  }
  check_rule(options.read.rule);
  check_options(options.family);
  check_options(options.fit);
  check_options(options.encode);
  check_options(options.run);
  return options;
}

}  // namespace weft::c
