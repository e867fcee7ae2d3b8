//: *
@head@
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
@begin@
//: *
enum { INPUTS = @inputs@, MOST_INPUTS = @most_inputs@, SCORES = @scores@, COLUMNS = @column_count@ };

//: * [inline]
/* Every number of the model that there are many of. */
static const double parameters[] = @parameters@;
//: * [file]
/* Every number of the model that there are many of, from the file @name@.bin. */
enum { PARAMETERS = @parameter_count@ };
static double parameters[PARAMETERS];
static int loaded = 0;

@api@ int @prefix@load(const char* path);
/* Reads the parameters; 0, or -1 where the file cannot be read or is not that of this program. Not thread-safe. */
@api@ int @prefix@load(const char* path) {
  const unsigned char tag[8] = @tag@;
  unsigned char bytes[8];
  FILE* file = fopen(path, "rb");
  int k, b, good;
  if (file == NULL) return -1;
  good = fread(bytes, 1, 8, file) == 8 && memcmp(bytes, tag, 8) == 0;
  for (k = 0; good && k < PARAMETERS; ++k) {
    unsigned long long bits = 0;
    good = fread(bytes, 1, 8, file) == 8;
    for (b = 7; b >= 0; --b) bits = bits << 8 | bytes[b];
    memcpy(parameters + k, &bits, 8);
  }
  fclose(file);
  loaded = good;
  return good ? 0 : -1;
}

//: integers
static const int integers[] = @integers@;
//: labels
static const char* const labels[] = @labels@;

//: scales
/* (v - shift) * factor, or linear between knots: values, then scores. */
static const struct { double shift, factor; int knots, count; } scales[] = @scales@;

//: levels
/* Labels in order of their bytes, labels that are numbers in order, inputs of frequent ones, effects on the target. */
static const struct {
  int first_label, count, positions, numbers, number_count, number_positions;
  int one_hot, effects, effect_count, effect_scales;
} levels[] = @levels@;

//: dates
static const struct { double start; int parts, count, fills; } dates[] = @dates@;

//: column
typedef struct {
  int reader, cell, input, first_scale, scale_count, table, indicator, indicator_input;
  double fill;
} column;
static const column steps[] = @columns@;

//: scaled
@local@ double scaled(int s, double v) {
  const double *values = parameters + scales[s].knots, *scores = values + scales[s].count;
  int below = 0, length = scales[s].count - 1;
  double share, score;
  if (scales[s].count == 0) return (v - scales[s].shift) * scales[s].factor;
  if (v <= values[0]) return scores[0];
  if (v >= values[length]) return scores[length];
  while (length > 1) {
    const int half = length / 2;
    if (values[below + half] <= v) below += half;
    length -= half;
  }
  share = (v - values[below]) / (values[below + 1] - values[below]);
  score = scores[below] + share * (scores[below + 1] - scores[below]);
  return score < scores[below + 1] ? score : scores[below + 1];
}

//: scaled_affine
@local@ double scaled_affine(int s, double v) {
  return (v - scales[s].shift) * scales[s].factor;
}

//: write_indicator
@local@ void write_indicator(const column* c, int missing, double* x) {
[missing_indicate]  if (c->indicator >= 0) x[c->indicator_input] = @scaled@(c->indicator, missing ? 1 : 0);
[!missing_indicate]  (void)missing;
[!missing_indicate]  if (c->indicator >= 0) x[c->indicator_input] = @scaled@(c->indicator, 0);
}

//: write_number
@local@ int write_number(const column* c, double v, double* x) {
  const int missing = isnan(v);
  int k;
[missing_error]  if (missing) return 0;
  write_indicator(c, missing, x);
  if (missing) v = c->fill;
  for (k = 0; k < c->scale_count; ++k) x[c->input + k] = @scaled@(c->first_scale + k, v);
  return 1;
}

//: read_number_cell
@local@ int read_number_cell(const column* c, const double* numbers, const char* const* texts, double* x) {
  (void)texts;
  return isinf(numbers[c->cell]) ? 0 : write_number(c, numbers[c->cell], x);
}

//: read_no_cell
/* Training saw no cell of the column: whatever it holds counts as 0. */
@local@ int read_no_cell(const column* c, const double* numbers, const char* const* texts, double* x) {
  int k;
  (void)numbers;
  (void)texts;
  for (k = 0; k < c->scale_count; ++k) x[c->input + k] = @scaled@(c->first_scale + k, 0);
  return 1;
}

//: digits_of
@local@ const char* digits_of(const char* text) {
  while (*text >= '0' && *text <= '9') ++text;
  return text;
}

