/* weft from C, and from every language that calls C: load, describe, predict, train.
 *
 *   weft_error* error = NULL;
 *   weft_model* model = weft_model_load("price.weft", &error);
 *   if (model == NULL) { fprintf(stderr, "%s\n", weft_error_message(error)); weft_error_free(error); return 1; }
 *   weft_cell row[] = {{120, NULL}, {0, "Bern"}, {NAN, NULL}};     one cell per weft_model_column(model, k)
 *   double price;
 *   if (weft_predict_row(model, row, 3, &price, NULL, &error)) …
 *   weft_model_free(model);
 *
 * Functions that can fail take a weft_error** and return NULL or a number other than 0; the error, which the caller frees,
 * says what is wrong, where, and what to do. NULL in place of it: no message is made. Texts are UTF-8; those that functions
 * return belong to the object they come from. Models do not change: any number of threads may use one.
 *
 * Link with -lweft_c. Functions keep their meaning while the library's number (libweft_c.so.1) stays. */
#ifndef WEFT_H
#define WEFT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_model weft_model;
typedef struct weft_error weft_error;

/* "0.1.0" */
const char* weft_version(void);

/* What kind of mistake it was. */
typedef enum weft_status {
  WEFT_OK = 0,
  WEFT_FILE_ERROR = 1,   /* cannot be opened, read, written */
  WEFT_DATA_ERROR = 2,   /* a table or a row that cannot be used */
  WEFT_OPTION_ERROR = 3, /* an option that is out of range, unknown or conflicts with others */
  WEFT_MEMORY_ERROR = 4, /* needs more memory than there is or max_memory allows */
  WEFT_MODEL_ERROR = 5,  /* a model file that is damaged, foreign or too new */
  WEFT_CANCELLED = 6,    /* a callback asked to stop */
  WEFT_INTERNAL_ERROR = 7
} weft_status;

weft_status weft_error_status(const weft_error* error);
const char* weft_error_message(const weft_error* error); /* one line: place, message and remedy */
void weft_error_free(weft_error* error);                 /* NULL is allowed, as in all functions that free */

/* ---- models ---- */

weft_model* weft_model_load(const char* path, weft_error** error);
/* A file that every other way to weft reads; written completely or not at all. */
int weft_model_save(const weft_model* model, const char* path, weft_error** error);
void weft_model_free(weft_model* model);

/* What the model is, as JSON: task, inputs, options, provenance, report of the fit. */
const char* weft_model_json(const weft_model* model);
/* The columns of a row, in the order of weft_predict_row. */
size_t weft_model_columns(const weft_model* model);
const char* weft_model_column(const weft_model* model, size_t column);
/* The numbers that are predicted per row: one per target or quantile, or one class. */
size_t weft_model_values(const weft_model* model);
const char* weft_model_value(const weft_model* model, size_t value); /* their names */
/* Classes of a classifier; 0 of a regression. A predicted class is the position of its label. */
size_t weft_model_classes(const weft_model* model);
const char* weft_model_class(const weft_model* model, size_t position);
int weft_model_has_probabilities(const weft_model* model);

/* ---- one row ---- */

/* `text` where it is not NULL, else `number`. NaN and "" are missing. */
typedef struct weft_cell {
  double number;
  const char* text;
} weft_cell;

/* Writes weft_model_values() numbers and, unless NULL, a probability per class. Takes microseconds and, after the first
 * call of a thread, allocates nothing. */
int weft_predict_row(const weft_model* model, const weft_cell* cells, size_t count, double* values,
                     double* probabilities, weft_error** error);

/* ---- tables ---- */

/* A column of numbers (NaN: missing) or, where `texts` is not NULL, of texts (NULL or "": missing). The memory stays the
 * caller's. */
typedef struct weft_column {
  const char* name;
  const double* numbers;
  const char* const* texts;
} weft_column;

typedef struct weft_table {
  size_t rows;
  size_t columns;
  const weft_column* column;
} weft_table;

/* All of them are called by the thread that called the library. */
typedef struct weft_callbacks {
  int (*progress)(void* user, const char* stage, double done, double total); /* not 0: stop; NULL: none */
  void (*warning)(void* user, const char* text);                            /* NULL: none */
  void* user;
} weft_callbacks;

/* Columns are found by name, others are ignored. `values`: rows x weft_model_values(), row after row; `probabilities`:
 * rows x classes, or NULL. */
int weft_predict(const weft_model* model, const weft_table* table, double* values, double* probabilities,
                 const weft_callbacks* callbacks, weft_error** error);

/* Fits a model of `target` (names, separated by commas) to all other columns. `options` are `count` texts "name=value": the
 * options of weft train without dashes ("fit=local", "max_time=10", "weights=w"; weft train --help). As there,
 * the portfolio is fitted where no option chooses something else, and options of random features choose least squares. */
weft_model* weft_train(const weft_table* table, const char* target, const char* const* options, size_t count,
                       const weft_callbacks* callbacks, weft_error** error);

#ifdef __cplusplus
}
#endif
#endif
