pnorm <- function(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)
    .Call(C_stats_3_2, 73L, q, mean, sd, lower.tail, log.p)
