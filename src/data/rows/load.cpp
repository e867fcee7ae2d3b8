#include <weft/load.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft {

namespace {
constexpr Index kBlockRows = 4096;
}

Matrix load_inputs(const Encoder& encoder, const Data& data, const Run& run) {
  const auto reader = encoder.open(data, false, run);
  std::vector<Matrix> blocks;
  Index rows = 0;
  for (Block block; reader->next(block, kBlockRows);) {
    run.check_cancelled();
    rows += block.rows();
    blocks.push_back(std::move(block.x));
    block.x = Matrix();
  }
  Matrix all(encoder.inputs().columns(), rows);
  Index first = 0;
  for (const Matrix& block : blocks) {
    for (Index j = 0; j < block.rows(); ++j) std::copy_n(block.row(j), block.cols(), all.row(j) + first);
    first += block.cols();
  }
  return all;
}

Matrix load_numbers(const std::string& path) {
  const Data data = read(path);
  const auto reader = data.open();
  const auto columns = static_cast<Index>(reader->columns().size());
  std::vector<double> cells;
  for (RawBlock block; reader->next(block, kBlockRows);)
    for (Index i = 0; i < block.rows(); ++i)
      for (Index j = 0; j < columns; ++j) {
        if (reader->columns()[static_cast<std::size_t>(j)].text || std::isnan(block.columns(j, i)))
          throw Error(ErrorKind::data, "the cell is not a number", reader->place(i, j),
                      "fix the cell: this file must contain numbers only");
        cells.push_back(block.columns(j, i));
      }
  Matrix table(static_cast<Index>(cells.size()) / columns, columns);
  std::copy(cells.begin(), cells.end(), table.data());
  return table;
}

}  // namespace weft
