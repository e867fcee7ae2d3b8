// Addresses of databases, and texts without the passwords in them.
#include <weft/database.hpp>

#include "data/database/database_path.hpp"

#include "data/expect_error.hpp"

namespace weft::testing {

using namespace detail;

namespace {

TEST(DatabasePath, SqliteNamesAFileATableAndAMode) {
  const DatabasePath path = parse_database_path("sqlite:my folder/shop.db?table=old%20scores&mode=append");
  EXPECT_FALSE(path.postgresql);
  EXPECT_EQ(path.connection, "my folder/shop.db");
  EXPECT_EQ(path.table, "old scores");
  EXPECT_EQ(path.mode, "append");
  EXPECT_EQ(path.shown, "sqlite:my folder/shop.db?table=old%20scores");
  EXPECT_EQ(parse_database_path("sqlite:a.db?query=select a+b from t where c like 'x%25'").query,
            "select a+b from t where c like 'x%'");
}

TEST(DatabasePath, LibpqGetsItsOwnParameters) {
  const DatabasePath path = parse_database_path(
      "postgresql://ann:p%40ss@db.example:5433/"
      "shop?sslmode=require&table=public.scores&mode=replace&application_name=x");
  EXPECT_TRUE(path.postgresql);
  EXPECT_EQ(path.connection, "postgresql://ann:p%40ss@db.example:5433/shop?sslmode=require&application_name=x");
  EXPECT_EQ(path.password, "p%40ss");
  EXPECT_EQ(path.table, "public.scores");
  EXPECT_EQ(path.shown, "postgresql://ann@db.example:5433/shop?sslmode=require&table=public.scores&application_name=x");
  EXPECT_EQ(parse_database_path("postgresql:///shop?host=/tmp/x&password=hidden&query=select 1").shown,
            "postgresql:///shop?host=/tmp/x");
  EXPECT_EQ(parse_database_path("postgres://[::1]:5432,other:5433/shop").shown,
            "postgres://[::1]:5432,other:5433/shop");
}

TEST(DatabasePath, NamesAreQuoted) {
  EXPECT_EQ(quoted_table("public.my \"table\""), "\"public\".\"my \"\"table\"\"\"");
}

TEST(DatabasePath, MistakesAreRefusedWithoutShowingSecrets) {
  for (const char* path :
       {"postgresql://ann:s3c@ret@host/shop", "postgresql://ann:s3c/ret@host/shop",
        "postgresql://ann:s3c?ret@host/shop", "postgresql://ann:12?ret@host/shop", "postgresql://ann:s3c%ret@host/shop",
        "postgresql://ann:s3c%0", "postgresql://ann:s3cret", "postgresql://ann:ret@/shop?s3c"}) {
    try {
      parse_database_path(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      const std::string line = error.what();
      EXPECT_EQ(error.kind(), ErrorKind::option);
      EXPECT_EQ(line.find("s3c"), std::string::npos) << line;
      EXPECT_EQ(line.find("ret@"), std::string::npos) << line;
      EXPECT_NE(line.find("%40"), std::string::npos) << line;
      EXPECT_EQ(without_passwords(line), line);
    }
  }
  const auto refuse = [](const char* path, const std::vector<std::string>& words) {
    expect_error([&] { parse_database_path(path); }, ErrorKind::option, words);
  };
  refuse("sqlite:", {"no file"});
  refuse("sqlite:a.db?tabel=x", {"'tabel'", "table, query"});
  refuse("sqlite:a.db?table=x&mode=upsert", {"'upsert'", "append and replace"});
  refuse("sqlite:a.db?table=", {"table", "empty"});
}

TEST(DatabasePath, TextsLosePasswords) {
  const std::pair<const char*, const char*> cases[] = {
      {"see postgresql://ann:s3cret@host:5432/shop for more", "see postgresql://ann@host:5432/shop for more"},
      {"'postgres://ann:s3cret@host/shop?x=1'", "'postgres://ann@host/shop?x=1'"},
      {"postgresql://ann:s3/c@r@et@host/shop", "postgresql://ann@host/shop"},
      {"postgresql://ann:s3 cr'et@host/shop", "postgresql://ann@host/shop"},
      {"postgresql://ann:s3?cret@host/shop", "postgresql://ann@host/shop"},
      {"postgresql://ann:123@host/shop", "postgresql://ann@host/shop"},
      {"postgresql://ann:s3cret", "postgresql://ann"},
      {"postgresql://ann:s3cret; do this", "postgresql://ann; do this"},
      {"postgresql://host:5432/shop", "postgresql://host:5432/shop"},
      {"postgresql://ann@[::1]:5432/shop", "postgresql://ann@[::1]:5432/shop"},
      {"host=x password=s3cret user=ann", "host=x password=*** user=ann"},
      {"host=x sslpassword = 's3 cret' user=ann", "host=x sslpassword = *** user=ann"},
      {"postgresql:///shop?PASSWORD=s3cret&x=1", "postgresql:///shop?PASSWORD=***&x=1"},
      {"password authentication failed", "password authentication failed"},
      {"a:b@c and http://x:y@z", "a:b@c and http://x:y@z"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(without_passwords(text), expected);
}

TEST(DatabasePath, FilesAndTablesAreRecognised) {
  EXPECT_TRUE(is_database("sqlite:x"));
  EXPECT_TRUE(is_database("postgres://x"));
  EXPECT_FALSE(is_database("x.csv"));
  EXPECT_EQ(table_file("x.csv"), "x.csv");
  EXPECT_EQ(table_file("sqlite:x.db?table=t"), "x.db");
  EXPECT_EQ(table_file("postgresql://h/d?table=t"), "");
  EXPECT_TRUE(same_database_table("sqlite:x.db?table=t", "sqlite:x.db?table=t&mode=append"));
  EXPECT_FALSE(same_database_table("sqlite:x.db?table=t", "sqlite:x.db?table=u"));
  EXPECT_FALSE(same_database_table("sqlite:x.db?table=t", "sqlite:y.db?table=t"));
}

}  // namespace

}  // namespace weft::testing
