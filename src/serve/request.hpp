// HTTP/1.1 requests (RFC 9112), parsed from bytes that anyone may have sent.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::detail {

struct RequestLimits {
  std::size_t line = 8192;      ///< bytes of the request line
  std::size_t head = 16384;     ///< bytes of request line and headers
  std::size_t headers = 64;     ///< their number
  std::size_t body = 16 << 20;  ///< bytes
  std::size_t chunks = 16384;   ///< of a body in chunks, which are read again whenever bytes arrive
};

struct Header {
  std::string_view name;
  std::string_view value;  ///< without blanks around it
};

/// Views of the bytes it was parsed from.
struct Request {
  std::string_view method;
  std::string_view path;   ///< as sent: percent signs are not decoded
  std::string_view query;  ///< what follows the question mark
  std::vector<Header> headers;
  std::string_view body;          ///< as sent
  bool chunked = false;           ///< the body is in chunks: unchunked() puts them together
  bool keep_alive = true;         ///< the client wants to send more
  bool expects_continue = false;  ///< the client waits for 100 before it sends the body

  /// The value of a header, names compared without case; empty where there is none.
  std::string_view header(std::string_view name) const;
};

/// Why a request is not served.
struct Refusal {
  int status = 0;
  std::string message;
  std::string remedy;
};

enum class ParseState {
  incomplete,  ///< so far there is nothing wrong
  complete,
  refused  ///< whatever follows: where the next request begins is not known
};

struct ParsedRequest {
  ParseState state = ParseState::incomplete;
  Request request = {};  ///< complete, or its head
  /// Bytes of the whole request, once the head is complete; 0 before. More than there are until all chunks have come.
  std::size_t size = 0;
  Refusal refusal = {};
};

/// Parses the request that the bytes begin with. A pure function: it takes time proportional to the head and the number
/// of chunks, never reads beyond the bytes, and does not throw.
ParsedRequest parse_request(std::string_view bytes, const RequestLimits& limits = {});

/// The body of a complete request whose body is in chunks.
std::string unchunked(std::string_view body);

/// Names and values of a query, decoded. Throws Error(option) where it is not one.
std::vector<std::pair<std::string, std::string>> parse_query(std::string_view query);

/// Compared without regard to case, as the names of headers are.
bool same_word(std::string_view a, std::string_view b);

}  // namespace weft::detail
