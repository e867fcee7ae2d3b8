// Rows to learn from and rows to test on.
#pragma once

#include <weft/data.hpp>
#include <weft/encoder.hpp>
#include <weft/run.hpp>

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace weft::cli {

struct TrainAndTest {
  Data train;
  std::optional<Data> test;
};

/// --test names a file; --holdout cuts the table, stratified for classes.
struct TestOptions {
  std::string test;
  double holdout = 0;

  void add_to(CLI::App& command);
  /// Throws on a hold-out out of range, or both at once.
  void check() const;
  TrainAndTest split(const Data& all, const ReadOptions& read, const EncodeOptions& encode, std::uint64_t seed,
                     const Run& run) const;
};

/// A table that names a target; throws where it does not.
Data read_training(const std::string& path, const ReadOptions& options);

}  // namespace weft::cli
