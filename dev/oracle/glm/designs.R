# Model matrices as R makes them: writes designs.csv (a small table) and designs.tsv (formula, names of the columns, and
# for each column the sum of row number times value, which is exact: all values are small integers).
# Run in this folder: Rscript designs.R [folder to write to]
arguments <- commandArgs(trailingOnly = TRUE)
out <- if (length(arguments) > 0) arguments[1] else "."
set.seed(1)
table <- data.frame(
  y = c(0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1),
  a = rep(c("p", "q", "r"), 4),
  b = rep(c("u", "v"), each = 6),
  c = c("k", "l", "l", "k", "k", "l", "k", "l", "k", "k", "l", "l"),
  x = c(1, 4, 2, 7, 3, 9, 5, 8, 6, 11, 10, 12),
  z = c(3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, 8),
  t = c(TRUE, FALSE, FALSE, TRUE, TRUE, TRUE, FALSE, FALSE, TRUE, FALSE, TRUE, FALSE),
  check.names = FALSE)
table[["my col"]] <- c(2, 1, 3, 2, 1, 3, 3, 2, 1, 1, 2, 3)
write.csv(table, file.path(out, "designs.csv"), row.names = FALSE, quote = FALSE)

named <- c("y~a+b-1", "y~x+a-1", "y~x:a+b-1", "y~a/x", "y~(a+b)/x", "y~a%in%b", "y~t+t:x", "y~t-1", "y~I(x>5)*a",
  "y~factor(`my col`)", "y~factor(`my col`)*x - 1", "y~`my col`:a", "y~.-b", "y~.", "y~.^2", "y~0", "y~1", "y~a+0+b", "y~a-1+1",
  "y~I( x ^ 2 *3.0)+I(-x)", "y~I((x+1)*2)", "y~offset(x)+a", "y~(x+z)^2-x", "y~a*x-x", "y~a*x-a", "y~I(x%%2)+I(x<3)",
  "y~a*b*c-a", "y~a*b*c-a-b:c", "y~(a+b+c+x)^3-a:b", "y~x+I(x^2)+I(x^3)", "y~a:b:c+x:z", "y~-1+t+a", "y~b:(a+x)",
  "y~a*(b+x)-1", "y~x:z:t", "y~I(!t)", "y~x*I(z*t)", "y~a+a:b+a:b:c", "y~c+b+a+c:b", "y~I(x%/%2):b")
all_terms <- function(variables) {
  sets <- unlist(lapply(seq_along(variables), function(k) combn(variables, k, simplify = FALSE)), recursive = FALSE)
  vapply(sets, paste, "", collapse = ":")
}
three <- all_terms(c("a", "b", "x"))
for (mask in 1:127) {
  some <- three[bitwAnd(mask, 2^(0:6)) > 0]
  named <- c(named, paste("y ~", paste(some, collapse = " + ")), paste("y ~", paste(some, collapse = " + "), "- 1"))
}
four <- all_terms(c("x", "a", "b", "c"))
for (i in 1:150) {
  some <- sample(four, sample(1:6, 1))
  some <- vapply(strsplit(some, ":"), function(v) paste(sample(v), collapse = ":"), "")
  named <- c(named, paste("y ~", paste(some, collapse = " + "), if (i %% 2) "- 1" else ""))
}
lines <- vapply(unique(trimws(named)), function(text) {
  x <- model.matrix(as.formula(text), model.frame(as.formula(text), table))
  paste(text, paste(colnames(x), collapse = "|"), paste(format(colSums(x * seq_len(nrow(x))), digits = 15, trim = TRUE,
    scientific = FALSE), collapse = "|"), sep = "\t")
}, "")
writeLines(c("formula\tnames\tsums", lines), file.path(out, "designs.tsv"))
