#include "serve/request.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z');
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::optional<int> hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
  return std::nullopt;
}

/// What no head contains: control characters but the tab and the ends of lines.
bool is_forbidden(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\r' && c != '\n') || code == 0x7F;
}

std::string_view without_blanks(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether a list separated by commas has the word.
bool lists(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    if (same_word(without_blanks(list.substr(0, end)), word)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

/// The line that a chunk begins with: its size, and extensions, which nobody uses.
struct ChunkLine {
  ParseState state = ParseState::refused;
  std::size_t size = 0;  ///< of the chunk
  std::size_t end = 0;   ///< where its bytes begin
};

ChunkLine chunk_line(std::string_view bytes) {
  constexpr std::size_t kMostDigits = 8, kMostBytes = 256;
  std::size_t at = 0;
  while (at < bytes.size() && hex_digit(bytes[at])) ++at;
  if (at > kMostDigits || (at == 0 && !bytes.empty())) return {};
  ChunkLine line;
  std::from_chars(bytes.data(), bytes.data() + at, line.size, 16);
  if (at < bytes.size() && bytes[at] != ';' && bytes[at] != '\r') return {};
  while (at < std::min(bytes.size(), kMostBytes) && !is_forbidden(bytes[at]) && bytes[at] != '\r' && bytes[at] != '\n')
    ++at;
  const std::string_view end = bytes.substr(at, 2);
  if (at >= kMostBytes || !kLineEnd.starts_with(end)) return {};
  line.state = end == kLineEnd ? ParseState::complete : ParseState::incomplete;
  line.end = at + 2;
  return line;
}

class RequestParser {
 public:
  RequestParser(std::string_view bytes, const RequestLimits& limits) : bytes_(bytes), limits_(limits) {}

  ParsedRequest parse() {
    skip_empty_lines();
    const std::size_t end = bytes_.substr(at_, limits_.head).find("\r\n\r\n");
    const std::string_view head = bytes_.substr(at_, std::min(end, limits_.head));
    const bool finished = end != std::string_view::npos;
    if (!check_characters(head, finished) || !check_unfinished(head, finished) || !finished) return result_;
    const std::size_t body = at_ + end + 4;
    const std::size_t line = std::min(head.find(kLineEnd), head.size());
    if (!parse_line(head.substr(0, line))) return result_;
    if (line < head.size() && !parse_headers(head.substr(line + 2))) return result_;
    std::size_t length = 0;
    if (!check_headers() || !check_coding()) return result_;
    if (!(request().chunked ? find_last_chunk(body, length) : find_length(length))) return result_;
    result_.size = body + length;
    if (bytes_.size() < result_.size) return result_;
    request().body = bytes_.substr(body, length);
    result_.state = ParseState::complete;
    return result_;
  }

 private:
  Request& request() { return result_.request; }

  bool refuse(int status, std::string message, std::string remedy) {
    result_.state = ParseState::refused;
    result_.refusal = {status, std::move(message), std::move(remedy)};
    return false;
  }

  bool malformed(std::string message) {
    return refuse(400, std::move(message), "send a request as RFC 9112 describes it");
  }

  /// Some clients end the body of the request before with one.
  void skip_empty_lines() {
    for (int k = 0; k < 2 && bytes_.substr(at_, 2) == kLineEnd; ++k) at_ += 2;
  }

  bool check_characters(std::string_view head, bool finished) {
    if (!head.empty() && head.front() == '\x16')
      return refuse(400, "this is not HTTP; it looks like the beginning of TLS",
                    "write http:// instead of https://, or put a proxy that speaks TLS in front");
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (is_forbidden(head[i])) return malformed("the head of the request has a control character");
      if (head[i] == '\n' && (i == 0 || head[i - 1] != '\r'))
        return malformed("a line of the head ends without a carriage return");
      if (head[i] == '\r' && (i + 1 < head.size() ? head[i + 1] != '\n' : finished))
        return malformed("the head of the request has a carriage return within a line");
    }
    return true;
  }

  bool check_unfinished(std::string_view head, bool finished) {
    // What has arrived may end between the two characters that end a line.
    const std::size_t line = std::min(head.find(kLineEnd), head.size() - (head.ends_with('\r') ? 1 : 0));
    if (line > limits_.line)
      return refuse(414, fmt::format("the request line has more than {} bytes", limits_.line),
                    "send rows in the body of a POST");
    if (!finished && bytes_.size() - at_ >= limits_.head)
      return refuse(431, fmt::format("the head of the request has more than {} bytes", limits_.head),
                    "send fewer or shorter headers");
    return true;
  }

  bool parse_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
    if (second == std::string_view::npos || line.find(' ', second + 1) != std::string_view::npos)
      return malformed("the request line is not 'METHOD TARGET HTTP/1.1'");
    request().method = line.substr(0, first);
    if (!is_token(request().method)) return malformed("the method is not a word");
    return parse_target(line.substr(first + 1, second - first - 1)) && parse_version(line.substr(second + 1));
  }

  bool parse_target(std::string_view target) {
    if (target.starts_with("http://")) {  // as sent to proxies; the Host header says the same
      target.remove_prefix(7);
      target.remove_prefix(std::min(target.find('/'), target.size()));
    }
    const auto allowed = [](char c) { return c > ' ' && static_cast<unsigned char>(c) < 0x7F && c != '#'; };
    if (!target.starts_with('/') || !std::all_of(target.begin(), target.end(), allowed))
      return malformed("the target of the request is not a path");
    const std::size_t mark = std::min(target.find('?'), target.size());
    request().path = target.substr(0, mark);
    request().query = target.substr(std::min(mark + 1, target.size()));
    return true;
  }

  bool parse_version(std::string_view version) {
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
      return version.starts_with("HTTP/") ? refuse(505, "only HTTP/1.1 is spoken here", "use HTTP/1.1")
                                          : malformed("the request line does not end with HTTP/1.1");
    old_ = version == "HTTP/1.0";
    return true;
  }

  bool parse_headers(std::string_view lines) {
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find(kLineEnd), lines.size());
      const std::string_view line = lines.substr(0, end);
      lines.remove_prefix(std::min(end + 2, lines.size()));
      const std::size_t colon = std::min(line.find(':'), line.size());
      if (colon == line.size() || !is_token(line.substr(0, colon)))
        return malformed("a header is not 'Name: value' in one line");
      if (request().headers.size() == limits_.headers)
        return refuse(431, fmt::format("the request has more than {} headers", limits_.headers), "send fewer");
      request().headers.push_back({line.substr(0, colon), without_blanks(line.substr(colon + 1))});
    }
    return true;
  }

  std::size_t count(std::string_view name) {
    const auto& headers = request().headers;
    return static_cast<std::size_t>(
        std::count_if(headers.begin(), headers.end(), [&](const Header& h) { return same_word(h.name, name); }));
  }

  bool check_headers() {
    const std::size_t hosts = count("host");
    if (hosts > 1 || (hosts == 0 && !old_)) return malformed("a request has one Host header");
    if (count("authorization") > 1) return malformed("a request has one Authorization header");
    const std::string_view connection = request().header("connection");
    request().keep_alive = old_ ? lists(connection, "keep-alive") : !lists(connection, "close");
    const std::string_view expected = request().header("expect");
    if (!expected.empty() && !same_word(expected, "100-continue"))
      return refuse(417, "this expectation is not known here", "leave the Expect header out");
    request().expects_continue = !expected.empty() && !old_;
    return true;
  }

  // A proxy in front that read another length than this parser would take a part of the body for a request. So there is
  // one way to say where a body ends, and it is to the letter.
  bool check_coding() {
    if (count("transfer-encoding") == 0) return true;
    if (count("content-length") > 0) return malformed("Content-Length and Transfer-Encoding exclude each other");
    if (old_) return malformed("HTTP/1.0 has no Transfer-Encoding");
    if (count("transfer-encoding") > 1 || !same_word(request().header("transfer-encoding"), "chunked"))
      return refuse(501, "the only Transfer-Encoding that is taken is chunked", "send Content-Length, or chunks alone");
    return request().chunked = true;
  }

  bool too_large() {
    return refuse(413, fmt::format("the body has more than {} bytes", limits_.body),
                  "send fewer rows at a time, or start the server with a larger ‹max_body›");
  }

  /// `length` of all chunks that begin at `body`; false while some are missing.
  bool find_last_chunk(std::size_t body, std::size_t& length) {
    result_.size = bytes_.size() + 1;
    std::size_t content = 0, at = body;
    for (std::size_t chunks = 1;; ++chunks) {
      if (chunks > limits_.chunks)
        return refuse(413, fmt::format("the body has more than {} chunks", limits_.chunks), "send larger ones");
      const ChunkLine line = chunk_line(bytes_.substr(at));
      if (line.state == ParseState::refused) return malformed("a chunk of the body does not begin with its size");
      if (line.state == ParseState::incomplete) return false;
      content += line.size;
      if (content > limits_.body) return too_large();
      at += line.end + line.size;
      const std::string_view end = bytes_.substr(std::min(at, bytes_.size()), 2);
      if (!kLineEnd.starts_with(end))
        return malformed(line.size == 0 ? "headers after the last chunk are not taken"
                                        : "a chunk of the body is not as long as it says");
      if (end.size() < kLineEnd.size()) return false;
      at += kLineEnd.size();
      if (line.size == 0) break;
    }
    length = at - body;
    return true;
  }

  bool find_length(std::size_t& length) {
    const std::size_t lengths = count("content-length");
    if (lengths > 1) return malformed("a request has one Content-Length");
    if (lengths == 0)
      return request().method == "POST" || request().method == "PUT" || request().method == "PATCH"
                 ? refuse(411, "the length of the body is missing", "send Content-Length")
                 : true;
    const std::string_view text = request().header("content-length");
    const bool digits =
        !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return malformed("Content-Length is not a number");
    const auto read = std::from_chars(text.data(), text.data() + text.size(), length);
    return read.ec == std::errc{} && length <= limits_.body ? true : too_large();
  }

  std::string_view bytes_;
  const RequestLimits& limits_;
  std::size_t at_ = 0;
  bool old_ = false;
  ParsedRequest result_;
};

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const auto high = i + 1 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
    const auto low = i + 2 < text.size() ? hex_digit(text[i + 2]) : std::nullopt;
    if (!high || !low)
      throw Error(ErrorKind::option, "a percent sign is not followed by two hexadecimal digits", "query",
                  "write %25 for a percent sign");
    result += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return result;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view Request::header(std::string_view name) const {
  for (const Header& header : headers)
    if (same_word(header.name, name)) return header.value;
  return {};
}

ParsedRequest parse_request(std::string_view bytes, const RequestLimits& limits) {
  return RequestParser(bytes, limits).parse();
}

std::string unchunked(std::string_view body) {
  std::string result;
  for (ChunkLine line = chunk_line(body); line.size > 0; line = chunk_line(body)) {
    result += body.substr(line.end, line.size);
    body.remove_prefix(line.end + line.size + kLineEnd.size());
  }
  return result;
}

std::vector<std::pair<std::string, std::string>> parse_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> result;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (part.empty()) continue;
    const std::size_t equals = std::min(part.find('='), part.size());
    result.emplace_back(decoded(part.substr(0, equals)), decoded(part.substr(std::min(equals + 1, part.size()))));
  }
  return result;
}

}  // namespace weft::detail
