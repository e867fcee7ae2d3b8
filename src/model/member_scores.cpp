// A block goes through four steps, each cut by the rows alone: strips of it are transformed and routed; the rows of
// each leaf are listed; strips of those lists are gathered and scored; the members' scores are summed.
#include "model/member_scores.hpp"

#include <algorithm>

#include "compute/cpu/vector_kernels.hpp"
#include "compute/device_matrix.hpp"
#include "compute/gpu.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "linalg/linear_scores.hpp"
#include "model/buffers.hpp"
#include "model/predictor.hpp"

namespace weft::detail {

namespace {

constexpr Index kRowsOnDevice = Index{1} << 18;  // so that enough of them meet in a leaf

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

std::vector<Piece> cut(std::vector<MemberBlock>& blocks, Index strip) {
  std::vector<Piece> pieces;
  for (MemberBlock& block : blocks)
    for (std::size_t leaf = 0; leaf < block.member.leaves.size(); ++leaf)
      for (Index first = block.starts[leaf]; first < block.starts[leaf + 1]; first += strip)
        pieces.push_back({&block, &block.member.leaves[leaf], first, std::min(strip, block.starts[leaf + 1] - first)});
  return pieces;
}

/// Adds a leaf's scores of the rows of x, inputs × rows.
void add_leaf_scores(const Leaf& leaf, View<const double> x, Matrix& phi, Matrix& scores, const Device& device) {
  if (device.has_own_memory() && leaf.map.sections() != nullptr) {
    const KernelSections& sections = *leaf.map.sections();
    DeviceMatrix<double> values(device, sections.count(), x.cols);
    device.kernel_values(sections.kernel, sections.landmarks, sections.prepared, x, values, false, {.threads = 1});
    return device.multiply(1, transpose(values.view()), leaf.coefficients, 1, scores);
  }
  phi.reshape(leaf.map.features(), x.cols);
  leaf.map.smoothings(x, phi, {.threads = 1});
  add_row_scores(leaf.coefficients, phi, scores);
}

void score(const Piece& piece, Matrix& phi, const Device& device) {
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
    add_leaf_scores(leaf, x, phi, own, device);
  }
  for (Index i = 0; i < piece.count; ++i) std::copy_n(own.row(i), own.cols(), scores.row(rows[i]));
}

/// Where the kernel values of so many rows are computed: on a GPU, if it was asked for and knows the kernels.
const Device& device_for_members(std::span<const Member> members, Index rows, const Run& run) {
  double operations = 0;
  const Kernel* kernel = nullptr;
  for (const Member& member : members)
    for (const Leaf& leaf : member.leaves) {
      const double numbers = static_cast<double>(rows) / static_cast<double>(member.leaves.size());
      operations += 2 * numbers * static_cast<double>(leaf.map.features() * leaf.map.inputs().columns());
      if (leaf.map.kernel() != nullptr) kernel = leaf.map.kernel();
    }
  return kernel == nullptr ? cpu() : device_for(run, *kernel, operations);
}

void add_block(std::span<const Member> members, View<const double> x, View<double> scores, const Device& device,
               int threads) {
  std::vector<MemberBlock> blocks;
  for (const Member& member : members) blocks.emplace_back(member, x, scores.cols);
  const Index per_member = strips(x.cols);
  if (per_member == 1) threads = 1;  // one strip takes less time than threads on a busy machine wait for each other
  parallel_for(per_member * static_cast<Index>(members.size()), threads, [&](Index k) {
    const Index first = k % per_member * kStripRows;
    blocks[at(k / per_member)].transform(x, first, std::min(kStripRows, x.cols - first));
  });
  for (MemberBlock& block : blocks) block.list_rows();
  const std::vector<Piece> pieces = cut(blocks, device.has_own_memory() ? Predictor::kBlockRows : kStripRows);
  Buffers buffers;
  parallel_for(static_cast<Index>(pieces.size()), threads, [&](Index k) {
    Matrix phi = buffers.take();
    score(pieces[at(k)], phi, device);
    buffers.give_back(std::move(phi));
  });
  for (const MemberBlock& block : blocks)
    for (Index i = 0; i < x.cols; ++i)
      for (Index k = 0; k < scores.cols; ++k) scores(i, k) += block.member.weight * block.scores(i, k);
}

}  // namespace

void add_member_scores(std::span<const Member> members, View<const double> x, View<double> scores, const Run& run) {
  const Device& device = device_for_members(members, x.cols, run);
  const Index rows = device.has_own_memory() ? kRowsOnDevice : Predictor::kBlockRows;
  for (Index first = 0; first < x.cols; first += rows) {
    const Index count = std::min(rows, x.cols - first);
    add_block(members, x.col_range(first, count), scores.row_range(first, count), device, run.thread_count());
  }
}

}  // namespace weft::detail
