// What tests of certificates share.
#pragma once

#include <weft/certify.hpp>

#include "model/sample_models.hpp"

#include <stdexcept>
#include <string>

namespace weft::testing {

using namespace detail;

inline const BoundLine& find(const Certificate& certificate, const std::string& name, const std::string& radius,
                             const std::string& theta) {
  for (const BoundLine& line : certificate.lines)
    if (line.name == name && line.radius == radius && line.theta == theta) return line;
  throw std::logic_error("no line " + name);
}

/// "rw-sign" on the table's inputs: θ is known in closed form.
inline FamilyOptions signs(Index features = 6) {
  FamilyOptions family = sample_family("rw-sign", features);
  family.sigma = 0.7;
  family.gamma = 1.9;
  return family;
}

}  // namespace weft::testing
