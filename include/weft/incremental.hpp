// Fitting on rows that arrive in batches.
#pragma once

#include <weft/fit.hpp>

#include <memory>

namespace WEFT_PUBLIC weft {

/// A least-squares fit that keeps the sums over its rows and no row. Its model is, up to rounding, the one that fit()
/// gives for all rows together when it encodes them with the same encoder: the same rows are held out to choose λ.
/// Options that need a second pass over the rows are not supported: calibration, balanced classes, features chosen by
/// the rows.
class IncrementalFit {
 public:
  /// The encoder is fixed: the scaling of the inputs, the categories and the classes are known in advance.
  explicit IncrementalFit(const Encoder& encoder, const FamilyOptions& family = {}, const FitOptions& options = {},
                          const Run& run = {});
  ~IncrementalFit();
  IncrementalFit(IncrementalFit&&) noexcept;
  IncrementalFit& operator=(IncrementalFit&&) noexcept;

  /// Adds all of the rows or, if it throws, none. A time limit does not interrupt a batch.
  void add(const Data& rows, const Run& run = {});
  Index rows() const;  ///< so far
  /// The fit on the rows so far.
  Model model(const Run& run = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
