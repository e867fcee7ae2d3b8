#include <weft/family.hpp>

#include "cli/commands.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weft::cli {

namespace {

// What exists without quadrature. Features, G and the constants always do; plain features have no M.
std::string implicit_kernel_form(const Family& family) {
  const bool axis = family.projection.kind == Projection::Kind::axis;
  const std::string activation = family.activation->name();
  const bool closed = axis ? activation == "sign" || activation == "cos" || activation == "sin"
                           : family.activation->dual_is_closed_form();
  return closed ? "closed form" : "1-D quadrature";
}

void print_families(bool json) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  TextTable table({"family", "projection", "activation", "weights", "features", "M", "K_X", "in the papers"});
  for (const FamilyRow& row : family_table()) {
    const Family& family = row.family;
    const std::string l2 = family.kernel.none() ? "–" : "closed form";
    const std::string implicit = implicit_kernel_form(family);
    table.add({row.name, family.projection.name(), family.activation->name(), family.kernel.name(), "closed form", l2,
               implicit, row.paper});
    rows.push_back({{"name", row.name},
                    {"projection", family.projection.name()},
                    {"activation", family.activation->name()},
                    {"kernel", family.kernel.name()},
                    {"law", law_name(family.law)},
                    {"features", "closed form"},
                    {"l2_gram", family.kernel.none() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(l2)},
                    {"implicit_kernel", implicit},
                    {"paper", row.paper}});
  }
  if (json)
    fmt::print("{}\n", rows.dump(2));
  else
    fmt::print(
        "{}\nEvery row but the stumps also takes /sparse:K (K variables at a time) or /axis (one):  rw-relu/sparse:3\n"
        "Join families with + and give each its share:  rw-stumps:300+rw-relu/sparse:3:700\n",
        table.text());
}

}  // namespace

void add_families(App& app) {
  auto* command = app.add_subcommand("families", "List the feature families and what each has in closed form");
  command->footer("Example:\n  weft families");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "print JSON");
  command->callback([json] { print_families(*json); });
}

}  // namespace weft::cli
