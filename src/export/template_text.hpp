// The text of a program in a target language, with parts that a model needs or not (runtime/).
//
//   //: NAME…        a part begins: it is written where a later part that is written uses one of these names
//   //: *            always;  //: * [flag]  where the flag is set
//   [flag]line       a line of it that is written where the flag is set;  [!flag]line  where it is not
//   @value@          is replaced by a value
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace weft::detail {

struct TemplateValues {
  std::map<std::string, std::string> values;
  std::set<std::string> flags;
};

std::string render_template(std::string_view text, const TemplateValues& values);

}  // namespace weft::detail
