# Rows of fields, as the Rust library writes them: a list of character vectors.
records <- function(text) {
    rows <- strsplit(text, "\036", fixed = TRUE)[[1L]]
    # strsplit drops what ends a text, but keeps every empty field before it.
    lapply(rows, function(row) strsplit(row, "\037", fixed = TRUE)[[1L]])
}
