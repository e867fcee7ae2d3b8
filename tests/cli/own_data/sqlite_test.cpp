// Tables of SQLite files, made and looked at by Python's sqlite3, which is not weft.
#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class Sqlite : public WeftTest {
 protected:
  void SetUp() override {
    if (weft_out({"version", "--verbose"}).find("SQLite        not there") != std::string::npos)
      GTEST_SKIP() << "needs SQLite's library (Debian: libsqlite3-0)";
    if (shell("python3 -c 'import sqlite3, csv'") != 0) GTEST_SKIP() << "needs Python with sqlite3";
    python(R"(
import csv, random
random.seed(1)
rows = []
for i in range(3000):
    age = None if i % 11 == 0 else random.randint(18, 90)
    city = None if i % 13 == 0 else random.choice(['Köln', 'New York', 'a "b", c'])
    income = random.gauss(0, 1) / 3
    y = (age or 50) / 10 + (2 if city == 'Köln' else 0) + income + random.gauss(0, .1)
    rows.append((i + 1, f'{i:05}', age, city, income, y, 'yes' if y > 6 else 'no'))
db.execute('create table customers (id integer primary key, code text, age integer, city text, income real, y real, good text)')
db.executemany('insert into customers values (?, ?, ?, ?, ?, ?, ?)', rows)
db.execute('create table new_ones as select id, code, age, city, income, y, good from customers where id % 10 = 0')
with open('customers.csv', 'w', newline='') as file:
    out = csv.writer(file)
    out.writerow(['id', 'code', 'age', 'city', 'income', 'y', 'good'])
    out.writerows(rows)
)");
  }

  /// Runs a script with the connection `db`, which is committed at the end.
  void python(const std::string& script) const {
    write("script.py", "import sqlite3\ndb = sqlite3.connect('shop.db')\n" + script + "\ndb.commit()\n");
    ASSERT_EQ(shell("python3 script.py && rm script.py"), 0) << script;
  }
  static Words train(const std::string& data, const std::string& model, const char* target = "y",
                     const char* drop = "id,code,good") {
    return {"train", data, "--target", target, "--drop", drop, "--features", "30", "--model", model, "--quiet"};
  }
  static Words joined(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  void train_both() const {
    weft_out(train("sqlite:shop.db?table=customers", "m.weft"));
    weft_out(train("sqlite:shop.db?table=customers", "k.weft", "good", "id,code,y"));
  }
};

TEST_F(Sqlite, ATableIsThatOfTheSameCsv) {
  weft_out(train("customers.csv", "csv.weft"));
  weft_out(train("sqlite:shop.db?table=customers", "table.weft"));
  weft_out(joined(train("sqlite:shop.db", "query.weft"), {"--query", "select * from customers order by id;"}));
  weft_out(train("sqlite:shop.db?query=select * from customers where id %25 1 = 0", "url.weft"));
  const std::string predictions = weft_out({"predict", "csv.weft", "customers.csv"});
  for (const char* model : {"csv.weft", "table.weft", "query.weft", "url.weft"}) {
    EXPECT_EQ(weft_out({"predict", model, "customers.csv"}), predictions) << model;
    EXPECT_EQ(weft_out({"predict", model, "sqlite:shop.db?table=customers"}), predictions) << model;
  }
  EXPECT_EQ(
      weft_out({"predict", "csv.weft", "sqlite:shop.db", "--query", "select * from customers", "--keep", "code,city"}),
      weft_out({"predict", "csv.weft", "customers.csv", "--keep", "code,city"}));
}