//: parse_number
/* A finite number that is all of the text, in the notation of C with a point, whatever the locale. */
@local@ int parse_number(const char* text, double* value) {
  char copy[512];
  const char *first = text + (*text == '-'), *at = digits_of(first), *point = at;
  int digits = (int)(at - first);
  size_t size;
  if (*at == '.') {
    at = digits_of(point + 1);
    digits += (int)(at - point) - 1;
  }
  if (digits == 0) return 0;
  if (*at == 'e' || *at == 'E') {
    const char* exponent = at + 1 + (at[1] == '-' || at[1] == '+');
    at = digits_of(exponent);
    if (at == exponent) return 0;
  }
  size = (size_t)(at - text);
  if (*at != '\0' || size >= sizeof copy) return 0;
  memcpy(copy, text, size + 1);
  if (*point == '.') copy[point - text] = *localeconv()->decimal_point;
  *value = strtod(copy, NULL);
  return isfinite(*value);
}

//: same_word
/* Equal to a word in lower case, in any case. */
@local@ int same_word(const char* text, const char* word) {
  while (*word != '\0' && (*text >= 'A' && *text <= 'Z' ? *text + 32 : *text) == *word) ++text, ++word;
  return *word == '\0' && *text == '\0';
}

//: is_missing_text
/* The texts that stand for a missing cell where texts are numbers. */
@local@ int is_missing_text(const char* text) {
  static const char* const markers[] = {"", "na", "n/a", "nan", "null", "none", "?", "-", ".", "#n/a", "\\n"};
  size_t k;
  for (k = 0; k < sizeof markers / sizeof *markers; ++k)
    if (same_word(text, markers[k])) return 1;
  return 0;
}

//: read_boolean_cell
@local@ int read_boolean_cell(const column* c, const double* numbers, const char* const* texts, double* x) {
  static const char* const words[] = {"false", "true", "no", "yes", "f", "t"};
  const char* text = texts[c->cell];
  double v;
  int k;
  (void)numbers;
  if (text == NULL || is_missing_text(text)) return write_number(c, NAN, x);
  for (k = 0; k < 6; ++k)
    if (same_word(text, words[k])) return write_number(c, k % 2, x);
  if (parse_number(text, &v)) return write_number(c, v, x);
[unseen_ignored]  return write_number(c, c->fill, x);
[!unseen_ignored]  return 0;
}

//: digits_at
/* The number of so many digits, at most `most`; moves behind it. -1: there is none. */
@local@ int digits_at(const char** text, int count, int most) {
  int value = 0;
  for (; count > 0; --count, ++*text) {
    if (**text < '0' || **text > '9') return -1;
    value = 10 * value + (**text - '0');
  }
  return value <= most ? value : -1;
}

