// Checks the kind of a weft::Error and the contents of its message.
#pragma once

#include <weft/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft::testing {

template <class Call>
void expect_error(Call&& call, ErrorKind kind, const std::vector<std::string>& words) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    const std::string line = error.what();
    EXPECT_EQ(error.kind(), kind) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    for (const std::string& word : words)
      EXPECT_NE(line.find(word), std::string::npos) << "no '" << word << "' in: " << line;
  }
}

}  // namespace weft::testing
