// Small grammars: cells, dates, families and kernels, options, paths, configuration files, JSON.
#include <weft/error.hpp>
#include <weft/family.hpp>
#include <weft/kernel.hpp>
#include <weft/run.hpp>
#include <weft/write.hpp>

#include "cli/config_file.hpp"
#include "core/interval.hpp"
#include "core/json_lines.hpp"

#include "data/database/database_path.hpp"
#include "data/encode/categories.hpp"
#include "data/encode/dates.hpp"
#include "data/readers/builtin_path.hpp"
#include "data/text.hpp"
#include "fuzz/fuzz_target.hpp"
#include "fuzz/inputs.hpp"
#include "train/stored_options.hpp"

#include <cmath>
#include <numeric>

namespace weft::fuzz {

using namespace detail;

namespace {

void cells(std::string_view input) {
  for (const char decimal : {'.', ','}) {
    double value = 0;
    const CellKind kind = parse_cell(trim(input), value, decimal);
    require(kind != CellKind::number || std::isfinite(value), "a number that is not finite");
    require(kind != CellKind::missing || std::isnan(value), "a missing cell with a number");
  }
  for (const std::string& part : split_list(input)) require(trim(part).size() == part.size(), "blanks around a part");
  if (const auto time = parse_date(input)) require(std::isfinite(*time), "a date that is no time");
  if (const auto number = parse_number(std::string(input))) require(!std::isnan(*number), "a number that is NaN");
  for (const char c : printable(std::string(input), true))
    require(c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != 127), "a control character is shown");
}

void families(std::string_view input) {
  std::string again;
  const std::vector<FamilyPart> parts = parse_family(std::string(input));
  for (const FamilyPart& part : parts) {
    require(part.features >= 0 && part.family.projection.variables >= 0, "a count below 0");
    again += (again.empty() ? "" : "+") + part.family.name();
    if (part.features > 0) again += ":" + std::to_string(part.features);
  }
  const std::vector<FamilyPart> twice = parse_family(again);
  require(twice.size() == parts.size(), "the name has another number of parts");
  for (std::size_t k = 0; k < parts.size(); ++k)
    require(twice[k].features == parts[k].features && twice[k].family.name() == parts[k].family.name(),
            "the name is that of another family");
}

// The first byte says of what.
void options(std::string_view input) {
  if (input.empty()) return;
  const std::string text(input.substr(1));
  switch (input.front() % 6) {
    case 0:
      return void(Run::from({.max_memory = text}));
    case 1:
      return void(parse_interval(text, "sigma_range", Allowed::positive()));
    case 2:
      return void(parse_builtin_path("builtin:" + text));
    case 3:
      return void(parse_database_path("postgresql://" + text));
    case 4:
      return void(parse_database_path("sqlite:" + text));
    default:
      return void(Kernel::parse_kind(text));
  }
}

// Options as model files keep them: lines of a name, '=' and a text.
void stored(std::string_view input) {
  OptionTexts texts;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    const std::size_t equals = std::min(line.find('='), line.size());
    texts[std::string(line.substr(0, equals))] = line.substr(std::min(line.size(), equals + 1));
  }
  const FitOptions fit = stored_options<FitOptions>(texts);
  check_options(fit);
  OptionTexts again;
  store_options(fit, again);
  OptionTexts thrice;
  store_options(stored_options<FitOptions>(again), thrice);
  require(again == thrice, "options change when they are stored");
  check_options(stored_options<FamilyOptions>(texts));
}

std::vector<std::string> stored_seeds() {
  std::vector<std::string> seeds;
  for (const char* method : {"least-squares", "logistic", "portfolio"}) {
    OptionTexts texts = {{"fit", method}};
    store_options(stored_options<FitOptions>(texts), texts);
    store_options(FamilyOptions{}, texts);
    seeds.push_back(std::accumulate(texts.begin(), texts.end(), std::string(), [](std::string all, const auto& text) {
      return all + text.first + "=" + text.second + "\n";
    }));
  }
  return seeds;
}

void config(std::string_view input) {
  for (const cli::ConfigEntry& entry : cli::read_config(memory_file().with(input))) {
    const std::string line = cli::config_line(entry.key, entry.values);
    const auto again = cli::read_config(memory_file().with(line));
    require(again.size() == 1 && again[0].values == entry.values, "an option changes when it is written");
  }
}

void json_lines(std::string_view input) {
  const JsonLines log(memory_file().with(input));
  log.read([](const Json& line, const std::string&) {
    if (!line.is_discarded()) require(Json::parse(line.dump()) == line, "a line changes when it is written");
  });
  // What was read stays, without a line that was cut off.
  const std::size_t whole = input.rfind('\n') + 1;
  require(memory_file().bytes().starts_with(input.substr(0, whole)), "whole lines are lost");
}

}  // namespace

void add_texts(std::vector<Target>& targets) {
  targets.push_back({"cells", 64, 20000, cells, [] {
                       return std::vector<std::string>{"-1.5e3",
                                                       " 1,5",
                                                       "NA",
                                                       "#N/A",
                                                       "inf",
                                                       "2024-02-29T12:30:01.5+02:00",
                                                       "1999-12-31 23:59Z",
                                                       "0x1p3",
                                                       "a, b ,,c",
                                                       "\xc3\xa9\x1b[31m"};
                     }});
  targets.push_back({"family", 80, 20000, families, [] {
                       return std::vector<std::string>{"rw-relu/sparse:3",
                                                       "rw-stumps:300+rw-relu/sparse:3:700",
                                                       "rff-laplace",
                                                       "rks-cos/axis:7",
                                                       "rw-exp-leaky-relu/dense",
                                                       "rw-erf+rks-sin:1"};
                     }});
  targets.push_back({"options", 120, 20000, options, [] {
                       return std::vector<std::string>{std::string("\0", 1) + "1.5GiB",
                                                       "\1"
                                                       "0.01:10",
                                                       "\2moons:rows=10,noise=0.1,seed=3",
                                                       "\3me:secret@host:5432/db?table=a.b&mode=append",
                                                       "\4"
                                                       "file.db?query=SELECT 1%2C2",
                                                       "\5implicit:rw-sign"};
                     }});
  targets.push_back({"stored-options", 4000, 2000, stored, stored_seeds});
  targets.push_back({"config", 1000, 3000, config, [] {
                       return std::vector<std::string>{
                           "# all\ntarget = \"price\"\n[train]\nholdout = 0.25 # a quarter\nauto = true\n",
                           "drop = [\"a b\", 'c\\', \"\\\"\\n\\t\\\\\", 7]\n[tune]\nsigma_range = \"0.1:1\"\n"};
                     }});
  targets.push_back({"json-lines", 1000, 3000, json_lines, [] {
                       return std::vector<std::string>{
                           "{\"a\":[1,2.5,null,true,\"\\u00e9\"]}\n{\"b\":{\"c\":-1e300}}\n{\"cut",
                           "nonsense\n[[[]]]\n"};
                     }});
}

}  // namespace weft::fuzz