TEST_F(Sqlite, EveryCommandReadsIt) {
  train_both();
  const Words from = {"sqlite:shop.db", "--query", "select * from customers where id <= 600"};
  for (const char* command : {"evaluate", "explain", "certify"}) {
    const Outcome outcome = weft(joined({command, "m.weft"}, from));
    EXPECT_EQ(outcome.exit_code, 0) << command << outcome.err;
  }
  const std::string evaluated = weft_out(joined({"evaluate", "k.weft"}, from));
  EXPECT_NE(evaluated.find("600"), std::string::npos) << evaluated;
  weft_out(joined({"prune", "m.weft"},
                  joined(from, {"--test", "sqlite:shop.db?table=new_ones", "--out", "p.weft", "--quiet"})));
  const Words small = {"--target",      "y",          "--drop",  "id,code,good",     "--fit",
                       "least-squares", "--features", "20",      "--configurations", "2",
                       "--folds",       "2",          "--quiet", "--test",           "sqlite:shop.db?table=new_ones"};
  EXPECT_EQ(weft(joined(joined({"tune"}, from), small)).exit_code, 0);
  const Outcome tested =
      weft(joined(train("sqlite:shop.db", "t.weft"), {"--query", "select * from customers where id % 10 > 0", "--test",
                                                      "sqlite:shop.db?table=new_ones", "--json"}));
  EXPECT_EQ(tested.exit_code, 0) << tested.err;
  EXPECT_NE(tested.out.find("\"rows\": 2700"), std::string::npos) << tested.out;
  EXPECT_NE(tested.out.find("\"rows\": 300"), std::string::npos) << tested.out;
  EXPECT_NE(weft_out({"info", "t.weft", "--json"}).find("\"data\": \"sqlite:shop.db\""), std::string::npos);
}

TEST_F(Sqlite, PredictionsBecomeATable) {
  train_both();
  const std::string input = "sqlite:shop.db?table=new_ones";
  weft_out({"predict", "m.weft", input, "--out", "sqlite:shop.db?table=scores", "--keep", "id,code,city", "--rows"});
  weft_out({"predict", "k.weft", input, "--out", "sqlite:other.db?table=main.kinds", "--proba"});
  weft_out({"predict", "m.weft", input, "--rows", "--keep", "id,code,city", "--out", "scores.csv"});
  weft_out({"predict", "k.weft", input, "--proba", "--out", "kinds.csv"});
  python(R"(
import csv
def same(table, file, types, db):
    found = [(c[1], c[2].lower()) for c in db.execute(f'pragma table_info({table})')]
    with open(file, newline='') as text:
        rows = list(csv.reader(text))
    assert found == list(zip(rows[0], types)), found
    stored = db.execute(f'select * from {table} order by rowid').fetchall()
    assert len(stored) == len(rows) - 1 == 300, len(stored)
    for one, other in zip(stored, rows[1:]):
        for cell, text, kind in zip(one, other, types):
            expected = None if text == '' else {'integer': int, 'real': float, 'text': str}[kind](text)
            assert cell == expected and type(cell) is type(expected), (cell, text)
same('scores', 'scores.csv', ['integer', 'integer', 'text', 'text', 'real'], db)
same('kinds', 'kinds.csv', ['text', 'real', 'real'], sqlite3.connect('other.db'))
)");
}

TEST_F(Sqlite, AnExistingTableNeedsAWord) {
  train_both();
  const Words command = {"predict", "m.weft", "sqlite:shop.db?table=new_ones", "--keep", "id", "--out"};
  const auto with = [&](const std::string& mode) { return joined(command, {"sqlite:shop.db?table=scores" + mode}); };
  weft_out(with(""));
  expect_refused(with(""), {"'scores' exists", "mode=append", "mode=replace"});
  weft_out(with("&mode=append"));
  python(
      "assert db.execute('select count(*), count(distinct id), count(y) from scores').fetchone() == (600, 300, 600)");
  weft_out(with("&mode=replace"));
  python(
      "assert db.execute('select count(*) from scores').fetchone() == (300,)\n"
      "db.execute('alter table scores add column note text')\ndb.execute('create index fast on scores (id)')");
  weft_out(with("&mode=replace"));
  python(
      "assert db.execute('select count(*), count(note) from scores').fetchone() == (300, 0)\n"
      "assert db.execute(\"select count(*) from sqlite_master where name = 'fast'\").fetchone() == (1,)");
  expect_refused({"predict", "m.weft", "sqlite:shop.db?table=new_ones", "--keep", "age", "--out",
                  "sqlite:shop.db?table=scores&mode=append"},
                 {"no column 'age'", "id, y, note"});
  expect_refused({"predict", "m.weft", "sqlite:shop.db?table=new_ones", "--out", "sqlite:shop.db"},
                 {"no table is named"});
}

