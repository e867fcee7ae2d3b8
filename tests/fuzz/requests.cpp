// What clients send to weft serve: requests, rows in JSON, and what the routes do with them.
#include <weft/serve.hpp>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/inputs.hpp"
#include "model/sample_models.hpp"
#include "serve/router.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weft::fuzz {

using namespace detail;
using namespace testing;

namespace {

void require_within(std::string_view part, std::string_view whole) {
  const bool within = part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
  require(part.empty() || within, "a part of a request lies outside of its bytes");
}

void check_complete(const ParsedRequest& parsed, std::string_view bytes, const RequestLimits& limits) {
  const Request& request = parsed.request;
  require(parsed.size > 0 && parsed.size <= bytes.size(), "a request larger than its bytes");
  const std::size_t body = request.chunked ? unchunked(request.body).size() : request.body.size();
  require(body <= limits.body && request.headers.size() <= limits.headers, "a limit is exceeded");
  require(request.path.starts_with('/'), "a path without a root");
  for (const std::string_view part : {request.method, request.path, request.query, request.body})
    require_within(part, bytes.substr(0, parsed.size));
  for (const Header& header : request.headers) {
    require_within(header.name, bytes);
    require_within(header.value, bytes);
    require(header.value.find_first_of("\r\n") == std::string_view::npos, "a header of several lines");
  }
}

/// What part of a request says is not taken back when more arrives.
void check_beginning(std::string_view bytes, std::size_t size, const ParsedRequest& whole,
                     const RequestLimits& limits) {
  const ParsedRequest part = parse_request(bytes.substr(0, size), limits);
  require(part.state != ParseState::refused || whole.state == ParseState::refused, "a refusal that is taken back");
  if (whole.state == ParseState::complete)
    require((part.state == ParseState::complete) == (size >= whole.size), "complete too early or too late");
  if (part.state == ParseState::complete)
    require(whole.state == ParseState::complete && part.size == whole.size && part.request.body == whole.request.body,
            "a request that changes when another one follows");
}

// The first byte chooses the limits.
void request(std::string_view input) {
  if (input.empty()) return;
  const std::string_view bytes = input.substr(1);
  const RequestLimits limits =
      input.front() % 2 == 0 ? RequestLimits() : RequestLimits{.line = 60, .head = 200, .headers = 4, .body = 10};
  const ParsedRequest parsed = parse_request(bytes, limits);
  for (const std::size_t size :
       {bytes.size() / 3, bytes.size() / 2, bytes.size() - std::min<std::size_t>(bytes.size(), 1)})
    check_beginning(bytes, size, parsed, limits);
  if (parsed.state == ParseState::refused) {
    require(parsed.refusal.status >= 400 && parsed.refusal.status <= 505, "another status than one of mistakes");
    throw Error(ErrorKind::data, parsed.refusal.message, {}, parsed.refusal.remedy);
  }
  if (parsed.state == ParseState::incomplete) throw Error(ErrorKind::data, "incomplete", {}, "wait");
  check_complete(parsed, bytes, limits);
  check_beginning(bytes, parsed.size, parsed, limits);
  static_cast<void>(parse_query(parsed.request.query));
}

std::vector<std::string> request_seeds() {
  const std::string zero("\0", 1);
  return {zero +
              "POST /predict?interval=0.9&keep=a%2Cb+c HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: text/csv \r\n"
              "content-length: 6\r\n\r\na,b\n1,",
          zero + "\r\nGET http://localhost:80/health?x HTTP/1.0\r\nConnection: keep-alive, Close\r\n\r\nGET / HT",
          zero +
              "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: "
              "chunked\r\n\r\n3;a=b\r\na,b\r\nA\r\n0123456789\r\n0\r\n\r\n",
          zero + "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
          "\1GET /?a=b HTTP/1.1\r\nHost: [::1]\r\nA:b\r\nC: d\r\nContent-Length: 10\r\n\r\n0123456789\r\n"};
}

/// The texts of cells are gone with the row: `write` gets its JSON.
std::string rows_again(std::string_view json, const RowColumns& columns, Index most) {
  std::string text;
  for_each_json_row(json, columns, most, [&](Index row, std::span<const Cell> cells) {
    require(row < most && cells.size() == columns.names().size(), "a row of another size");
    text += row == 0 ? "[[" : ",[";
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) text += ',';
      if (cells[c].is_text())
        text += json_string(cells[c].text());
      else if (std::isnan(cells[c].number()))
        text += "null";
      else
        append_json_number(cells[c].number(), text);
    }
    text += ']';
  });
  return text + "]";
}

void json_rows(std::string_view input) {
  static const RowColumns columns({"age", "city", "old"}, {CellRule::number, CellRule::text, CellRule::unused},
                                  "unknown,-99");
  constexpr Index kMost = 50;
  const std::string again = rows_again(input, columns, kMost);
  require(rows_again(again, columns, kMost) == again, "rows that change when they are written and read again");
}

const ServeRequest& server() {
  static const ServeRequest request = [] {
    ServeRequest made;
    made.options.max_rows = 40;
    made.options.allow_origin = "https://example.org";
    return made;
  }();
  return request;
}

