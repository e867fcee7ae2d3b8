// Queries as tables: what passes see, and what cells mean. The databases are written by TableWriter; tests/cli/own_data
// has those of other programs.
#include <weft/database.hpp>
#include <weft/write.hpp>

#include "data/database/query_reader.hpp"
#include "data/table_testing.hpp"

#include <csignal>

#include <sys/resource.h>

namespace weft::testing {

namespace {

class QueryReader : public ::testing::Test {
 protected:
  void SetUp() override {
    if (database_info().sqlite.starts_with("not there"))
      GTEST_SKIP() << "needs SQLite's library (Debian: libsqlite3-0)";
    TableWriter writer(address(), {"id", "name", "x"}, {CellType::integer, CellType::text, CellType::number});
    for (int i = 0; i < kRows; ++i)
      writer.append_text({{std::to_string(i), i % 3 == 0 ? "" : "n\t\\" + std::to_string(i % 5),
                           i % 7 == 0 ? "" : std::to_string(i) + ".1"}});
    writer.commit();
  }
  std::string address() const { return "sqlite:" + folder_.file("t.db") + "?table=rows"; }
  Data query(const std::string& sql, ReadOptions options = {}) const {
    options.query = sql;
    return read("sqlite:" + folder_.file("t.db"), options);
  }

  static constexpr int kRows = 4500;
  const TemporaryFolder folder_;
};

TEST_F(QueryReader, CellsComeBackAsTheyWereWritten) {
  const Table table = read_all(read(address()), 777);
  ASSERT_EQ(table.rows.size(), static_cast<std::size_t>(kRows));
  EXPECT_EQ(table.names, (std::vector<std::string>{"id", "name", "x"}));
  for (int i = 0; i < kRows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    ASSERT_EQ(table.rows[k][0], i);
    ASSERT_EQ(table.texts[k][1], i % 3 == 0 ? "" : "n\t\\" + std::to_string(i % 5));
    ASSERT_EQ(std::isnan(table.rows[k][1]), i % 3 == 0);
    if (i % 7 == 0)
      ASSERT_TRUE(std::isnan(table.rows[k][2]));
    else
      ASSERT_EQ(table.rows[k][2], std::stod(std::to_string(i) + ".1"));
  }
}

TEST_F(QueryReader, EveryPassSeesTheSameRows) {
  const Data data = query("select id, random() as r from rows order by random() limit 2000");
  const Table first = read_all(data, 500);
  ASSERT_EQ(first.rows.size(), 2000U);
  expect_rows(read_all(data, 900).rows, first.rows);
  expect_rows(read_all(data).rows, first.rows);
}

TEST_F(QueryReader, OptionsOfTablesApply) {
  const Data data = query("select * from rows order by id desc", {.target = "-1", .drop = "name", .categorical = "id"});
  EXPECT_EQ(data.options().target, "x");
  const Table table = read_all(data);
  EXPECT_EQ(table.names, (std::vector<std::string>{"id", "x"}));
  EXPECT_EQ(table.texts[0][0], std::to_string(kRows - 1));
  const Table marked = read_all(query("select id, 'none' as word from rows limit 3", {.na_values = "none,2"}));
  expect_rows(marked.rows, {{0, NAN}, {1, NAN}, {NAN, NAN}});
}

TEST_F(QueryReader, RowsAreCountedInMessages) {
  const Data data = query("select case when id = 3210 then 'oops' else id end as id from rows order by rows.id");
  const Error error = error_of([&] { read_all(data); });
  EXPECT_EQ(error.place(), "sqlite:" + folder_.file("t.db") + ": row 3211, column id");
  EXPECT_TRUE(contains(error.message(), "1000 of the first 1000 cells are numbers, 'oops' (row 3211) is not"))
      << error.what();
  EXPECT_TRUE(contains(error.hint(), "‹categorical› id")) << error.what();
  const Data numbers = query("select id from rows");
  const auto reader = numbers.open();
  RawBlock block;
  ASSERT_TRUE(reader->next(block, 10));
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_EQ(reader->place(4, 0), "sqlite:" + folder_.file("t.db") + ": row 15, column id");
}

TEST_F(QueryReader, ColumnsThatAreNotNeededMayHoldAnything) {
  const Data data = query("select id, case when id = 3210 then 'oops' else id end as x from rows order by rows.id");
  const auto reader = data.open();
  reader->need_only({"id"});
  RawBlock block;
  Index rows = 0;
  while (reader->next(block, 4096)) rows += block.rows();
  EXPECT_EQ(rows, kRows);
}

TEST_F(QueryReader, PassesSeeTheRowsOfTheFirstWhateverHappens) {
  const Data data = query("select * from rows");
  const auto one = data.open();
  one->keep_written({"name"});
  RawBlock block;
  ASSERT_TRUE(one->next(block, 10));
  EXPECT_EQ(*one->written("name"),
            (std::vector<std::string>{"", "n\t\\1", "n\t\\2", "", "n\t\\4", "n\t\\0", "", "n\t\\2", "n\t\\3", ""}));
  while (one->next(block, 4096)) continue;
  TableWriter more(address() + "&mode=append", {"id"}, {CellType::integer});
  more.append_text({{"9999"}});
  more.commit();
  EXPECT_EQ(read_all(data).rows.size(), static_cast<std::size_t>(kRows));
  EXPECT_EQ(read_all(query("select * from rows")).rows.size(), static_cast<std::size_t>(kRows) + 1);
}

/// No file may grow while it lives.
class NoSpace {
 public:
  NoSpace() {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoSpace() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  NoSpace(const NoSpace&) = delete;
  NoSpace& operator=(const NoSpace&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(QueryReader, WhereRowsCannotBeKeptTheQueryIsExecutedAgainUnlessTheDatabaseChanged) {
  const auto path = parse_database_path("sqlite:" + folder_.file("t.db"));
  const auto open = open_query(path, {.query = "select id, x from rows"}, 20000);
  auto first = open();
  RawBlock block;
  ASSERT_TRUE(first->next(block, 10));
  {
    const NoSpace none;
    const Rows rows = read_all(*open(), 600).rows;
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(kRows));
    expect_rows(read_all(*open(), 999).rows, rows);
    Index left = 0;
    while (first->next(block, 4096)) left += block.rows();
    EXPECT_EQ(left, kRows - 10);
  }
  TableWriter more(address() + "&mode=append", {"id"}, {CellType::integer});
  more.append_text({{"9999"}});
  more.commit();
  EXPECT_TRUE(contains(error_of([&] { read_all(*open()); }).message(), "changed while it was read"));
}

}  // namespace

}  // namespace weft::testing
