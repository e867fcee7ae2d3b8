#include "fuzz/fuzz_target.hpp"

#include <weft/error.hpp>

namespace weft::fuzz {

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets = [] {
    std::vector<Target> all;
    add_texts(all);
    add_tables(all);
    add_models(all);
    add_sums(all);
    add_checkpoints(all);
    add_requests(all);
    return all;
  }();
  return targets;
}

const Target& target_named(const std::string& name) {
  std::string names;
  for (const Target& target : all_targets()) {
    if (target.name == name) return target;
    names += " " + target.name;
  }
  throw std::out_of_range("there is no target '" + name + "'; there are" + names);
}

bool run_one(const Target& target, std::string_view input) {
  try {
    target.run(input);
    return true;
  } catch (const Error& error) {
    require(!error.message().empty(), "an error without a message");
    require(!error.hint().empty(), "an error without a remedy");
    return false;
  }
}

}  // namespace weft::fuzz
