//: *

/* A program: reads a CSV table with a header line from standard input, writes its predictions. */
enum { MOST_CELLS = 1 << 16, MOST_BYTES = 1 << 22, NUMBERS = @number_count@, TEXTS = @text_count@, VALUES = @value_count@ };
static char record[MOST_BYTES];
static char* cells[MOST_CELLS];
static long record_line = 1, next_line = 1;

@local@ void fail(const char* what, const char* name) {
  fprintf(stderr, "@name@: line %ld: %s%s\n", record_line, what, name);
  exit(1);
}

@local@ int next_byte(void) {
  const int c = getchar();
  next_line += c == '\n';
  return c;
}

@local@ size_t put_byte(size_t at, int c) {
  if (at + 2 >= MOST_BYTES) fail("the row is too long", "");
  record[at] = (char)c;
  return at + 1;
}

@local@ int is_blank_byte(int c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/* One cell from `at` on, blanks around it left out; *c is what ends it. */
@local@ size_t read_cell(size_t at, int* c, int* quoted) {
  const size_t first = at;
  while (is_blank_byte(*c)) *c = next_byte();
  *quoted = *c == '"';
  if (*quoted) {
    for (;;) {
      *c = next_byte();
      if (*c == EOF) fail("a quote is opened but never closed", "");
      if (*c == '"' && (*c = next_byte()) != '"') break;
      at = put_byte(at, *c);
    }
    while (is_blank_byte(*c)) *c = next_byte();
    if (*c != ',' && *c != '\n' && *c != EOF) fail("there is text after a closing quote", "");
  } else {
    for (; *c != ',' && *c != '\n' && *c != EOF; *c = next_byte()) at = put_byte(at, *c);
    while (at > first && is_blank_byte((unsigned char)record[at - 1])) --at;
  }
  record[at] = '\0';
  return at + 1;
}

/* The number of its cells; 0 at the end. Blank lines are skipped. */
@local@ int next_record(void) {
  int c, count, quoted;
  size_t at;
  do {
    at = 0;
    count = 0;
    record_line = next_line;
    c = next_byte();
    if (c == EOF) return 0;
    for (;; c = next_byte()) {
      if (count == MOST_CELLS) fail("the row has too many cells", "");
      cells[count++] = record + at;
      at = read_cell(at, &c, &quoted);
      if (c != ',') break;
    }
  } while (count == 1 && !quoted && cells[0][0] == '\0');
  return count;
}

@local@ void print_cell(const char* text) {
  if (strpbrk(text, ",\"\r\n") == NULL && *text != '\0' && *text != ' ' && text[strlen(text) - 1] != ' ') {
    fputs(text, stdout);
    return;
  }
  putchar('"');
  for (; *text != '\0'; ++text) {
    if (*text == '"') putchar('"');
    putchar(*text);
  }
  putchar('"');
}

//: is_na_value
/* Cells that training called missing. */
@local@ int is_na_value(const char* cell) {
  static const char* const texts[] = @na_values@;
  size_t k;
  for (k = 0; k < sizeof texts / sizeof *texts; ++k)
    if (strcmp(cell, texts[k]) == 0) return 1;
  return 0;
}
//: is_na_number
@local@ int is_na_number(double number) {
  static const double numbers[] = @na_numbers@;
  size_t k;
  for (k = 0; k < sizeof numbers / sizeof *numbers; ++k)
    if (number == numbers[k]) return 1;
  return 0;
}

//: number_of_cell
@local@ double number_of_cell(const char* cell, int column) {
  double number;
[na_values]  if (is_na_value(cell)) return NAN;
  if (is_missing_text(cell)) return NAN;
  if (*cell == '+' && cell[1] != '-' && cell[1] != '\0') ++cell;
  if (!parse_number(cell, &number)) fail("no number in column ", @prefix@columns[column]);
[na_numbers]  if (is_na_number(number)) return NAN;
  return number;
}

//: *
@local@ void print_header(void) {
  int k;
  for (k = 0; k < VALUES; ++k) {
    if (k > 0) putchar(',');
    print_cell(@prefix@outputs[k]);
  }
  putchar('\n');
}

@local@ void print_prediction(const double* out) {
  int k;
  for (k = 0; k < VALUES; ++k) {
    if (k > 0) putchar(',');
[classes]    if (k == 0) {
[classes]      print_cell(@prefix@classes[(int)out[0]]);
[classes]      continue;
[classes]    }
    printf("%.17g", out[k]);
  }
  putchar('\n');
}

/* Finds the columns in the header line; gives its number of cells. */
@local@ int read_header(int* place) {
  int count, k, c;
  do {
    count = next_record();
  } while (count > 0 && cells[0][0] == '#');
  if (count > 0 && strncmp(cells[0], "\xEF\xBB\xBF", 3) == 0) cells[0] += 3;
  for (k = 0; k < COLUMNS; ++k) {
    for (c = 0; c < count && strcmp(cells[c], @prefix@columns[k]) != 0; ++c) {
    }
    if (c == count && steps[k].cell >= 0) fail("there is no column ", @prefix@columns[k]);
    place[k] = c;
  }
  return count;
}

@local@ void read_row(const int* place, double* numbers, const char** texts) {
  int k;
  (void)numbers;
  (void)texts;
  for (k = 0; k < COLUMNS; ++k) {
    const char* cell = steps[k].cell < 0 ? NULL : cells[place[k]];
    if (steps[k].cell < 0) continue;
[numbers]    if (steps[k].reader == @number_reader@) {
[numbers]      numbers[steps[k].cell] = number_of_cell(cell, k);
[numbers]      continue;
[numbers]    }
[na_values]    if (is_na_value(cell)) cell = NULL;
[texts]    texts[steps[k].cell] = cell;
  }
}

[cpp]static inline int run(int argc, char** argv) {
[!cpp]int main(int argc, char** argv) {
  static int place[COLUMNS];
  static double numbers[NUMBERS + 1];
  static const char* texts[TEXTS + 1];
  double out[VALUES];
  int count, found, unusable;
[!file]  (void)argc;
[!file]  (void)argv;
[file]  if (@prefix@load(argc > 1 ? argv[1] : "@name@.bin") != 0) {
[file]    fprintf(stderr, "@name@: %s is not the file of this model's parameters; give its path\n", argc > 1 ? argv[1] : "@name@.bin");
[file]    return 1;
[file]  }
  count = read_header(place);
  print_header();
  while ((found = next_record()) > 0) {
    if (found != count) fail("the number of cells is not that of the header", "");
    read_row(place, numbers, texts);
    unusable = @prefix@predict(numbers, texts, out);
    if (unusable) fail("the cell cannot be used: column ", @prefix@columns[unusable - 1]);
    print_prediction(out);
  }
  return 0;
}
