// Options as the texts a model keeps, and back; what a fit returned, in its places in a model.
#pragma once

#include "core/option_text.hpp"
#include "methods/problem.hpp"

#include <map>
#include <string>

namespace weft::detail {

using OptionTexts = std::map<std::string, std::string>;

template <class Options>
void store_options(const Options& options, OptionTexts& into) {
  for_each_field<Options>([&](const auto& field) { into[field.name] = option_text(options.*field.member); });
}
/// With the name of the method, as "fit", and its own options.
void store_options(const FitOptions& options, OptionTexts& into);

/// Sets a member from the text of that name, where there is one, without giving it: a model keeps every option. A text
/// that is not of its kind throws Error(model).
template <class Member>
void restore_option(const OptionTexts& texts, const char* name, Member& member) {
  const auto found = texts.find(name);
  if (found == texts.end()) return;
  try {
    auto value = option_value<plain_type<Member>>(found->second);
    if constexpr (is_setting<Member>::value)
      member = default_value(std::move(value));
    else
      member = std::move(value);
  } catch (const std::logic_error&) {  // what std::sto… throws
    throw Error(ErrorKind::model, fmt::format("the model stores the invalid value '{}' for an option", found->second),
                option_mark(name), "train it again");
  }
}

/// Options that the texts do not name keep their defaults.
template <class Options>
Options stored_options(const OptionTexts& texts) {
  Options options;
  for_each_field<Options>([&](const auto& field) { restore_option(texts, field.name, options.*field.member); });
  return options;
}
template <>
FitOptions stored_options<FitOptions>(const OptionTexts& texts);

/// Puts what a fit returned in its places in a model.
void store_result(FitResult result, ModelParts& parts);
/// The same for the options of the fit and where its rows come from.
void store_origin(const FamilyOptions& family, const FitOptions& options, const std::string& data, Index rows,
                  ModelParts& parts);

/// How rows were held out: in the options, by the name of the column, and in words; empty: by their numbers.
void store_rule(const RowRuleOptions& options, const std::string& words, ModelParts& parts);

/// What the encoder has made of missing cells and many categories.
void store_cells(const std::string& na_values, ModelParts& parts);

}  // namespace weft::detail
