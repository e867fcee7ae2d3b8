/* .Call wrappers of weft.h. R's memory holds everything while an R error may jump out of a function. */
#include <weft.h>

#define R_NO_REMAP

#include <R.h>
#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>

static void stop_with(weft_error* error) {
  char message[2000];
  snprintf(message, sizeof message, "%s", weft_error_message(error));
  weft_error_free(error);
  Rf_error("%s", message);
}

static void finalize(SEXP pointer) {
  weft_model_free(R_ExternalPtrAddr(pointer));
  R_ClearExternalPtr(pointer);
}

static SEXP wrap(weft_model* model) {
  SEXP pointer = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, finalize, TRUE);
  UNPROTECT(1);
  return pointer;
}

static weft_model* unwrap(SEXP pointer) {
  weft_model* model = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
  if (model == NULL) Rf_error("this model is from another session: weft_save and weft_load keep models");
  return model;
}

static void check_interrupt(void* unused) {
  (void)unused;
  R_CheckUserInterrupt();
}

static int progress(void* user, const char* stage, double done, double total) {
  (void)user, (void)stage, (void)done, (void)total;
  return R_ToplevelExec(check_interrupt, NULL) ? 0 : 1;
}

static void note(void* user, const char* text) {
  (void)user;
  REprintf("weft: %s\n", text);
}

static const weft_callbacks callbacks = {progress, note, NULL};

static weft_table table_of(SEXP columns, size_t rows) {
  SEXP names = Rf_getAttrib(columns, R_NamesSymbol);
  const R_xlen_t count = XLENGTH(columns);
  weft_column* all = (weft_column*)R_alloc((size_t)count, sizeof(weft_column));
  for (R_xlen_t c = 0; c < count; ++c) {
    SEXP column = VECTOR_ELT(columns, c);
    all[c] = (weft_column){Rf_translateCharUTF8(STRING_ELT(names, c)), NULL, NULL};
    if (TYPEOF(column) == REALSXP) {
      all[c].numbers = REAL(column);
      continue;
    }
    const char** texts = (const char**)R_alloc(rows, sizeof(char*));
    for (size_t i = 0; i < rows; ++i) {
      SEXP text = STRING_ELT(column, (R_xlen_t)i);
      texts[i] = text == NA_STRING ? NULL : Rf_translateCharUTF8(text);
    }
    all[c].texts = texts;
  }
  return (weft_table){rows, (size_t)count, all};
}

static SEXP C_weft_train(SEXP columns, SEXP target, SEXP options) {
  const weft_table table = table_of(columns, (size_t)XLENGTH(VECTOR_ELT(columns, 0)));
  const size_t count = (size_t)XLENGTH(options);
  const char** texts = (const char**)R_alloc(count + 1, sizeof(char*));
  for (size_t k = 0; k < count; ++k) texts[k] = Rf_translateCharUTF8(STRING_ELT(options, (R_xlen_t)k));
  weft_error* error = NULL;
  weft_model* model = weft_train(&table, Rf_translateCharUTF8(STRING_ELT(target, 0)), texts, count, &callbacks, &error);
  if (model == NULL) stop_with(error);
  return wrap(model);
}

static SEXP C_weft_load(SEXP path) {
  weft_error* error = NULL;
  weft_model* model = weft_model_load(Rf_translateChar(STRING_ELT(path, 0)), &error);
  if (model == NULL) stop_with(error);
  return wrap(model);
}

static SEXP C_weft_save(SEXP pointer, SEXP path) {
  weft_error* error = NULL;
  if (weft_model_save(unwrap(pointer), Rf_translateChar(STRING_ELT(path, 0)), &error) != 0) stop_with(error);
  return path;
}

static SEXP C_weft_predict(SEXP pointer, SEXP columns, SEXP row_count, SEXP with_probabilities) {
  const weft_model* model = unwrap(pointer);
  const size_t rows = (size_t)Rf_asReal(row_count);
  const int shares = Rf_asLogical(with_probabilities);
  const weft_table table = table_of(columns, rows);
  SEXP answer = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(answer, 0, Rf_allocVector(REALSXP, (R_xlen_t)(rows * weft_model_values(model))));
  SET_VECTOR_ELT(answer, 1, Rf_allocVector(REALSXP, shares ? (R_xlen_t)(rows * weft_model_classes(model)) : 0));
  weft_error* error = NULL;
  if (weft_predict(model, &table, REAL(VECTOR_ELT(answer, 0)), shares ? REAL(VECTOR_ELT(answer, 1)) : NULL, &callbacks,
                   &error) != 0)
    stop_with(error);
  UNPROTECT(1);
  return answer;
}

static SEXP texts_of(const weft_model* model, size_t count, const char* (*text)(const weft_model*, size_t)) {
  SEXP all = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
  for (size_t k = 0; k < count; ++k) SET_STRING_ELT(all, (R_xlen_t)k, Rf_mkCharCE(text(model, k), CE_UTF8));
  UNPROTECT(1);
  return all;
}

static SEXP C_weft_info(SEXP pointer) {
  const weft_model* model = unwrap(pointer);
  const char* names[] = {"columns", "values", "classes", "probabilities", ""};
  SEXP info = PROTECT(Rf_mkNamed(VECSXP, names));
  SET_VECTOR_ELT(info, 0, texts_of(model, weft_model_columns(model), weft_model_column));
  SET_VECTOR_ELT(info, 1, texts_of(model, weft_model_values(model), weft_model_value));
  SET_VECTOR_ELT(info, 2, texts_of(model, weft_model_classes(model), weft_model_class));
  SET_VECTOR_ELT(info, 3, Rf_ScalarLogical(weft_model_has_probabilities(model)));
  UNPROTECT(1);
  return info;
}

static SEXP C_weft_json(SEXP pointer) {
  return Rf_mkString(weft_model_json(unwrap(pointer)));
}

#define CALL(name, arguments) {#name, (DL_FUNC)&name, arguments}
static const R_CallMethodDef calls[] = {CALL(C_weft_train, 3), CALL(C_weft_load, 1), CALL(C_weft_save, 2),
                                        CALL(C_weft_predict, 4), CALL(C_weft_info, 1), CALL(C_weft_json, 1), {NULL, NULL, 0}};

void R_init_weft(DllInfo* library) {
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
}
