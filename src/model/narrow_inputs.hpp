// Wide tables whose features see few of their columns: blocks of encoded rows then hold those columns alone.
#pragma once

#include <weft/encoder.hpp>
#include <weft/feature_map.hpp>

#include <optional>

namespace weft::detail {

inline constexpr Index kWideInputs = 10000;  // a block of so many is 160 MB

struct NarrowInputs {
  Encoder encoder;  ///< of the variables that some centre sees
  FeatureMap map;   ///< of its columns: the same features of the same rows, bit for bit
};

/// None where the table is not wide, or most of its columns are seen, as those of dense families are.
std::optional<NarrowInputs> narrow_inputs(const Encoder& encoder, const FeatureMap& map);

/// A map with the parts and groups of `all` on narrow inputs, on all of them again.
FeatureMap on_all_inputs(const FeatureMap& narrow, const FeatureMap& all);

}  // namespace weft::detail
