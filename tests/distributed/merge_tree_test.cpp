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
    MergeTree<std::string> tree({[](std::string& value, std::string next) { value = "(" + value + " " + next + ")"; },
                                 [](const std::string& value) { return value; },
                                 [](const std::string& bytes) { return bytes; }});
    const auto [from, to] = part_of(pieces, size, process.rank());
    for (Index piece = from; piece < to; ++piece) tree.add(piece, std::to_string(piece));
    return tree.all(process).value_or("none");
  });
}

TEST(MergeTree, MergesNeighboursOfEqualSize) {
  EXPECT_EQ(merged(1, 1), "0");
  EXPECT_EQ(merged(4, 1), "((0 1) (2 3))");
  EXPECT_EQ(merged(7, 1), "(((0 1) (2 3)) ((4 5) 6))");
  EXPECT_EQ(merged(0, 3), "none");
}

TEST(MergeTree, DoesNotDependOnTheNumberOfProcesses) {
  for (const Index pieces : {1, 2, 3, 5, 8, 13, 31, 32, 33, 100})
    for (const int size : {2, 3, 4, 5, 7, 8, 16})
      EXPECT_EQ(merged(pieces, size), merged(pieces, 1)) << pieces << " on " << size;
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
