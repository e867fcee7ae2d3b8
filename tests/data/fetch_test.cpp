#include <weft/fetch.hpp>

#include "core/sha256.hpp"
#include "data/download.hpp"
#include "data/expect_error.hpp"
#include "data/loopback_server.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/resource.h>

namespace weft::testing {

using namespace detail;
namespace {

namespace fs = std::filesystem;

class Fetch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_download()) GTEST_SKIP() << "built without libcurl";
    ::setenv("no_proxy", "127.0.0.1", 1);
    ::unsetenv("WEFT_DATA_URL");
    fs::remove_all(home_);
    for (int i = 0; i < 300000; ++i) contents_ += static_cast<char>(i % 251 * (i % 7));
    Sha256 sum;
    sum.add(contents_.data(), contents_.size());
    set_ = {.name = "tiny",
            .task = "regression",
            .about = "bytes",
            .origin = "https://origin.example",
            .source = "a copy",
            .prepared = "nothing changed",
            .files = {{"tiny.csv.gz", "", contents_.size(), 3, 2, sum.value()}}};
  }
  void TearDown() override { fs::remove_all(home_); }

  std::vector<FetchedFile> fetch_from(const std::string& url, const weft::Run& run = {}) const {
    return fetch(set_, {.data = folder_, .from = url, .timeout = timeout_}, run);
  }
  /// The error, and that neither the file nor a temporary is left.
  void expect_failure(const std::string& url, ErrorKind kind, const std::vector<std::string>& words) const {
    expect_error([&] { fetch_from(url); }, kind, words);
    expect_no_file();
  }
  void expect_no_file() const { EXPECT_TRUE(!fs::exists(folder_) || fs::is_empty(folder_)); }
  void expect_whole() const {
    std::ifstream file(path(), std::ios::binary);
    const std::string found{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(found == contents_);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "a temporary is left";
  }
  std::string path() const { return folder_ + "/tiny.csv.gz"; }

  // Tests run side by side.
  const std::string home_ =
      ::testing::TempDir() + "/fetch_test_" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string folder_ = home_ + "/made/data";
  int timeout_ = 100;
  std::string contents_;
  DataSet set_;
};

TEST_F(Fetch, DownloadsOnceAndMakesTheFolder) {
  const LoopbackServer server([&](const std::string&) { return reply("200 OK", contents_); });
  double last = 0;
  weft::Run run;
  run.on_progress = [&](const Progress& progress) { last = progress.done / progress.total; };
  const auto first = fetch_from(server.url() + "/a/", run);
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].path, path());
  EXPECT_TRUE(first[0].downloaded);
  EXPECT_GT(last, 0);
  expect_whole();
  EXPECT_TRUE(server.requests().at(0).starts_with("GET /a/tiny.csv.gz HTTP/1.1\r\n")) << server.requests()[0];
  EXPECT_FALSE(fetch_from(server.url())[0].downloaded);
  EXPECT_EQ(server.requests().size(), 1U);
}

TEST_F(Fetch, ReplacesADamagedFileOnlyByAGoodOne) {
  fs::create_directories(folder_);
  std::ofstream(path()) << std::string(contents_.size(), 'x');
  {
    const LoopbackServer server([&](const std::string&) { return reply("200 OK", "<html>"); });
    expect_error([&] { fetch_from(server.url()); }, ErrorKind::data, {"it has 6 bytes there, not 300000"});
    EXPECT_EQ(file_state(folder_, set_.files[0], true), FileState::wrong_checksum);
  }
  const LoopbackServer server([&](const std::string&) { return reply("200 OK", contents_); });
  EXPECT_TRUE(fetch_from(server.url())[0].downloaded);
  expect_whole();
}

TEST_F(Fetch, TakesTheMirrorFromTheEnvironmentAndFromAFolder) {
  const std::string mirror = home_ + "/mirror";
  fs::create_directories(mirror);
  expect_failure("file://" + mirror, ErrorKind::file, {"file://" + mirror + "/tiny.csv.gz", "cannot be opened"});
  std::ofstream(mirror + "/tiny.csv.gz", std::ios::binary) << contents_;
  ::setenv("WEFT_DATA_URL", ("file://" + mirror).c_str(), 1);
  fetch_from("");
  ::unsetenv("WEFT_DATA_URL");
  expect_whole();
}

TEST_F(Fetch, WithoutAMirrorNamesTheOriginal) {
  expect_failure("", ErrorKind::option,
                 {"--from", "tiny.csv.gz", "$WEFT_DATA_URL", "https://origin.example", "a copy"});
  expect_failure("ftp://x", ErrorKind::option, {"--from", "'ftp://x'", "https://"});
  expect_failure("data", ErrorKind::option, {"--from", "file://"});
}

TEST_F(Fetch, SaysWhatTheServerAnswered) {
  for (const std::string status : {"404 Not Found", "500 Internal Server Error", "403 Forbidden"}) {
    const LoopbackServer server([&](const std::string&) { return reply(status, contents_); });
    expect_failure(server.url(), ErrorKind::file,
                   {server.url() + "/tiny.csv.gz", "the server answered " + status.substr(0, 3), "--from"});
  }
}

