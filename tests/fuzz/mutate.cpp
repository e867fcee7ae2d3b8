#include "fuzz/mutate.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace weft::fuzz {

namespace {

using namespace std::string_literals;

/// std's generators are the same everywhere; its distributions are not.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : generator_(seed) {}
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(generator_() % std::max<std::size_t>(1, count));
  }

 private:
  std::mt19937_64 generator_;
};

const std::array kTokens = {"0"s,
                            "-1"s,
                            "1e308"s,
                            "1e-320"s,
                            "nan"s,
                            "inf"s,
                            "9223372036854775807"s,
                            "18446744073709551616"s,
                            "99999"s,
                            "null"s,
                            "\""s,
                            "'"s,
                            "\\"s,
                            "\n"s,
                            "\r\n"s,
                            ","s,
                            ";"s,
                            "\t"s,
                            ":"s,
                            "="s,
                            "#"s,
                            "["s,
                            "]"s,
                            "{"s,
                            "}"s,
                            "[[[[[[[["s,
                            "\0"s,
                            "\xff"s,
                            "\xff\xff\xff\xff"s,
                            "\x7f\xff\xff\xff"s,
                            "\0\0\0\0"s,
                            "\xef\xbb\xbf"s,
                            "\x1b[31m"s,
                            "+"s,
                            "/"s,
                            "%00"s};

void change(std::string& input, const std::vector<std::string>& others, Draws& draws) {
  const std::size_t at = draws.below(input.size() + 1);
  const std::size_t size = std::min(draws.below(16), input.size() - at);
  switch (draws.below(8)) {
    case 0:
    case 1:
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << draws.below(8)));
      return;
    case 2:
      if (at < input.size()) input[at] = static_cast<char>(draws.below(256));
      return;
    case 3:
      input.erase(at, size);
      return;
    case 4:
      input.insert(at, input.substr(at, size));
      return;
    case 5:
      input.insert(at, kTokens[draws.below(kTokens.size())]);
      return;
    case 6:
      input.replace(at, size, kTokens[draws.below(kTokens.size())]);
      return;
    default: {
      const std::string& other = others[draws.below(others.size())];
      const std::size_t from = draws.below(other.size() + 1);
      input.replace(at, size, other.substr(from, draws.below(64)));
    }
  }
}

}  // namespace

std::string mutated(std::string input, const std::vector<std::string>& others, std::uint64_t mutation,
                    std::size_t longest) {
  Draws draws(mutation);
  for (std::size_t changes = 1 + draws.below(4); changes > 0; --changes) change(input, others, draws);
  input.resize(std::min(input.size(), longest));
  return input;
}

}  // namespace weft::fuzz
