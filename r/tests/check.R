# check.R WEFT WORK: the package as an R user meets it, beside the command on the same model.
library(weft)
arguments <- commandArgs(trailingOnly = TRUE)
command <- arguments[1]
work <- arguments[2]

expect_error <- function(call, word) {
  message <- tryCatch({ call; "no error" }, error = conditionMessage)
  if (!grepl(word, message, fixed = TRUE)) stop("expected '", word, "' in: ", message)
}

# Numbers: the model file of R predicts the same with the command.
cars <- mtcars
cars$maker <- sub(" .*", "", rownames(mtcars))
model <- weft_train(mpg ~ ., cars, fit = "least-squares", features = 100, lambda = 1e-3)
predicted <- predict(model, cars)
stopifnot(length(predicted) == nrow(cars), cor(predicted, cars$mpg) > 0.9)
path <- file.path(work, "cars.weft")
weft_save(model, path)
stopifnot(identical(predict(weft_load(path), cars), predicted))
write.csv(cars, file.path(work, "cars.csv"), row.names = FALSE)
system2(command, c("predict", path, file.path(work, "cars.csv"), "--out", file.path(work, "out.csv"), "--quiet"))
stopifnot(max(abs(read.csv(file.path(work, "out.csv"))[[1]] - predicted)) < 1e-9)
# A few inputs, missing cells and a new category.
few <- weft_train(mpg ~ wt + maker, cars, fit = "least-squares", features = 50)
stopifnot(identical(few$info$columns, c("wt", "maker")))
odd <- data.frame(maker = c("Tesla", NA), wt = c(2.5, NA))
stopifnot(all(is.finite(suppressMessages(predict(few, odd)))))

# Classes: the default portfolio, as a factor with probabilities.
flowers <- weft_train(Species ~ ., iris)
stopifnot(mean(predict(flowers, iris) == iris$Species) > 0.95)
shares <- predict(flowers, iris, type = "prob")
stopifnot(identical(colnames(shares), levels(iris$Species)), max(abs(rowSums(shares) - 1)) < 1e-9)
stopifnot(grepl("portfolio", summary(flowers)$json, fixed = TRUE))
print(flowers)

# Mistakes are R errors, and say what to do.
expect_error(weft_train(mpg ~ nothing, cars), "nothing")
expect_error(weft_train(mpg ~ wt * cyl, cars), "interactions")
expect_error(weft_train(mpg ~ ., cars, colour = "red"), "colour")
expect_error(weft_load(file.path(work, "none.weft")), "none.weft")
expect_error(predict(flowers, iris[1:2]), "Petal")
expect_error(predict(model, cars, type = "prob"), "no class probabilities")
cat("all checks of the R package hold\n")
