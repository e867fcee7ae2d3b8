// A parser of foreign bytes and what must hold of it, whatever the bytes are. libFuzzer (scripts/fuzz) and the tests
// (replay_test.cpp) run the same targets. A target is one file: a function, seeds, and an entry in all_targets().
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace weft::fuzz {

/// What must not happen: neither an input that is accepted nor a weft::Error.
struct Violation : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool holds, const char* what) {
  if (!holds) throw Violation(what);
}

struct Target {
  std::string name;
  std::size_t longest;  ///< bytes of an input
  int replays;          ///< mutations of every seed and regression that the tests run
  /// Throws weft::Error where it does not take the input; any other exception is a finding.
  std::function<void(std::string_view input)> run;
  /// Inputs that it takes, as weft itself writes them: they keep up with the formats.
  std::function<std::vector<std::string>()> seeds;
  /// Makes checksums right again, so that mutations get past them.
  std::function<void(std::string& input)> repair = {};

  /// For GoogleTest, which would name tests by bytes.
  friend void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }
};

// One function per file; what they have in common is in inputs.hpp.
void add_texts(std::vector<Target>& targets);        // cells, families, options, paths, configuration, JSON
void add_tables(std::vector<Target>& targets);       // CSV, LIBSVM, .npy, .npz, IDX, gzip, whatever is recognised
void add_models(std::vector<Target>& targets);       // models, encoders
void add_sums(std::vector<Target>& targets);         // statistics, plans, sums
void add_checkpoints(std::vector<Target>& targets);  // checkpoints, resumed fits, logs of searches
void add_requests(std::vector<Target>& targets);     // requests over HTTP, rows in JSON, routes

const std::vector<Target>& all_targets();
/// Throws std::out_of_range for a name that is not there.
const Target& target_named(const std::string& name);

/// Runs the target: a weft::Error must say what to do, anything else that is thrown is a finding and is passed on.
/// Returns whether the input was taken.
bool run_one(const Target& target, std::string_view input);

}  // namespace weft::fuzz
