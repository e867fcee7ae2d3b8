/* A C program that uses weft.h as a stranger would: trains, saves, loads, describes, predicts, and makes mistakes. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "weft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures = 0;

#define CHECK(condition) check(condition, #condition, __LINE__)
static void check(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "interface.c:%d: %s does not hold\n", line, what);
  ++failures;
}

/* The error is of this kind and names this word. */
static void check_error(weft_error* error, weft_status status, const char* word, int line) {
  if (weft_error_status(error) != status || strstr(weft_error_message(error), word) == NULL) {
    fprintf(stderr, "interface.c:%d: status %d, message: %s\n", line, (int)weft_error_status(error),
            weft_error_message(error));
    ++failures;
  }
  weft_error_free(error);
}
#define CHECK_ERROR(error, status, word) check_error(error, status, word, __LINE__)

enum { kRows = 300 };
static double size_of[kRows], age[kRows], price[kRows];
static const char* city[kRows];
static const char* dear[kRows];

static void make_rows(void) {
  static const char* const cities[] = {"Bern", "Gen\xc3\xa8ve", "Chur"};
  for (int i = 0; i < kRows; ++i) {
    size_of[i] = 40 + (i * 37 % 100);
    age[i] = i % 7 == 0 ? NAN : i * 13 % 50;
    city[i] = i % 11 == 0 ? NULL : cities[i % 3];
    price[i] = 3 * size_of[i] - (isnan(age[i]) ? 20 : age[i]) + 40 * (i % 3);
    dear[i] = price[i] > 300 ? "yes" : "no";
  }
}

static weft_table table_with(const char* target, weft_column columns[4]) {
  columns[0] = (weft_column){"size", size_of, NULL};
  columns[1] = (weft_column){"age", age, NULL};
  columns[2] = (weft_column){"city", NULL, city};
  columns[3] = strcmp(target, "price") == 0 ? (weft_column){"price", price, NULL} : (weft_column){"dear", NULL, dear};
  return (weft_table){kRows, 4, columns};
}

static int calls = 0, warnings = 0;
static int count_progress(void* user, const char* stage, double done, double total) {
  (void)stage, (void)done, (void)total;
  ++calls;
  return *(int*)user;
}
static void count_warning(void* user, const char* text) {
  (void)user;
  if (strstr(text, "Basel") != NULL) ++warnings;
}

static void rows_agree_with_tables(const weft_model* model, const weft_table* table) {
  const size_t classes = weft_model_classes(model);
  double all[kRows], probabilities[2 * kRows];
  weft_error* error = NULL;
  CHECK(weft_predict(model, table, all, classes > 0 ? probabilities : NULL, NULL, &error) == 0);
  for (int i = 0; i < kRows; ++i) {
    const weft_cell row[] = {{size_of[i], NULL}, {age[i], NULL}, {NAN, city[i]}};
    double value, shares[2];
    CHECK(weft_predict_row(model, row, 3, &value, classes > 0 ? shares : NULL, &error) == 0);
    CHECK(fabs(value - all[i]) <= 1e-9 * (1 + fabs(all[i])));
    if (classes > 0)
      CHECK(fabs(shares[0] + shares[1] - 1) < 1e-12 && fabs(shares[1] - probabilities[2 * i + 1]) < 1e-9);
  }
}

static weft_model* trained(const char* target, const char* const* options, size_t count) {
  weft_column columns[4];
  const weft_table table = table_with(target, columns);
  weft_error* error = NULL;
  weft_model* model = weft_train(&table, target, options, count, NULL, &error);
  if (model == NULL) {
    fprintf(stderr, "training failed: %s\n", weft_error_message(error));
    exit(1);
  }
  rows_agree_with_tables(model, &table);
  return model;
}