TEST_F(Sqlite, AFailureLeavesNothing) {
  train_both();
  python("db.execute('create table few (id integer, y real check (y is not null and id < 2000))')");
  expect_refused(
      {"predict", "m.weft", "customers.csv", "--keep", "id", "--out", "sqlite:shop.db?table=few&mode=append"},
      {"row 2000", "CHECK constraint failed", "nothing was written"});
  write("bad.csv", "age,city,income\n1,Köln,2\n2,Köln,much\n");
  expect_refused({"predict", "m.weft", "bad.csv", "--out", "sqlite:shop.db?table=bad"}, {"bad.csv:3:3"});
  expect_refused({"predict", "m.weft", "bad.csv", "--out", "sqlite:fresh.db?table=bad"}, {"bad.csv:3:3"});
  expect_refused({"predict", "m.weft", "customers.csv", "--out", "sqlite:no/folder.db?table=x"}, {"no/folder.db"});
  python(
      "assert db.execute('select count(*) from few').fetchone() == (0,)\n"
      "assert not db.execute(\"select * from sqlite_master where name = 'bad'\").fetchall()");
}

TEST_F(Sqlite, AnInterruptionLeavesNothing) {
  train_both();
  python("db.execute('create view many as select a.* from customers a, customers b')");
  Child child(folder(), {"predict", "m.weft", "sqlite:shop.db?table=many", "--out", "sqlite:shop.db?table=scores"});
  ::usleep(500'000);
  child.send(SIGINT);
  const Outcome outcome = child.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  python("assert not db.execute(\"select * from sqlite_master where name = 'scores'\").fetchall()");
  EXPECT_EQ(shell("ls shop.db-* 2> /dev/null"), 2);
}

TEST_F(Sqlite, MistakesNameThePlaceAndTheRemedy) {
  python(R"(
db.execute('create table mixed (a, y)')
db.executemany('insert into mixed values (?, ?)', [(i if i != 1500 else 'oops', i) for i in range(1, 2001)])
db.execute('create table blobs (a, y)')
db.executemany('insert into blobs values (?, ?)', [(i if i != 3 else b'xyz', i) for i in range(1, 9)])
db.execute('create table empty (a, y)')
)");
  write("noise.db", "this is no database, however long its text may be, and SQLite knows it at once");
  const auto refuse = [&](const std::string& data, const Words& words, const std::string& query = "") {
    Words arguments = {"train", data, "--target", "y"};
    if (!query.empty()) arguments.insert(arguments.end(), {"--query", query});
    expect_refused(arguments, words);
  };
  refuse("sqlite:shop.db?table=mixed", {"sqlite:shop.db?table=mixed: row 1500, column a", "'oops'", "--na-values"});
  refuse("sqlite:shop.db?table=blobs", {"row 3, column a", "binary"});
  refuse("sqlite:shop.db?table=empty", {"no rows"});
  refuse("sqlite:shop.db?table=customer", {"no such table: customer", "the tables are blobs, customers, empty"});
  refuse("sqlite:shop.db", {"neither a table nor a query", "--query", "the tables are blobs, customers"});
  refuse("sqlite:shop.db?table=mixed", {"more than one"}, "select 1");
  refuse("sqlite:shop.db", {"no such column: agee", "check the query"}, "select agee from customers");
  refuse("sqlite:shop.db", {"returns no rows", "SELECT"}, "delete from customers");
  refuse("sqlite:shop.db", {"behind the first statement"}, "select 1; drop table customers");
  refuse("sqlite:shop.db", {"two columns are named 'y'", "AS"}, "select a.y, b.y from customers a, customers b");
  refuse("sqlite:none.db?table=x", {"sqlite:none.db", "no such database file"});
  refuse("sqlite:noise.db?table=x", {"not a database"});
  refuse("shop.db", {"this is an SQLite database", "sqlite:shop.db?table=NAME"});
  refuse("customers.csv", {"--query", "customers.csv is not a database"}, "select 1");
  expect_refused({"train", "sqlite:shop.db?table=customers", "--target", "y", "--model", "shop.db"}, {"which is read"});
  expect_refused({"train", "customers.csv", "--target", "y", "--model", "sqlite:m.db?table=m"}, {"only tables"});
  train_both();
  expect_refused(
      {"predict", "m.weft", "sqlite:shop.db?table=customers", "--out", "sqlite:./shop.db?table=customers&mode=replace"},
      {"which is read"});
  python("assert db.execute('select count(*) from customers').fetchone() == (3000,)");
}

}  // namespace

}  // namespace weft::testing
