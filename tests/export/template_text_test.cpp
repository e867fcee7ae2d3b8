#include "export/template_text.hpp"

#include <gtest/gtest.h>

namespace weft::detail {

namespace {

constexpr const char* kText = R"(//: *
head @name@
//: inner
int inner;
//: outer
use inner;
//: lonely
int lonely;
//: * [file]
beside
//: *
[file]outer();
[!file]"outer lonely" /* lonely */
// lonely
)";

TEST(TemplateText, PartsAreWrittenWhereTheyAreUsed) {
  EXPECT_EQ(render_template(kText, {{{"name", "x"}}, {"file"}}),
            "head x\nint inner;\nuse inner;\nbeside\nouter();\n// lonely\n");
}

TEST(TemplateText, TextsAndCommentsUseNothing) {
  EXPECT_EQ(render_template(kText, {{{"name", "x"}}, {}}), "head x\n\"outer lonely\" /* lonely */\n// lonely\n");
}

}  // namespace

}  // namespace weft::detail
