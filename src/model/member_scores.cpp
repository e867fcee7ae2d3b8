// A block goes through four steps, each cut by the rows alone: strips of it are transformed and routed; the rows of
// each leaf are listed; strips of those lists are gathered and scored; the members' scores are summed.
#include "model/member_scores.hpp"

#include <algorithm>

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "linalg/linear_scores.hpp"
#include "model/buffers.hpp"
#include "model/predictor.hpp"

namespace weft::detail {

namespace {

Index strips(Index rows) {
  return (rows + kStripRows - 1) / kStripRows;
}

/// A block of rows as one member sees it.
struct MemberBlock {
  MemberBlock(const Member& member_, View<const double> encoded, Index outputs)
      : member(member_),
        x(member_.transform.inputs(encoded.rows), encoded.cols),
        leaf_of(at(encoded.cols)),
        scores(encoded.cols, outputs) {}

  void transform(View<const double> encoded, Index first, Index count) {
    member.transform.apply(encoded.col_range(first, count), x.view().col_range(first, count));
    for (Index i = first; i < first + count; ++i) leaf_of[at(i)] = member.leaf_of(x, i);
  }

  // A counting sort, which keeps the order of the rows of a leaf.
  void list_rows() {
    starts.assign(member.leaves.size() + 1, 0);
    for (const Index leaf : leaf_of) ++starts[at(leaf + 1)];
    for (std::size_t leaf = 1; leaf < starts.size(); ++leaf) starts[leaf] += starts[leaf - 1];
    rows.resize(leaf_of.size());
    std::vector<Index> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < leaf_of.size(); ++i) rows[at(next[at(leaf_of[i])]++)] = static_cast<Index>(i);
  }

  const Member& member;
  Matrix x;                    ///< own inputs × rows
  std::vector<Index> leaf_of;  ///< of each row
  std::vector<Index> rows;     ///< by leaf
  std::vector<Index> starts;   ///< of the leaves in `rows`, and their end
  Matrix scores;               ///< rows × outputs
};

/// A strip of the rows of one leaf.
struct Piece {
  MemberBlock* block;
  const Leaf* leaf;
  Index first;  ///< in MemberBlock::rows
  Index count;
};

std::vector<Piece> cut(std::vector<MemberBlock>& blocks) {
  std::vector<Piece> pieces;
  for (MemberBlock& block : blocks)
    for (std::size_t leaf = 0; leaf < block.member.leaves.size(); ++leaf)
      for (Index first = block.starts[leaf]; first < block.starts[leaf + 1]; first += kStripRows)
        pieces.push_back(
            {&block, &block.member.leaves[leaf], first, std::min(kStripRows, block.starts[leaf + 1] - first)});
  return pieces;
}

void score(const Piece& piece, Matrix& phi) {
  const Leaf& leaf = *piece.leaf;
  const Index* rows = piece.block->rows.data() + piece.first;
  Matrix& scores = piece.block->scores;
  Matrix own(piece.count, scores.cols());
  for (Index i = 0; i < piece.count; ++i) std::copy(leaf.intercepts.begin(), leaf.intercepts.end(), own.row(i));
  if (leaf.map.features() > 0) {
    const Matrix& all = piece.block->x;
    Matrix x(all.rows(), piece.count);
    for (Index j = 0; j < x.rows(); ++j)
      for (Index i = 0; i < piece.count; ++i) x(j, i) = all(j, rows[i]);
    phi.reshape(leaf.map.features(), piece.count);
    leaf.map.smoothings(x, phi, {.threads = 1});
    add_row_scores(leaf.coefficients, phi, own);
  }
  for (Index i = 0; i < piece.count; ++i) std::copy_n(own.row(i), own.cols(), scores.row(rows[i]));
}

void add_block(std::span<const Member> members, View<const double> x, View<double> scores, int threads) {
  std::vector<MemberBlock> blocks;
  for (const Member& member : members) blocks.emplace_back(member, x, scores.cols);
  const Index per_member = strips(x.cols);
  if (per_member == 1) threads = 1;  // one strip takes less time than threads on a busy machine wait for each other
  parallel_for(per_member * static_cast<Index>(members.size()), threads, [&](Index k) {
    const Index first = k % per_member * kStripRows;
    blocks[at(k / per_member)].transform(x, first, std::min(kStripRows, x.cols - first));
  });
  for (MemberBlock& block : blocks) block.list_rows();
  const std::vector<Piece> pieces = cut(blocks);
  Buffers buffers;
  parallel_for(static_cast<Index>(pieces.size()), threads, [&](Index k) {
    Matrix phi = buffers.take();
    score(pieces[at(k)], phi);
    buffers.give_back(std::move(phi));
  });
  for (const MemberBlock& block : blocks)
    for (Index i = 0; i < x.cols; ++i)
      for (Index k = 0; k < scores.cols; ++k) scores(i, k) += block.member.weight * block.scores(i, k);
}

}  // namespace

void add_member_scores(std::span<const Member> members, View<const double> x, View<double> scores, const Run& run) {
  for (Index first = 0; first < x.cols; first += Predictor::kBlockRows) {
    const Index count = std::min(Predictor::kBlockRows, x.cols - first);
    add_block(members, x.col_range(first, count), scores.row_range(first, count), run.thread_count());
  }
}

}  // namespace weft::detail
