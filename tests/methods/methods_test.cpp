#include "methods/method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace weft {

using namespace detail;
namespace {

TEST(Methods, HaveOneRowForEveryKindOfOptions) {
  ASSERT_EQ(methods().size(), std::variant_size_v<MethodOptions>);
  std::set<std::string> names;
  for (std::size_t k = 0; k < methods().size(); ++k) {
    const Method& method = *methods()[k];
    EXPECT_EQ(method.options.index(), k) << method.name;
    EXPECT_TRUE(names.insert(method.name).second) << method.name;
    EXPECT_FALSE(std::string(method.help).empty()) << method.name;
    EXPECT_TRUE(method.run != nullptr && method.loss != nullptr && method.check_memory != nullptr) << method.name;
    const FitOptions options{.method = method.options};
    EXPECT_EQ(&method_of(options), &method);
    EXPECT_NO_THROW(check_fit_options(options, {})) << method.name;
    if (method.validated_by != nullptr && method.validated_by(options, 100) == ValidatedBy::left_out) {
      EXPECT_NE(method.left_out, nullptr) << method.name;
    }
  }
}

TEST(Methods, AreFoundByName) {
  for (const MethodRow& row : method_table()) EXPECT_EQ(method_name(method_options(row.name)), row.name);
  try {
    method_options("least-square");
    FAIL() << "no such method";
  } catch (const Error& error) {
    EXPECT_EQ(error.field(), "fit");
    for (const MethodRow& row : method_table()) EXPECT_NE(error.hint().find(row.name), std::string::npos) << row.name;
  }
}

TEST(Methods, SayWhichOfThemHaveAnOption) {
  EXPECT_EQ(methods_with("radius"), std::vector<std::string>{"sfgd"});
  EXPECT_EQ(methods_with("precision"), (std::vector<std::string>{"least-squares", "lasso"}));
  EXPECT_TRUE(methods_with("lambda").empty());  // all of them have it
  try {
    throw_not_used("lasso", "features_per_step");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_EQ(error.field(), "features_per_step");
    EXPECT_NE(error.message().find("lasso"), std::string::npos);
    EXPECT_NE(error.hint().find("‹fit› sfgd"), std::string::npos);
  }
}

TEST(Methods, OptionsAreReadAndSetByName) {
  MethodOptions options = KernelRidgeOptions{};
  EXPECT_EQ(own_value<std::string>(options, "kernel"), "rbf");
  EXPECT_EQ(own_value<double>(options, "radius"), std::nullopt);
  set_own_value(options, "landmarks", Index{30});
  set_own_value(options, "radius", 3.0);  // which it does not have
  EXPECT_EQ(std::get<KernelRidgeOptions>(options).landmarks, 30);
  EXPECT_TRUE(std::get<KernelRidgeOptions>(options).landmarks.given());
}

TEST(Methods, AnOptionHasOneKindOfValueInAllMethods) {
  // The command line has one option of each name.
  std::set<std::pair<std::string, std::string>> kinds;
  std::set<std::string> names;
  for (const MethodRow& row : method_table())
    for_each_own_field(row.options, [&](const auto& field, const auto& member) {
      names.insert(field.name);
      kinds.emplace(field.name, Choice<plain_type<std::remove_cvref_t<decltype(member)>>>
                                    ? "choice"
                                    : typeid(plain_value(member)).name());
    });
  EXPECT_EQ(kinds.size(), names.size());
}

}  // namespace
}  // namespace weft
