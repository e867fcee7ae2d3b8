#include <weft/distributed.hpp>
#include <weft/files.hpp>

#include "core/at.hpp"
#include "data/rows/block_source.hpp"
#include "distributed/packing.hpp"
#include "distributed/row_share.hpp"

#include <algorithm>

namespace weft {

using namespace detail;

namespace {

Index count_rows_of(const Data& data, const Run& run) {
  const auto reader = data.open();
  Index rows = 0;
  for (RawBlock block; reader->next(block, kBlockRows);) {
    run.check_cancelled();
    rows += block.rows();
    run.report("counting", static_cast<double>(rows), 0);
  }
  return rows;
}

}  // namespace

SharedTable::SharedTable(std::vector<Data> files, std::string name, Communicator& processes, const Run& run)
    : files_(std::move(files)), processes_(&processes), all_(concatenate(files_, files_.at(0), std::move(name))) {
  Packer own;
  const auto [from, to] = own_files();
  for (std::size_t k = from; k < to; ++k) own.add(count_rows_of(files_[k], run));
  first_rows_ = {0};
  for (const std::string& some : processes.all_gather(std::move(own).bytes()))
    for (Unpacker counts(some); counts.more();) first_rows_.push_back(first_rows_.back() + counts.number<Index>());
}

std::pair<std::size_t, std::size_t> SharedTable::own_files() const {
  const auto [from, to] = part_of(static_cast<Index>(files_.size()), processes_->size(), processes_->rank());
  return {at(from), at(to)};
}

Data SharedTable::rows(Index begin, Index end) const {
  std::vector<Data> parts;
  for (std::size_t k = 0; k < files_.size(); ++k) {
    const Index from = std::max(begin, first_rows_[k]);
    const Index to = std::min(end, first_rows_[k + 1]);
    if (from >= to) continue;
    const bool whole = from == first_rows_[k] && to == first_rows_[k + 1];
    parts.push_back(whole ? files_[k] : files_[k].rows(from - first_rows_[k], to - first_rows_[k]));
  }
  return concatenate(std::move(parts), files_.front(), all_.name());
}

}  // namespace weft
