// Passwords of databases are in no message, also where there is no server, no library or no sense in the address.
#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class Passwords : public WeftTest {
 protected:
  static constexpr const char* kSecret = "s3cr3t";

  std::string refused(const Words& arguments) const {
    const Outcome outcome = weft(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ((outcome.out + outcome.err).find(kSecret), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("; "), std::string::npos) << "no remedy: " << outcome.err;
    return outcome.err;
  }
};

TEST_F(Passwords, NoConnection) {
  for (const char* address :
       {"postgresql://ann:s3cr3t@127.0.0.1:1/shop", "postgresql://ann:s3cr3tword@127.0.0.1:1/shop?table=t",
        "postgresql:///shop?host=127.0.0.1&port=1&user=ann&password=s3cr3t", "postgresql://ann:s3cr3t@[::1/shop",
        "postgresql://ann:s3cr3t@127.0.0.1:1/shop?no_such_parameter=1", "postgresql://ann:s3cr3t@127.0.0.1:1/a%zz"}) {
    SCOPED_TRACE(address);
    refused({"train", address, "--target", "y", "--query", "select 1"});
    refused({"evaluate", "none.weft", address});
    refused({"generate", "moons", "--out", std::string(address) + (strchr(address, '?') ? "&" : "?") + "table=x"});
  }
  const std::string line = refused({"train", "postgresql://ann:s3cr3t@127.0.0.1:1/shop?table=t", "--target", "y"});
  EXPECT_NE(line.find("postgresql://ann@127.0.0.1:1/shop?table=t"), std::string::npos) << line;
}

TEST_F(Passwords, AddressesThatMakeNoSense) {
  for (const char* address :
       {"postgresql://ann:s3cr3t", "postgresql://ann:s3cr3t@x@y/shop", "postgresql://ann:s3cr3t/a@host/shop",
        "postgresql://ann:s3cr3t?a@host/shop", "postgresql://ann:s3cr3t word@host:1:2/shop",
        "postgresql://ann:%s3cr3t@host/shop", "postgresql://ann:x@y:s3cr3t@host/shop"}) {
    SCOPED_TRACE(address);
    refused({"train", address, "--target", "y"});
    refused({"train", "rows.csv", address, "--target", "y"});  // one argument too many
    refused({address});
  }
}

TEST_F(Passwords, OptionsArePrintedWithoutThem) {
  const std::string config =
      weft_out({"train", "postgresql://ann:s3cr3t@host/shop", "--query", "select 'password=s3cr3t'", "--print-config"});
  EXPECT_EQ(config.find(kSecret), std::string::npos) << config;
  EXPECT_NE(config.find("postgresql://ann@host/shop"), std::string::npos) << config;
}

TEST_F(Passwords, AMissingLibraryIsNamedWithItsPackage) {
  const auto missing = [&](const char* variable, const std::string& data) {
    ::setenv(variable, "libno_such_client.so", 1);
    const std::string line = refused({"train", data, "--target", "y"});
    const std::string version = weft_out({"version", "--verbose"});
    ::unsetenv(variable);
    EXPECT_NE(line.find("libno_such_client.so"), std::string::npos) << line;
    return line + version;
  };
  write("shop.db", "");
  EXPECT_NE(missing("WEFT_LIBPQ", "postgresql://ann:s3cr3t@host/shop?table=t").find("install it (Debian: libpq5)"),
            std::string::npos);
  EXPECT_NE(missing("WEFT_SQLITE", "sqlite:shop.db?table=t").find("install it (Debian: libsqlite3-0)"),
            std::string::npos);
}

}  // namespace

}  // namespace weft::testing