/// A number with scores for intervals; two and three classes.
std::unique_ptr<Router> router_of(const std::string& target) {
  ModelParts parts = sample_parts(target, sample_family("rw-relu/sparse:2", 5));
  const auto classes = static_cast<Index>(parts.encoder.target().classes.size());
  parts.probabilistic = classes > 0;
  for (Index k = 0; k < (classes > 0 ? classes + 1 : 1); ++k) {
    std::vector<double> scores;
    for (Index i = 0; i < 30; ++i) scores.push_back(std::abs(std::sin(static_cast<double>(i))));
    parts.conformity.tables.emplace_back(scores);
  }
  parts.conformity.by = ScoredBy::held_out_rows;
  return std::make_unique<Router>(server(),
                                  std::make_shared<const ServedModel>(Model(std::move(parts)), server(), one_thread()));
}

/// Nothing that a client sends becomes a line of the answer's head, or anything but JSON in its body.
void check_answer(const Answer& answer) {
  require(answer.status != 500, "a fault of the server");
  require(answer.status >= 200 && answer.status <= 505, "an unknown status");
  std::string bytes;
  append_answer(answer, true, true, bytes);
  std::string_view head = std::string_view(bytes).substr(0, bytes.find("\r\n\r\n") + 2);
  head.remove_prefix(head.find("\r\n") + 2);
  for (std::size_t lines = 0; !head.empty(); ++lines) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    require(lines < 20 && line.find(": ") != std::string_view::npos, "a header of an answer is none");
    require(std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }),
            "a control character in the head of an answer");
    head.remove_prefix(line.size() + 2);
  }
  if (answer.type != "application/json" || answer.body.empty()) return;
  const nlohmann::json said = nlohmann::json::parse(answer.body, nullptr, false);
  require(!said.is_discarded(), "an answer that is not JSON");
  if (answer.status < 400) return;
  const std::string message = said.value("error", ""), remedy = said.value("remedy", "");
  throw Error(ErrorKind::data, message, {}, remedy);
}

// The first byte chooses the model.
void route(std::string_view input) {
  static const std::array<std::unique_ptr<Router>, 3> routers = {router_of("y"), router_of("yes"), router_of("kind")};
  if (input.empty()) return;
  const Router& router = *routers[static_cast<unsigned char>(input.front()) % routers.size()];
  const ParsedRequest parsed = parse_request(input.substr(1));
  if (parsed.state != ParseState::complete) throw Error(ErrorKind::data, "no request", {}, "send one");
  static_cast<void>(router.takes_long(parsed.request));
  const Answer answer = router.answer(parsed.request);
  if (parsed.request.path != "/metrics")
    require(router.answer(parsed.request).body == answer.body, "an answer that changes");
  check_answer(answer);
}

/// The length of the body, so that mutations get past it.
void repair_length(std::string& bytes) {
  constexpr std::string_view kName = "Content-Length: ";
  const std::size_t body = bytes.find("\r\n\r\n");
  const std::size_t at = bytes.find(kName);
  if (body == std::string::npos || at == std::string::npos || at > body) return;
  const std::size_t end = bytes.find("\r\n", at);
  const std::size_t length = bytes.size() - body - 4;
  bytes.replace(at + kName.size(), end - at - kName.size(), std::to_string(length));
}

std::string asked(char model, const std::string& line, const std::string& headers, const std::string& body = "") {
  return std::string(1, model) + fmt::format("{} HTTP/1.1\r\nHost: localhost:80\r\n{}Content-Length: {}\r\n\r\n{}",
                                             line, headers, body.size(), body);
}

std::vector<std::string> route_seeds() {
  const std::string json = "Content-Type: application/json\r\n", csv = "Content-Type: text/csv; charset=utf-8\r\n";
  const std::string rows =
      R"([{"a": 0.25, "b": 1.5, "city": "Bern"}, {"b": null, "a": -3, "city": "\u00e8", "id": 1}])";
  const std::string table = "id,a,b,city\n1,0.25,1.5,Bern\n2,-3,,\"x, \"\"y\"\"\"\n";
  return {asked('\0', "POST /predict?interval=0.8", json, rows),
          asked('\1', "POST /predict?interval=0.9&interval_by_class=true", json, R"({"a": 1, "b": "2", "city": ""})"),
          asked('\2', "POST /predict?proba=1&rows=true&keep=id", csv, table),
          asked('\0', "POST /predict?rows=true&interval=0.5", csv + "Origin: https://example.org\r\n", table),
          asked('\2', "POST /explain", json, R"([[1, 2, "Bern"]])"),
          asked('\1', "POST /explain", csv, table),
          asked('\0', "GET /model", ""),
          asked('\1', "HEAD /openapi.json?x=%41", "Authorization: Bearer t\r\n"),
          asked('\2', "OPTIONS /predict", "Origin: http://localhost:80\r\n"),
          asked('\0', "GET /metrics", "")};
}

}  // namespace

void add_requests(std::vector<Target>& targets) {
  targets.push_back({"request", 600, 10000, request, request_seeds});
  targets.push_back({"json-rows", 1000, 10000, json_rows, [] {
                       return std::vector<std::string>{
                           R"([{"age": 1.5e1, "city": "\u00e4b"}, {"city": "c", "age": null, "id": 3, "old": "x"}])",
                           R"({"age": " inf", "city": "unknown", "old": true})",
                           R"([[-99, "a", 0], ["NA", true, 1e300], [3, -99.0, null]])"};
                     }});
  targets.push_back({"route", 2000, 300, route, route_seeds, repair_length});
}

}  // namespace weft::fuzz
