#include "distributed/merge_tree.hpp"

#include "distributed/row_share.hpp"
#include "distributed/thread_processes.hpp"

#include <gtest/gtest.h>

namespace weft::testing {

using namespace detail;
namespace {

/// Every merge is written down, so that two results are equal only if the same values met in the same order.
std::string merged(Index pieces, int size) {
  return on_processes(size, [&](Communicator& process) {
    MergeTree<std::string> tree(
        pieces, {[](std::string& value, std::string& next) { value = "(" + value + " " + next + ")"; },
                 [](const std::string& value) { return value; }, [](const std::string& bytes) { return bytes; }});
    const auto [from, to] = part_of(pieces, size, process.rank());
    for (Index piece = from; piece < to; ++piece) tree.add(piece, std::to_string(piece));
    return tree.all(process).value_or("none");
  });
}

TEST(MergeTree, MergesGroupsOfNeighbours) {
  EXPECT_EQ(merged(1, 1), "0");
  EXPECT_EQ(merged(4, 1), "((0 1) (2 3))");
  EXPECT_EQ(merged(7, 1), "((((0 1) (2 3)) (4 5)) 6)");
  EXPECT_EQ(merged(16, 1), "((((((0 1) 2) 3) (((4 5) 6) 7)) (((8 9) 10) 11)) (((12 13) 14) 15))");
  EXPECT_EQ(merged(0, 3), "none");
}

TEST(MergeTree, HoldsFewValues) {
  for (const Index pieces : {3, 16, 40, 256})
    for (const int size : {1, 2, 4}) {
      Mailboxes boxes(size);
      for (int rank = 0; rank < size; ++rank) {
        ThreadProcess process(boxes, rank);
        const RowShare share = RowShare::of(pieces * 10, 10, process);
        EXPECT_LE(values_held(share), rank == 0 ? 3 : 16 / size + 2);
      }
    }
}

TEST(MergeTree, DoesNotDependOnTheNumberOfProcesses) {
  for (const Index pieces : {1, 2, 3, 5, 8, 13, 31, 32, 33, 100, 256, 300})
    for (const int size : {2, 3, 4, 5, 7, 8, 16})
      EXPECT_EQ(merged(pieces, size), merged(pieces, 1)) << pieces << " on " << size;
}

TEST(MergeTree, PiecesMayHaveNoValue) {
  const auto merged_some = [](int size) {
    return on_processes(size, [&](Communicator& process) {
      MergeTree<std::string> tree(
          40, {[](std::string& value, std::string& next) { value += next; },
               [](const std::string& value) { return value; }, [](const std::string& bytes) { return bytes; }});
      const auto [from, to] = part_of(40, size, process.rank());
      for (Index piece = from; piece < to; ++piece)
        tree.add(piece, piece % 3 == 1 && piece > 15 ? std::optional(std::to_string(piece) + " ") : std::nullopt);
      return tree.all(process).value_or("none");
    });
  };
  for (const int size : {1, 2, 3, 7}) EXPECT_EQ(merged_some(size), "16 19 22 25 28 31 34 37 ") << size;
}

TEST(RowShare, PiecesAreWholeBlocksAndTheSameForAnyNumberOfProcesses) {
  for (const Index rows : {0, 1, 2048, 2049, 100000, 3000000}) {
    const RowShare alone = on_processes(1, [&](Communicator& p) { return RowShare::of(rows, 2048, p); });
    EXPECT_EQ(alone.begin(), 0);
    EXPECT_EQ(alone.end(), rows);
    EXPECT_LE(alone.pieces(), kMostPieces);
    for (Index p = 0; p < alone.pieces(); ++p) EXPECT_EQ(alone.starts[static_cast<std::size_t>(p)] % 2048, 0);
    for (const int size : {2, 3, 70}) {
      Index next = 0;
      Mailboxes boxes(size);
      for (int rank = 0; rank < size; ++rank) {
        ThreadProcess process(boxes, rank);
        const RowShare share = RowShare::of(rows, 2048, process);
        EXPECT_EQ(share.starts, alone.starts);
        EXPECT_EQ(share.begin(), next);
        next = share.end();
        if (share.begin() < share.end()) {
          EXPECT_EQ(share.piece_of(share.begin()), share.first);
          EXPECT_EQ(share.piece_of(share.end() - 1), share.last - 1);
        }
      }
      EXPECT_EQ(next, rows);
    }
  }
}

}  // namespace
}  // namespace weft::testing
