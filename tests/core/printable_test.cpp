#include "core/printable.hpp"

#include <gtest/gtest.h>

namespace weft::detail {

namespace {

TEST(Printable, WhatATerminalObeysIsReplaced) {
  EXPECT_EQ(printable_text("a\x1b[31mb\x7f\r\b", false), "a?[31mb???");
  EXPECT_EQ(printable_text(std::string("nul\0", 4), false), "nul?");
  EXPECT_EQ(printable_text("csi\xc2\x9b"
                           "31m",
                           false),
            "csi?31m");
  EXPECT_EQ(printable_text("\xe2\x80\xae"
                           "exe\xe2\x81\xa6",
                           false),
            "?exe?");
}

TEST(Printable, TextStays) {
  const std::string text = "Zürich\t日本 é – …";
  EXPECT_EQ(printable_text(text, true), text);
  EXPECT_EQ(printable_text("a\nb", false), "a\nb");
  EXPECT_EQ(printable_text("a\nb", true), "a?b");
  EXPECT_EQ(printable_text("\xc2", true), "\xc2");
}

}  // namespace

}  // namespace weft::detail