//: days_of
/* Days since 1970-01-01 of a date in the Gregorian calendar. */
@local@ int days_of(int year, int month, int day) {
  const int y = month > 2 ? year : year - 1;
  const int era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
  const int of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

//: parse_clock
/* hh:mm, :ss, a fraction and an offset, in seconds; 0 where the text is none. */
@local@ int parse_clock(const char* at, double* seconds) {
  int hour = digits_at(&at, 2, 23), minute, second = 0, west;
  double fraction = 0, unit = 1;
  if (hour < 0 || *at++ != ':' || (minute = digits_at(&at, 2, 59)) < 0) return 0;
  *seconds += 60 * (60 * hour + minute);
  if (*at == ':') {
    ++at;
    if ((second = digits_at(&at, 2, 60)) < 0) return 0;
    if (*at == '.' || *at == ',') {
      ++at;
      if (*at < '0' || *at > '9') return 0;
      for (; *at >= '0' && *at <= '9'; ++at) fraction += (*at - '0') * (unit /= 10);
    }
  }
  *seconds += second + fraction;
  if (*at == '\0') return 1;
  if (*at == 'Z' || *at == 'z') return at[1] == '\0';
  if (*at == ' ') ++at;
  west = *at == '-';
  if (!west && *at != '+') return 0;
  ++at;
  if ((hour = digits_at(&at, 2, 23)) < 0) return 0;
  minute = 0;
  if (*at == ':' || *at != '\0') {
    if (*at == ':') ++at;
    if ((minute = digits_at(&at, 2, 59)) < 0) return 0;
  }
  *seconds += (west ? 60 : -60) * (60 * hour + minute);
  return *at == '\0';
}

//: parse_date
/* Seconds since 1970 of YYYY-MM-DD[ hh:mm[:ss[.fraction]][offset]]. */
@local@ int parse_date(const char* at, double* seconds) {
  static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year, month, day, leap;
  if ((year = digits_at(&at, 4, 9999)) < 0 || *at++ != '-') return 0;
  if ((month = digits_at(&at, 2, 12)) < 1 || *at++ != '-') return 0;
  if ((day = digits_at(&at, 2, 31)) < 1) return 0;
  leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (day > lengths[month - 1] + (month == 2 && leap)) return 0;
  *seconds = 86400.0 * days_of(year, month, day);
  if (*at == '\0') return 1;
  if (*at != 'T' && *at != 't' && *at != ' ') return 0;
  return parse_clock(at + 1, seconds);
}

//: date_part
/* 0 year, 1 month, 2 day, 3 weekday (1: Monday), 4 hour, 5 seconds since the start. */
@local@ double date_part(int part, double time, double start) {
  const double days = floor(time / 86400);
  int z, era, of_era, year, of_year, m, day, month;
  if (part == 5) return time - start;
  if (part == 4) return floor((time - days * 86400) / 3600);
  z = (int)days;
  if (part == 3) return ((z + 3) % 7 + 7) % 7 + 1;
  z += 719468;
  era = (z >= 0 ? z : z - 146096) / 146097;
  of_era = z - era * 146097;
  year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  of_year = of_era - (365 * year + year / 4 - year / 100);
  m = (5 * of_year + 2) / 153;
  day = of_year - (153 * m + 2) / 5 + 1;
  month = m < 10 ? m + 3 : m - 9;
  return part == 2 ? day : part == 1 ? month : year + era * 400 + (month <= 2);
}

//: read_date_cell
@local@ int read_date_cell(const column* c, const double* numbers, const char* const* texts, double* x) {
  const char* text = texts[c->cell];
  const int missing = text == NULL || is_missing_text(text), each = c->scale_count / dates[c->table].count;
  double time = 0, v;
  int k;
  (void)numbers;
[missing_error]  if (missing) return 0;
  if (!missing && !parse_date(text, &time)) return 0;
  write_indicator(c, missing, x);
  for (k = 0; k < c->scale_count; ++k) {
    v = missing ? parameters[dates[c->table].fills + k / each]
                : date_part(integers[dates[c->table].parts + k / each], time, dates[c->table].start);
    x[c->input + k] = @scaled@(c->first_scale + k, v);
  }
  return 1;
}

//: level_of_number
@local@ int level_of_number(int t, double number) {
  const double* numbers = parameters + levels[t].numbers;
  int first = 0, last = levels[t].number_count;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (numbers[middle] < number)
      first = middle + 1;
    else
      last = middle;
  }
  if (first == levels[t].number_count || numbers[first] != number) return -1;
  return integers[levels[t].number_positions + first];
}

//: level_of
/* The position of a category, -1: training did not see it. */
@local@ int level_of(int t, const char* text) {
  const char* const* names = labels + levels[t].first_label;
  int first = 0, last = levels[t].count;
  double number;
  while (first < last) {
    const int middle = first + (last - first) / 2, order = strcmp(names[middle], text);
    if (order == 0) return integers[levels[t].positions + middle];
    if (order < 0)
      first = middle + 1;
    else
      last = middle;
  }
  return parse_number(text, &number) ? level_of_number(t, number) : -1;
}

//: read_category_cell
@local@ int read_category_cell(const column* c, const double* numbers, const char* const* texts, double* x) {
  const char* text = texts[c->cell];
  const int t = c->table, missing = text == NULL || *text == '\0';
  int level = missing ? -1 : level_of(t, text), k, place;
  (void)numbers;
[missing_error]  if (missing) return 0;
[!unseen_ignored]  if (!missing && level < 0) return 0;
  write_indicator(c, missing, x);
[missing_impute]  if (missing) level = (int)c->fill;
  for (k = 0; k < c->scale_count; ++k) x[c->input + k] = @scaled@(c->first_scale + k, 0);
  place = level < 0 || levels[t].one_hot < 0 ? level : integers[levels[t].one_hot + level];
  if (place >= 0) x[c->input + place] = @scaled@(c->first_scale + place, 1);
  for (k = 0; k < levels[t].effect_count; ++k)
    x[c->input + c->scale_count + k] =
        @scaled@(levels[t].effect_scales + k, level < 0 ? 0 : parameters[levels[t].effects + k * levels[t].count + level]);
  return 1;
}

//: readers
static int (*const readers[])(const column*, const double*, const char* const*, double*) = @readers@;

//: encode
/* The inputs of a row; 0, or 1 + the column whose cell cannot be used. */
@local@ int encode(const double* numbers, const char* const* texts, double* x) {
  int k;
  for (k = 0; k < COLUMNS; ++k)
    if (!readers[steps[k].reader](steps + k, numbers, texts, x)) return k + 1;
[bias]  x[INPUTS - 1] = 1;
  return 0;
}
