# gm_eval() is what R computes, row by row.
library(gristmill)
gm_threads(2)

df <- data.frame(x = c(1.5, NA, -2, NaN, 7, 0), i = c(1L, 2L, NA, 4L, 5L, 6L), ok = c(TRUE, FALSE, NA, TRUE, TRUE, FALSE),
                 s = c("a", "b", NA, "a", "c", "b"), f = factor(c("u", "v", "u", NA, "v", "u")),
                 d = as.Date("2024-02-28") + c(0:4, NA), stringsAsFactors = FALSE)

found <- gm_eval(df, z = x / 2, w = z + i, up = x > 0, p = pnorm(x, lower.tail = FALSE))
expect_identical(names(found), c(names(df), "z", "w", "up", "p"))
expect_identical(found$z, df$x / 2)
expect_identical(is.na(found$w), is.na(df$x / 2 + df$i))
expect_identical(found$up, c(TRUE, NA, FALSE, NA, TRUE, FALSE))
expect_identical(found$p, gristmill::pnorm(df$x, lower.tail = FALSE))
# NA and NaN stay apart
expect_identical(is.nan(found$z), is.nan(df$x))
expect_identical(found[names(df)], df)

clean <- data.frame(x = c(2, 4, 4, 5, 9, 12), g = c("a", "b", "a", "b", "b", "a"))
found <- gm_eval(clean, z = (x - mean(x)) / sd(x), p = pnorm(z))
expect_equal(found$z, (clean$x - mean(clean$x)) / sd(clean$x))
expect_equal(found$p, stats::pnorm(found$z))
expect_equal(gm_eval(clean, m = mean(x), v = var(x), q = quantile(x, 0.25), .only = TRUE),
             data.frame(m = mean(clean$x), v = var(clean$x), q = unname(quantile(clean$x, 0.25))))

# groups, in the order in which they appear; running results
found <- gm_eval(clean, n = n(), m = mean(x), .by = "g")
expect_equal(found, data.frame(g = c("a", "b"), n = c(3, 3), m = c(6, 6)))
expect_equal(gm_eval(clean, d = x - mean(x, by = g))$d, clean$x - ave(clean$x, clean$g))
expect_equal(gm_eval(clean, s = cumsum(x), l = lag(x, 1))[c("s", "l")], data.frame(s = cumsum(clean$x), l = c(NA, clean$x[-6])))
expect_equal(gm_eval(clean, s = cumsum(x), .by = "g")$s, ave(clean$x, clean$g, FUN = cumsum))

# text, factors, truth values, dates
expect_identical(gm_eval(df, y = s == "a")$y, df$s == "a")
expect_identical(gm_eval(df, y = f %in% c("u", "w"))$y, df$f %in% c("u", "w"))
expect_identical(gm_eval(df, y = is.na(s))$y, is.na(df$s))
expect_identical(gm_eval(df, y = !ok & x > 0)$y, !df$ok & df$x > 0)
expect_identical(gm_eval(df, y = d >= "2024-03-01")$y, df$d >= as.Date("2024-03-01"))
expect_equal(gm_eval(df, y = as.numeric(d) - 1)$y, as.numeric(df$d) - 1)

# variables of the caller: a number, words, a value for each row
half <- -0.5
words <- c("a", "z")
other <- 11:16
expect_identical(gm_eval(clean, y = x * half^2)$y, clean$x * half^2)
expect_identical(gm_eval(clean, y = g %in% words)$y, clean$g %in% words)
expect_identical(gm_eval(clean, y = x + other)$y, clean$x + other)
sd <- 3
expect_identical(gm_eval(clean, y = (x - 1) / sd)$y, (clean$x - 1) / 3)
rm(sd)
f <- function(k) gm_eval(clean, y = x * k)
expect_identical(f(2)$y, clean$x * 2)
expect_identical(gm_eval(clean, y = x * 0.1 + 1/3)$y, clean$x * 0.1 + 1/3)

# random numbers: by R's seed, on any number of threads
set.seed(7); a <- gm_eval(clean, r = rnorm(0, 1))$r
set.seed(7); gm_threads(1); b <- gm_eval(clean, r = rnorm(0, 1))$r
gm_threads(2)
expect_identical(a, b)
expect_false(identical(a, gm_eval(clean, r = rnorm(0, 1))$r))
set.seed(7); before <- .Random.seed; invisible(gm_eval(clean, r = x)); expect_identical(before, .Random.seed)
expect_identical(gm_eval(clean, r = runif(), .seed = 1), gm_eval(clean, r = runif(), .seed = 1))

