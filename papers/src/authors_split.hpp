// The rows that Dubé & Marchand 2023 and Anonymous 2026 test on, of the sets without an official split: scikit-learn's
// train_test_split with a quarter of the rows and random_state 0, once, for all their seeds. It is what the code that
// the former publish does; that it is the latter's as well, their SVM shows: R² of 0.609 and 0.343 on diabetes, 0.990
// and 0.942 on wine, to the last digit (RandomizedSearchCV, 50 draws, random_state 0).
#pragma once

#include <weft/matrix.hpp>

#include <cstdint>
#include <vector>

namespace weft::papers {

/// numpy.random.RandomState(seed).permutation(count).
std::vector<Index> numpy_permutation(std::uint32_t seed, Index count);

struct AuthorsSplit {
  std::vector<Index> train, test;  ///< rows, in the order in which scikit-learn returns them
};
AuthorsSplit authors_split(Index rows);

}  // namespace weft::papers