TEST_F(Fetch, RefusesOtherContents) {
  std::string other = contents_;
  other[1000] ^= 1;
  Sha256 sum;
  sum.add(other.data(), other.size());
  const LoopbackServer damaged([&](const std::string&) { return reply("200 OK", other); });
  expect_failure(damaged.url(), ErrorKind::data, {sum.value(), set_.files[0].sha256, "--from"});
  const LoopbackServer longer([&](const std::string&) { return reply("200 OK", contents_ + "x"); });
  expect_failure(longer.url(), ErrorKind::data, {"longer than the 300000 bytes"});
}

TEST_F(Fetch, ContinuesWhereATransferBrokeOff) {
  const LoopbackServer server([&](const std::string& head) {
    const std::size_t range = head.find("Range: bytes=");
    if (range == std::string::npos) return cut_off(reply("200 OK", contents_), 100000);
    const std::size_t from = std::stoul(head.substr(range + 13));
    return reply("206 Partial Content", contents_.substr(from),
                 "Content-Range: bytes " + std::to_string(from) + "-299999/300000\r\n");
  });
  fetch_from(server.url());
  expect_whole();
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_NE(server.requests()[1].find("Range: bytes=200000-\r\n"), std::string::npos) << server.requests()[1];
}

TEST_F(Fetch, BeginsAgainWhereTheServerKnowsNoRanges) {
  int asked = 0;
  const LoopbackServer server(
      [&](const std::string&) { return cut_off(reply("200 OK", contents_), ++asked == 1 ? 100000 : 0); });
  fetch_from(server.url());
  expect_whole();
}

TEST_F(Fetch, GivesUpWhenItIsAlwaysCutOff) {
  const LoopbackServer server([&](const std::string&) { return cut_off(reply("200 OK", contents_), 100000); });
  expect_failure(server.url(), ErrorKind::file, {"broke off after 200000 of 300000 bytes", "try again"});
  EXPECT_EQ(server.requests().size(), 2U);
  const LoopbackServer unnoticed(
      [&](const std::string&) { return Reply{"HTTP/1.0 200 OK\r\n\r\n" + contents_.substr(0, 1000)}; });
  expect_failure(unnoticed.url(), ErrorKind::data, {"it has 1000 bytes there, not 300000"});
}

TEST_F(Fetch, FollowsRedirectsOverHttpAlone) {
  const LoopbackServer target([&](const std::string&) { return reply("200 OK", contents_); });
  const LoopbackServer server(
      [&](const std::string&) { return reply("302 Found", "", "Location: " + target.url() + "/moved\r\n"); });
  fetch_from(server.url());
  expect_whole();
  fs::remove(path());
  const LoopbackServer traitor(
      [&](const std::string&) { return reply("302 Found", "", "Location: file:///etc/passwd\r\n"); });
  expect_failure(traitor.url(), ErrorKind::file, {"leads elsewhere"});
  const LoopbackServer circle([&](const std::string&) { return reply("302 Found", "", "Location: /again\r\n"); });
  expect_failure(circle.url(), ErrorKind::file, {"leads elsewhere"});
}

TEST_F(Fetch, SaysThatNobodyListens) {
  std::string url;
  {
    const LoopbackServer server([&](const std::string&) { return reply("200 OK", contents_); });
    url = server.url();
  }
  expect_failure(url, ErrorKind::file, {url, "cannot be reached", "network"});
  const LoopbackServer mute([](const std::string&) { return Reply{}; });
  expect_failure(mute.url(), ErrorKind::file, {"cannot be reached", "network"});
}

TEST_F(Fetch, DoesNotWaitForEver) {
  timeout_ = 1;
  const LoopbackServer server([&](const std::string&) {
    Reply half = cut_off(reply("200 OK", contents_), 100000);
    half.stall = true;
    return half;
  });
  expect_failure(server.url(), ErrorKind::file, {"nothing came for 1 s, after 200000 of 300000 bytes", "--timeout"});
}

TEST_F(Fetch, StopsOnRequest) {
  std::atomic<bool> stop{false};
  const LoopbackServer server([&](const std::string&) {
    stop = true;
    Reply half = cut_off(reply("200 OK", contents_), 100000);
    half.stall = true;
    return half;
  });
  weft::Run run;
  run.cancel = &stop;
  expect_error([&] { fetch(set_, {.data = folder_, .from = server.url(), .timeout = 3600}, run); },
               ErrorKind::cancelled, {});
  expect_no_file();
}

TEST_F(Fetch, SaysThatThereIsNoRoom) {
  const LoopbackServer server([&](const std::string&) { return reply("200 OK", contents_); });
  // A limit on the size of files stands for a full disk: write() fails in both.
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100000, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  expect_error([&] { fetch_from(server.url()); }, ErrorKind::file, {path(), "has room"});
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  expect_no_file();
}

TEST_F(Fetch, SaysThatTheFolderCannotBeMade) {
  fs::create_directories(home_);
  const std::string file = home_ + "/file";
  std::ofstream(file) << "not a folder";
  expect_error([&] { fetch(set_, {.data = file + "/data", .from = "file:///nowhere"}); }, ErrorKind::file,
               {file + "/data", "--data"});
}

}  // namespace
}  // namespace weft::testing
