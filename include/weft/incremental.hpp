// Fitting on rows that come in batches.
#pragma once

#include <weft/fit.hpp>

#include <memory>

namespace WEFT_PUBLIC weft {

/// A least-squares fit that keeps the sums over its rows and no row. Its model is, up to rounding, the one that fit()
/// gives for all rows together when it encodes them with the same encoder: the same rows are held out to choose λ.
/// What has to see rows twice is refused: calibration, balanced classes, features chosen by the rows.
class IncrementalFit {
 public:
  /// The encoder stays as it is: how inputs are scaled, and which categories and classes there are, is known before.
  explicit IncrementalFit(const Encoder& encoder, const FamilyOptions& family = {}, const FitOptions& options = {},
                          const Run& run = {});
  ~IncrementalFit();
  IncrementalFit(IncrementalFit&&) noexcept;
  IncrementalFit& operator=(IncrementalFit&&) noexcept;

  /// All of the rows or, where it throws, none. A time budget does not cut a batch.
  void add(const Data& rows, const Run& run = {});
  Index rows() const;  ///< so far
  /// The fit on the rows so far.
  Model model(const Run& run = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
