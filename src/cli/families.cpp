#include <weft/family.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

void print_families(bool json) {
  Json rows = Json::array();
  TextTable table({"family", "projection", "activation", "weights", "features", "M", "K_X", "in the papers"});
  for (const FamilyRow& row : family_table()) {
    const Family& family = row.family;
    const std::string l2 = family.kernel.none() ? "–" : "closed form";
    const std::string implicit = family.implicit_kernel_is_closed_form() ? "closed form" : "1-D quadrature";
    table.add({row.name, family.projection.name(), family.activation->name(), family.kernel.name(), "closed form", l2,
               implicit, row.paper});
    rows.push_back(Json::parse(row.to_json()));
  }
  if (json)
    print_line(rows.dump(2));
  else
    print_out(
        "{}\nEvery row but the stumps also takes /sparse:K (K variables at a time) or /axis (one):  rw-relu/sparse:3\n"
        "Join families with + and give the number of features of each:  rw-stumps:300+rw-relu/sparse:3:700\n",
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