static void numbers(const char* path) {
  const char* const options[] = {"fit=least-squares", "family=rw-relu", "features=200", "lambda=1e-6", "seed=3"};
  weft_model* model = trained("price", options, 5);
  CHECK(weft_model_columns(model) == 3 && strcmp(weft_model_column(model, 2), "city") == 0);
  CHECK(weft_model_column(model, 3) == NULL);
  CHECK(weft_model_values(model) == 1 && strcmp(weft_model_value(model, 0), "price") == 0);
  CHECK(weft_model_classes(model) == 0 && !weft_model_has_probabilities(model));
  CHECK(strstr(weft_model_json(model), "rw-relu") != NULL);
  weft_error* error = NULL;
  CHECK(weft_model_save(model, path, &error) == 0);
  weft_model* again = weft_model_load(path, &error);
  CHECK(again != NULL);
  const weft_cell row[] = {{80, NULL}, {10, NULL}, {NAN, "Bern"}};
  double first, second;
  CHECK(weft_predict_row(model, row, 3, &first, NULL, NULL) == 0 &&
        weft_predict_row(again, row, 3, &second, NULL, NULL) == 0);
  CHECK(first == second && fabs(first - 230) < 15);
  CHECK(weft_predict_row(model, row, 2, &first, NULL, &error) != 0);
  CHECK_ERROR(error, WEFT_DATA_ERROR, "2 cells");
  CHECK(weft_predict_row(model, row, 3, &first, &second, &error) != 0);
  CHECK_ERROR(error, WEFT_OPTION_ERROR, "probabilities");
  weft_model_free(again);
  weft_model_free(model);
}

static void classes(void) {
  weft_model* model = trained("dear", NULL, 0);
  CHECK(weft_model_classes(model) == 2 && strcmp(weft_model_class(model, 1), "yes") == 0);
  CHECK(weft_model_has_probabilities(model));
  weft_model_free(model);
}

static void callbacks(void) {
  const char* const options[] = {"features=50", "seed=2"}; /* options of random features choose them */
  weft_column columns[4];
  const weft_table table = table_with("price", columns);
  int stop = 0;
  const weft_callbacks watching = {count_progress, count_warning, &stop};
  weft_error* error = NULL;
  weft_model* model = weft_train(&table, "price", options, 2, &watching, &error);
  CHECK(model != NULL && calls > 0);
  CHECK(strstr(weft_model_json(model), "least-squares") != NULL);
  const char* seen = city[5];
  city[5] = "Basel";
  double all[kRows];
  CHECK(weft_predict(model, &table, all, NULL, &watching, &error) == 0 && warnings == 1);
  city[5] = seen;
  stop = 1;
  CHECK(weft_train(&table, "price", options, 2, &watching, &error) == NULL);
  CHECK_ERROR(error, WEFT_CANCELLED, "");
  weft_model_free(model);
}

static void mistakes(void) {
  weft_column columns[4];
  weft_table table = table_with("price", columns);
  weft_error* error = NULL;
  CHECK(weft_model_load("/nowhere/none.weft", &error) == NULL);
  CHECK_ERROR(error, WEFT_FILE_ERROR, "none.weft");
  CHECK(weft_model_load(NULL, &error) == NULL);
  CHECK_ERROR(error, WEFT_OPTION_ERROR, "NULL");
  CHECK(weft_model_load("/nowhere/none.weft", NULL) == NULL);
  const char* const bad[][2] = {{"features", "name=value"}, {"features=ten", "whole number"}, {"sigma=-1", "sigma"},
                                {"colour=red", "colour"},   {"nonzeros=5", "nonzeros"},       {"fit=magic", "magic"},
                                {"scale=loud", "standard"}, {"bias=maybe", "true or false"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
    CHECK(weft_train(&table, "price", bad[k], 1, NULL, &error) == NULL);
    CHECK_ERROR(error, WEFT_OPTION_ERROR, bad[k][1]);
  }
  CHECK(weft_train(&table, "cost", NULL, 0, NULL, &error) == NULL);
  CHECK_ERROR(error, WEFT_OPTION_ERROR, "cost");
  columns[1].numbers = NULL;
  CHECK(weft_train(&table, "price", NULL, 0, NULL, &error) == NULL);
  CHECK_ERROR(error, WEFT_DATA_ERROR, "age");
  weft_error_free(NULL);
  weft_model_free(NULL);
}

int main(void) {
  char folder[] = "/tmp/weft-c-XXXXXX";
  if (mkdtemp(folder) == NULL) return 1;
  char path[64];
  snprintf(path, sizeof path, "%s/m.weft", folder);
  make_rows();
  numbers(path);
  classes();
  callbacks();
  mistakes();
  remove(path);
  rmdir(folder);
  if (failures == 0) printf("weft %s: all checks of the C interface hold\n", weft_version());
  return failures == 0 ? 0 : 1;
}
