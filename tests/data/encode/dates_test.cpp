// Dates against the calendar of the C library.
#include "data/encode/dates.hpp"

#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <string>

#include <fmt/format.h>

namespace weft {

using namespace detail;
namespace {

double seconds_of(const std::string& text) {
  return parse_date(text).value_or(-1e300);
}

double utc(int year, int month, int day, int hour = 0, int minute = 0, int second = 0) {
  std::tm time{};
  time.tm_year = year - 1900;
  time.tm_mon = month - 1;
  time.tm_mday = day;
  time.tm_hour = hour;
  time.tm_min = minute;
  time.tm_sec = second;
  return static_cast<double>(timegm(&time));
}

TEST(Dates, TextsAreSeconds) {
  EXPECT_EQ(seconds_of("1970-01-01"), 0);
  EXPECT_EQ(seconds_of("2024-03-01"), utc(2024, 3, 1));
  EXPECT_EQ(seconds_of("2024-02-29"), utc(2024, 2, 29));
  EXPECT_EQ(seconds_of("1899-12-31"), utc(1899, 12, 31));
  EXPECT_EQ(seconds_of("2024-03-01 12:30"), utc(2024, 3, 1, 12, 30));
  EXPECT_EQ(seconds_of("2024-03-01T12:30:15"), utc(2024, 3, 1, 12, 30, 15));
  EXPECT_EQ(seconds_of("2024-03-01T12:30:15Z"), utc(2024, 3, 1, 12, 30, 15));
  EXPECT_EQ(seconds_of("2024-03-01 12:30:15.25"), utc(2024, 3, 1, 12, 30, 15) + 0.25);
  EXPECT_NEAR(seconds_of("2024-03-01 12:30:15.123456789Z"), utc(2024, 3, 1, 12, 30, 15) + 0.123456789, 1e-6);
  EXPECT_EQ(seconds_of("2024-03-01T12:30:15+02:00"), utc(2024, 3, 1, 10, 30, 15));
  EXPECT_EQ(seconds_of("2024-03-01T23:30-0130"), utc(2024, 3, 2, 1, 0));
  EXPECT_EQ(seconds_of("2024-03-01 12:30:15 +02"), utc(2024, 3, 1, 10, 30, 15));
}

TEST(Dates, OtherTextsAreNone) {
  for (const char* text : {"",
                           "2024",
                           "2024-03",
                           "2024-3-1",
                           "2024-13-01",
                           "2024-00-01",
                           "2023-02-29",
                           "2024-04-31",
                           "24-03-01",
                           "2024-03-01x",
                           "2024-03-01 ",
                           "2024-03-01T",
                           "2024-03-01 24:00",
                           "2024-03-01 12:60",
                           "2024-03-01 12",
                           "2024-03-01 12:30:61",
                           "2024-03-01 12:30:15.",
                           "2024-03-01 12:30+",
                           "2024-03-01 12:30+2",
                           "2024-03-01 12:30+02:",
                           "2024-03-01 12:30Z+02:00",
                           "2024-03-01-02",
                           "+2024-03-01",
                           "2024/03/01",
                           "01.03.2024",
                           "20240301",
                           "2024-03-01 12:30 CET"})
    EXPECT_FALSE(parse_date(text)) << text;
}

TEST(Dates, PartsAreThoseOfTheCLibrary) {
  const Random random(3, RandomStream::fit);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const auto time = static_cast<std::time_t>((random.uniform(i) - 0.4) * 1e10);  // 1843 … 2160
    std::tm parts{};
    gmtime_r(&time, &parts);
    const auto seconds = static_cast<double>(time);
    EXPECT_EQ(date_part(DatePart::year, seconds, 0), parts.tm_year + 1900) << time;
    EXPECT_EQ(date_part(DatePart::month, seconds, 0), parts.tm_mon + 1) << time;
    EXPECT_EQ(date_part(DatePart::day, seconds, 0), parts.tm_mday) << time;
    EXPECT_EQ(date_part(DatePart::weekday, seconds, 0), parts.tm_wday == 0 ? 7 : parts.tm_wday) << time;
    EXPECT_EQ(date_part(DatePart::hour, seconds + 0.5, 0), parts.tm_hour) << time;
    EXPECT_EQ(date_part(DatePart::seconds, seconds, 7), seconds - 7) << time;
    const std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                                         parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    EXPECT_EQ(seconds_of(text), seconds) << text;
  }
}

}  // namespace
}  // namespace weft
