// What EncoderStatistics holds.
#pragma once

#include <weft/encoder_statistics.hpp>

#include <string>
#include <vector>

#include "data/encode/column_stats.hpp"
#include "data/encode/target_encoder.hpp"

namespace weft {

struct EncoderStatistics::State {
  struct Input {
    std::string name;
    detail::ColumnStats stats;
    std::vector<std::string> dictionary;  ///< of a text column: what its codes stand for
    bool categorical = false;             ///< the user says so: it is neither booleans nor dates
  };

  EncodeOptions options;
  std::string place;  ///< the data's name, for messages
  Index first_row = 0;
  Index rows = 0;
  std::vector<Input> inputs;
  std::vector<detail::TargetStats> targets;
  std::vector<std::string> target_dictionary;  ///< of the first target, where it is text
  std::string weights;                         ///< column of weights; empty: none
  bool any_weight = false;                     ///< one of the weights is above 0
  std::vector<Index> sampled;                  ///< slot of the sample → row of the whole table, -1: none yet
};

namespace detail {

/// The pass of EncoderStatistics::of. The cells of a single target are appended to `target_cells` where it is given.
EncoderStatistics::State gather_statistics(const Data& data, bool with_target, const EncodeOptions& options,
                                           Index first_row, const Run& run,
                                           std::vector<double>* target_cells = nullptr);

}  // namespace detail

}  // namespace weft
