#include "data/rows/piece_sums.hpp"

#include "distributed/one_process.hpp"

#include <algorithm>

namespace weft::detail {

RowShare share_of(const BlockSource& rows) {
  return rows.share() != nullptr ? *rows.share() : RowShare::of(rows.rows(), kBlockRows, one_process());
}

RowShare share_or_whole(const BlockSource& rows) {
  return rows.share() != nullptr ? *rows.share()
                                 : RowShare::of(rows.rows(), std::max<Index>(1, rows.rows()), one_process());
}

MatrixSums::MatrixSums(RowShare share, Index rows, Index cols)
    : PieceSums(std::move(share), [rows, cols] { return Matrix(rows, cols); },
                {[](Matrix& value, Matrix& next) {
                   for (Index i = 0; i < value.rows() * value.cols(); ++i) value.data()[i] += next.data()[i];
                 },
                 [](const Matrix& value) { return std::move(Packer().add(value)).bytes(); },
                 [](const std::string& bytes) { return Unpacker(bytes).matrix(); }}) {}

}  // namespace weft::detail
