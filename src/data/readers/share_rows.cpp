#include <weft/data.hpp>

#include "data/row_tiles.hpp"

namespace weft {

void share_rows(Index columns, Index rows, int threads, const std::function<void(Index first, Index count)>& body) {
  detail::for_each_row_tile(columns, rows, threads, [&](Index, detail::Tile some) { body(some.first, some.count); });
}

}  // namespace weft