# a device gives the same bits; without one the CPU does
expect_identical(gm_eval(clean, p = pgamma(x, 2.5), .only = TRUE), gm_eval(clean, p = pgamma(x, 2.5), .only = TRUE, use_opencl = TRUE))

# dates and times stay what they are where that is plain
when <- data.frame(d = as.Date("2024-01-01") + c(0, NA, 2), t = as.POSIXct("2024-01-01 12:00:00", tz = "UTC") + 0:2, k = 1:3)
expect_identical(gm_eval(when, y = d)$y, when$d)
expect_identical(gm_eval(when, y = d + k)$y, when$d + when$k)
expect_identical(gm_eval(when, y = (t - 60))$y, when$t - 60)
expect_identical(gm_eval(when, y = max(t), .only = TRUE)$y, max(when$t))
expect_equal(gm_eval(when, y = d - d)$y, as.numeric(when$d - when$d))
expect_identical(gm_eval(when, y = d > as.Date("2024-01-01"))$y, when$d > as.Date("2024-01-01"))
start <- "2024-01-02"
expect_identical(gm_eval(when, y = d >= as.Date(start))$y, c(FALSE, NA, TRUE))
expect_identical(gm_eval(when, y = t >= as.POSIXct("2024-01-01 12:00:01", tz = "UTC"))$y, c(FALSE, TRUE, TRUE))

# spans of time and wide integers are numbers; what is nothing to compute with says so
odd <- data.frame(k = 1:2)
odd$span <- as.difftime(c(5, 6), units = "mins")
odd$wide <- structure(readBin(as.raw(c(5, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128)), "double", 2L, endian = "little"), class = "integer64")
odd$list <- list(1, "a")
odd$matrix <- matrix(1:4, 2)
expect_identical(gm_eval(odd, y = span * 2)$y, c(10, 12))
expect_identical(gm_eval(odd, y = wide + 0)$y, c(2^32 + 5, NA))
expect_error(gm_eval(odd, y = list), "'list' is of class list, which cannot be computed with")
expect_error(gm_eval(odd, y = matrix + 1), "'matrix' is a matrix")

# no rows
none <- clean[0, ]
expect_identical(gm_eval(none, m = mean(x), n = n(), .only = TRUE), data.frame(m = NaN, n = 0))
expect_identical(dim(gm_eval(none, m = mean(x), z = x + 1)), c(0L, 4L))
expect_identical(gm_eval(none, m = mean(x), .by = "g"), data.frame(g = character(), m = numeric()))

# shapes and classes
expect_equal(nrow(gm_eval(clean[0, ], z = x + 1)), 0L)
expect_identical(gm_eval(clean[1, ], z = x + half)$z, 1.5)
odd <- structure(list(`a b` = 1:3), row.names = c("p", "q", "r"), class = c("mine", "data.frame"))
found <- gm_eval(odd, `c d` = `a b` * 2)
expect_identical(class(found), c("mine", "data.frame"))
expect_identical(rownames(found), c("p", "q", "r"))
expect_identical(found[["c d"]], c(2, 4, 6))
expect_identical(names(gm_eval(clean, x + 1)), c("x", "g", "x + 1"))
expect_identical(gm_eval(clean, x = x * 2)$x, clean$x * 2)
frame <- data.frame(x = 1:2)
frame$l <- list(1, "a")
expect_identical(gm_eval(frame, y = x + 1)$l, frame$l)

expect_warning(gm_eval(clean, y = log(-x)), "NaNs produced")
expect_error(gm_eval(clean, y = z + 1), "z")
expect_error(gm_eval(clean, y = pnrm(x)), "pnorm")
expect_error(gm_eval(clean), "no expression")
expect_error(gm_eval(clean, y = NULL), "'y' is NULL")
expect_identical(gm_eval(clean, y = stats::pnorm(x))$y, gm_eval(clean, y = gristmill::pnorm(x))$y)
expect_error(gm_eval(1:3, y = x), "'.data'")
expect_error(gm_eval(clean, y = x, .by = "h"), "'h'")
expect_error(gm_eval(clean, y = x, .seed = -1), "'.seed'")
expect_error(gm_eval(clean, y = g + 1), "g")
