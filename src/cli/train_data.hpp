// Training rows and test rows.
#pragma once

#include <weft/data.hpp>
#include <weft/encoder.hpp>
#include <weft/run.hpp>

#include "cli/app.hpp"

#include <optional>
#include <string>

namespace weft::cli {

struct TrainAndTest {
  Data train;
  std::optional<Data> test;
};

/// --test names a file; --holdout cuts the table, stratified for classes.
struct TestOptions {
  std::string test;
  double holdout = 0;

  void add_to(App& command);
  /// Throws on a hold-out out of range, or both at once.
  void check() const;
  /// Reads the file of --test as the model will; throws where it does not fit the training table. For searches, which
  /// would find out after hours.
  void check_table(const Data& all, const ReadOptions& read, const EncodeOptions& encode, const Run& run) const;
  TrainAndTest split(const Data& all, const ReadOptions& read, const EncodeOptions& encode, std::uint64_t seed,
                     const Run& run) const;
};

/// Labelled training rows, rows whose labels are ignored, and how to encode them.
struct LabelledData {
  Data train;
  std::optional<Data> unlabelled;
  EncodeOptions encode;
};

/// Few labels: --unlabelled names a file of rows without labels, --labels-per-class ignores all other labels.
struct LabelOptions {
  std::string unlabelled;
  Index labels_per_class = 0;

  void add_to(App& command);
  void check() const;
  bool any() const { return !unlabelled.empty() || labels_per_class > 0; }
  LabelledData apply(const Data& train, const ReadOptions& read, const EncodeOptions& encode, std::uint64_t seed,
                     const Run& run) const;
};

/// A table that names a target; throws where it does not. Its rows without a target are left out, unless missing cells
/// are errors.
Data read_training(const std::string& path, const ReadOptions& options, const EncodeOptions& encode, const Run& run);

}  // namespace weft::cli
