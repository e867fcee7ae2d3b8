// Which theorems cover a model. Every function gives the reason why one does not, empty where it does.
#pragma once

#include "guarantee/theorems.hpp"

#include <string>

namespace weft::detail {

struct Method;

class Applicability {
 public:
  explicit Applicability(const Facts& facts) : facts_(facts) {}

  std::string rkhs() const;               ///< balls of the RKHS: Theorems 6.2, 8 and 10
  std::string square_integrable() const;  ///< balls of L²(p): Theorem 6.5
  std::string empirical() const;          ///< the least loss over a ball of the RKHS: Theorem 6.3
  std::string square_minimiser() const;   ///< the least loss over a ball of L²(p): Theorem 6.6
  std::string descent() const;            ///< Theorem 6.7, and 11 of Dubé & Marchand
  std::string minimiser() const;          ///< Theorem 6.8
  std::string pruned() const;             ///< Theorem 8
  std::string prunable() const;           ///< equation 62
  std::string exact_kernel() const;       ///< Wang 2019: the kernel machine that random features approximate

 private:
  std::string drawn() const;
  std::string unweighted_minimiser() const;
  const Method* fitted_by() const;

  const Facts& facts_;
};

/// Features were sampled using the rows, or pruned.
bool chosen_by_rows(const Model& model);
/// An option the model was fitted with; empty where it does not record it.
std::string option_of(const Model& model, const std::string& name);

}  // namespace weft::detail
