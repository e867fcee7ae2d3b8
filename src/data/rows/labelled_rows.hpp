// rows_with_target() for those who need to know which rows these are.
#pragma once

#include <weft/data.hpp>
#include <weft/run.hpp>

#include <memory>
#include <string>
#include <vector>

namespace weft::detail {

/// `numbers`: of the rows of `data` that the latest pass has delivered, counted from 0; null: not wanted.
Data labelled_rows(const Data& data, const std::vector<std::string>& names, const Run& run,
                   const std::shared_ptr<std::vector<Index>>& numbers);

}  // namespace weft::detail
