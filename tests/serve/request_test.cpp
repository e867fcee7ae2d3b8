// The parser of requests: what it accepts, what it refuses, and that no bytes confuse it.
#include "serve/request.hpp"

#include "core/random.hpp"
#include "data/expect_error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace weft::testing {
namespace {

using namespace detail;

const std::string kPost =
    "POST /predict?interval=0.9&keep=a%2Cb HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type:  text/csv \r\n"
    "content-length: 6\r\n\r\na,b\n1,";

TEST(ParseRequest, FindsTheParts) {
  const std::string bytes = kPost + "GET / HT";
  const ParsedRequest parsed = parse_request(bytes);
  ASSERT_EQ(parsed.state, ParseState::complete) << parsed.refusal.message;
  EXPECT_EQ(parsed.size, kPost.size()) << "what follows is another request";
  EXPECT_EQ(parsed.request.method, "POST");
  EXPECT_EQ(parsed.request.path, "/predict");
  EXPECT_EQ(parsed.request.query, "interval=0.9&keep=a%2Cb");
  EXPECT_EQ(parsed.request.header("CONTENT-TYPE"), "text/csv");
  EXPECT_EQ(parsed.request.header("accept"), "");
  EXPECT_EQ(parsed.request.body, "a,b\n1,");
  EXPECT_TRUE(parsed.request.keep_alive);
  EXPECT_FALSE(parsed.request.expects_continue);
}

TEST(ParseRequest, EveryBeginningIsIncomplete) {
  for (std::size_t size = 0; size < kPost.size(); ++size) {
    const ParsedRequest parsed = parse_request(std::string_view(kPost).substr(0, size));
    ASSERT_EQ(parsed.state, ParseState::incomplete) << size << " bytes: " << parsed.refusal.message;
    EXPECT_EQ(parsed.size, size + 6 < kPost.size() ? 0 : kPost.size()) << "known once the head is complete";
  }
}

TEST(ParseRequest, KnowsWhetherTheClientStays) {
  const auto stays = [](const std::string& version, const std::string& headers) {
    const ParsedRequest parsed = parse_request("GET / " + version + "\r\nHost: h\r\n" + headers + "\r\n");
    EXPECT_EQ(parsed.state, ParseState::complete);
    return parsed.request.keep_alive;
  };
  EXPECT_TRUE(stays("HTTP/1.1", ""));
  EXPECT_FALSE(stays("HTTP/1.1", "Connection: upgrade, Close\r\n"));
  EXPECT_FALSE(stays("HTTP/1.0", ""));
  EXPECT_TRUE(stays("HTTP/1.0", "Connection: keep-alive\r\n"));
}

TEST(ParseRequest, TakesWhatProxiesAndOldClientsSend) {
  EXPECT_EQ(parse_request("GET http://localhost:80/health?x HTTP/1.1\r\nHost: localhost\r\n\r\n").request.path,
            "/health");
  EXPECT_EQ(parse_request("GET /health HTTP/1.0\r\n\r\n").state, ParseState::complete);
  EXPECT_EQ(parse_request("\r\nGET /health HTTP/1.1\r\nHost:\r\n\r\n").state, ParseState::complete);
  EXPECT_TRUE(parse_request("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                  .request.expects_continue);
}

TEST(ParseRequest, RefusesWhatIsNotARequest) {
  const std::string host = "Host: h\r\n";
  const std::vector<std::pair<std::string, int>> refused = {
      {"GET /\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\n" + host + "\r\n", 400},
      {"GET / HTTP/1.1 x\r\n" + host + "\r\n", 400},
      {"G@T / HTTP/1.1\r\n" + host + "\r\n", 400},
      {"GET health HTTP/1.1\r\n" + host + "\r\n", 400},
      {"GET /\xc3\xa4 HTTP/1.1\r\n" + host + "\r\n", 400},
      {"GET / HTTP/2.0\r\n" + host + "\r\n", 505},
      {"GET / FTP\r\n" + host + "\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + host + "\r\n", 400},
      {"GET / HTTP/1.1\n" + host + "\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "a: b\n\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "a: b\rc\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "a: b\r\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + " folded: b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "a : b\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + "nothing\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n" + host + std::string("a: \0b\r\n\r\n", 9), 400},
      {"GET / HTTP/1.1\r\n" + host + "Authorization: a\r\nAuthorization: b\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "\r\n", 411},
      {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nTransfer-Encoding: identity\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked, identity\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: xchunked\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\n" + host + "Transfer-Encoding:\r\n\r\n", 501},
      {"POST / HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 4\r\nContent-Length: 5\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 4, 4\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: +1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 0x10\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length:\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999999999\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\n" + host + "Content-Length: 18446744073709551615\r\n\r\n", 413},
      {"GET / HTTP/1.1\r\n" + host + "Content-Length: 99999999\r\n\r\n", 413},
      {"GET / HTTP/1.1\r\n" + host + "Expect: a miracle\r\n\r\n", 417},
      {"\x16\x03\x01\x02", 400},
      {std::string("\0", 1), 400},
  };
  for (const auto& [bytes, status] : refused) {
    const ParsedRequest parsed = parse_request(bytes);
    EXPECT_EQ(parsed.state, ParseState::refused) << bytes;
    EXPECT_EQ(parsed.refusal.status, status) << bytes;
    EXPECT_FALSE(parsed.refusal.message.empty() || parsed.refusal.remedy.empty()) << bytes;
  }
}

const std::string kChunkedHead = "POST /predict HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n";

TEST(ParseRequest, PutsChunksTogether) {
  const std::string whole = kChunkedHead + "5\r\nabcde\r\nA;name=\"x\"\r\n0123456789\r\n00\r\n\r\n";
  const std::string two = whole + "GET / HTTP/1.1\r\n";  // which the request is a view of
  const ParsedRequest parsed = parse_request(two);
  ASSERT_EQ(parsed.state, ParseState::complete) << parsed.refusal.message;
  EXPECT_EQ(parsed.size, whole.size()) << "what follows is the next request";
  EXPECT_TRUE(parsed.request.chunked);
  EXPECT_EQ(unchunked(parsed.request.body), "abcde0123456789");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const ParsedRequest part = parse_request(std::string_view(whole).substr(0, size));
    ASSERT_EQ(part.state, ParseState::incomplete) << size << " bytes: " << part.refusal.message;
    EXPECT_EQ(part.size > 0, size >= kChunkedHead.size()) << size;
    EXPECT_TRUE(part.size == 0 || part.size > size);
  }
  const std::string none = kChunkedHead + "0\r\n\r\n";
  const ParsedRequest empty = parse_request(none);
  EXPECT_EQ(empty.state, ParseState::complete);
  EXPECT_EQ(unchunked(empty.request.body), "");
}

/// Where two parsers could see different ends.
TEST(ParseRequest, RefusesChunksThatAreNotToTheLetter) {
  for (const std::string chunks :
       {"\r\n", "x\r\n", "-1\r\n", "+5\r\nabcde", "0x5\r\nabcde", " 5\r\nabcde", "5 \r\nabcde", "5\nabcde\r\n",
        "5\rabcde", "5;a\nb\r\nabcde", "5\r\nabcdef\r\n", "5\r\nabcde\n0\r\n\r\n", "5\r\nabcde0\r\n\r\n",
        "0\r\nHost: other\r\n\r\n", "0\r\n\n", "000000005\r\nabcde", "fffffffff\r\n"}) {
    const ParsedRequest parsed = parse_request(kChunkedHead + chunks);
    EXPECT_EQ(parsed.state, ParseState::refused) << chunks;
    EXPECT_EQ(parsed.refusal.status, 400) << chunks;
  }
  EXPECT_EQ(parse_request(kChunkedHead + "5;" + std::string(300, 'a')).refusal.status, 400);
}

TEST(ParseRequest, CountsChunksAndTheirBytes) {
  const RequestLimits limits = {.body = 10, .chunks = 3};
  const auto parsed = [&](const std::string& chunks) { return parse_request(kChunkedHead + chunks, limits); };
  EXPECT_EQ(parsed("5\r\nabcde\r\n5\r\nabcde\r\n0\r\n\r\n").state, ParseState::complete);
  EXPECT_EQ(parsed("5\r\nabcde\r\n6\r\n").refusal.status, 413);
  EXPECT_EQ(parsed("ffffffff\r\n").refusal.status, 413);
  EXPECT_EQ(parsed("1\r\na\r\n1\r\na\r\n1\r\na\r\n").refusal.status, 413);
}

TEST(ParseRequest, KeepsToItsLimitsBeforeTheEndArrives) {
  const RequestLimits limits = {.line = 100, .head = 300, .headers = 3, .body = 10};
  const auto status = [&](const std::string& bytes) { return parse_request(bytes, limits).refusal.status; };
  EXPECT_EQ(status("GET /" + std::string(200, 'a')), 414);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: " + std::string(284, 'h')), 431);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: h\r\na: 1\r\nb: 2\r\nc: 3\r\n\r\n"), 431);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n"), 413);
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n"), 0);
}

/// Whatever arrives, the parts lie within the bytes, and what is complete stays so when more follows.
TEST(ParseRequest, SurvivesDamage) {
  const Random random(7, RandomStream::fit);
  for (std::uint64_t k = 0; k < 20000; ++k) {
    std::string bytes = kPost;
    for (std::uint32_t change = 0; change < 1 + k % 4; ++change) {
      const auto place = static_cast<std::size_t>(random.below(static_cast<Index>(bytes.size()), k, 3 * change));
      const auto byte = static_cast<char>(random.below(256, k, 3 * change + 1));
      const Index kind = random.below(3, k, 3 * change + 2);
      if (kind == 0)
        bytes[place] = byte;
      else if (kind == 1)
        bytes.erase(place, 1);
      else
        bytes.insert(place, 1, byte);
    }
    const ParsedRequest parsed = parse_request(bytes);
    if (parsed.state != ParseState::complete) continue;
    ASSERT_LE(parsed.size, bytes.size());
    ASSERT_LE(parsed.request.body.data() + parsed.request.body.size(), bytes.data() + bytes.size());
    const ParsedRequest again = parse_request(bytes + "x");
    ASSERT_EQ(again.state, ParseState::complete);
    ASSERT_EQ(again.size, parsed.size);
  }
}

TEST(ParseQuery, DecodesNamesAndValues) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(parse_query("a=1&b=x%20y+z&&c&d=%C3%A4"),
            (Pairs{{"a", "1"}, {"b", "x y z"}, {"c", ""}, {"d", "\xc3\xa4"}}));
  EXPECT_EQ(parse_query(""), Pairs{});
  for (const char* wrong : {"a=%", "a=%1", "a=%zz", "%4"})
    expect_error([&] { parse_query(wrong); }, ErrorKind::option, {"percent"});
}

}  // namespace
}  // namespace weft::testing
