# Columns as the library takes them: numbers, or texts for factors, characters, dates and times.
columns_of <- function(frame) {
  lapply(frame, function(column) {
    if (inherits(column, "POSIXt")) return(format(column, "%Y-%m-%dT%H:%M:%OS", tz = "UTC"))
    if (is.factor(column) || inherits(column, "Date")) return(as.character(column))
    if (is.logical(column) || is.numeric(column)) return(as.double(column))
    as.character(column)
  })
}

new_model <- function(pointer, formula = NULL) {
  structure(list(pointer = pointer, formula = formula, info = .Call(C_weft_info, pointer)), class = "weft")
}

#' Trains a model: `price ~ .` or `price ~ size + city` on a data frame. Further arguments are options of
#' `weft train` (`fit = "local"`, `max_time = 10`, `weights = "w"`); without `fit` it is the portfolio of learned kernels.
weft_train <- function(formula, data, ...) {
  frame <- as.data.frame(data)
  target <- all.vars(formula[[2]])
  inputs <- all.vars(formula[[3]])
  if (any(attr(stats::terms(formula, data = frame), "order") > 1))
    stop("formula: give variables alone; interactions are learned")
  if ("." %in% inputs) inputs <- setdiff(names(frame), target)
  options <- list(...)
  kept <- c(inputs, target, unlist(options[names(options) %in% c("weights", "group", "time", "folds_column")]))
  missing <- setdiff(kept, names(frame))
  if (length(missing) > 0) stop("data has no column ", paste(missing, collapse = ", "))
  texts <- vapply(options, function(value) if (is.logical(value)) tolower(as.character(value)) else
    format(value, digits = 17, scientific = FALSE, trim = TRUE), "")
  pointer <- .Call(C_weft_train, columns_of(frame[unique(kept)]), paste(target, collapse = ","),
                   if (length(texts) > 0) paste0(names(texts), "=", texts) else character())
  new_model(pointer, formula)
}

weft_load <- function(path) new_model(.Call(C_weft_load, path.expand(path)))

weft_save <- function(model, path) invisible(.Call(C_weft_save, model$pointer, path.expand(path)))

#' Predicted numbers or classes (a factor) of the rows of `newdata`; `type = "prob"`: a matrix of class probabilities.
predict.weft <- function(object, newdata, type = c("response", "prob"), ...) {
  type <- match.arg(type)
  info <- object$info
  if (type == "prob" && !info$probabilities) stop("this model has no class probabilities")
  answer <- .Call(C_weft_predict, object$pointer, columns_of(as.data.frame(newdata)), nrow(newdata), type == "prob")
  if (type == "prob") return(matrix(answer[[2]], ncol = length(info$classes), byrow = TRUE, dimnames = list(NULL, info$classes)))
  if (length(info$classes) > 0) return(factor(info$classes[answer[[1]] + 1], levels = info$classes))
  if (length(info$values) == 1) return(answer[[1]])
  matrix(answer[[1]], ncol = length(info$values), byrow = TRUE, dimnames = list(NULL, info$values))
}

print.weft <- function(x, ...) {
  info <- x$info
  cat("weft model of", paste(info$values, collapse = ", "))
  if (length(info$classes) > 0) cat(" with classes", paste(info$classes, collapse = ", "))
  cat("\ninputs:", paste(info$columns, collapse = ", "), "\n")
  invisible(x)
}

#' The description of the model as JSON text, with options, provenance and the report of the fit.
summary.weft <- function(object, ...) {
  structure(list(info = object$info, json = .Call(C_weft_json, object$pointer)), class = "summary.weft")
}
