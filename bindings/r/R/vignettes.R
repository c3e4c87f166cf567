# The engine of this package's own vignettes: Markdown whose chunks of R code are run, made into one HTML page with nothing but R.

register_vignette_engine <- function() {
    tools::vignetteEngine("plain", weave = weave_plain, tangle = tangle_plain, pattern = "[.]md$", package = "gristmill")
}

# The parts of a document: text, R code to run, and other code.
plain_parts <- function(lines) {
    parts <- list()
    kind <- "text"
    held <- character()
    keep <- function() if (length(held)) parts[[length(parts) + 1L]] <<- list(kind = kind, lines = held)
    for (line in lines) {
        if (startsWith(line, "```")) {
            keep()
            held <- character()
            kind <- if (kind != "text") "text" else if (trimws(substring(line, 4L)) == "r") "run" else "code"
        } else {
            held <- c(held, line)
        }
    }
    keep()
    parts
}

read_plain <- function(file) {
    lines <- readLines(file, encoding = "UTF-8", warn = FALSE)
    # What R reads of a vignette stands in a comment.
    lines[!grepl("^(<!--|-->|%\\\\Vignette)", lines)]
}

html_escape <- function(text) gsub(">", "&gt;", gsub("<", "&lt;", gsub("&", "&amp;", text, fixed = TRUE), fixed = TRUE), fixed = TRUE)

html_inline <- function(text) {
    text <- html_escape(text)
    text <- gsub("`([^`]+)`", "<code>\\1</code>", text)
    text <- gsub("\\[([^]]+)\\]\\(([^)]+)\\)", "<a href=\"\\2\">\\1</a>", text)
    gsub("\\*\\*([^*]+)\\*\\*", "<b>\\1</b>", text)
}

# Headings, lists and paragraphs.
html_text <- function(lines) {
    blocks <- split(lines, cumsum(!nzchar(trimws(lines))))
    out <- character()
    for (block in blocks) {
        block <- block[nzchar(trimws(block))]
        if (!length(block)) next
        if (grepl("^#+ ", block[1L])) {
            level <- nchar(sub("^(#+) .*", "\\1", block[1L]))
            out <- c(out, sprintf("<h%d>%s</h%d>", level, html_inline(sub("^#+ ", "", block[1L])), level))
            block <- block[-1L]
            if (!length(block)) next
        }
        if (startsWith(block[1L], "- ")) {
            items <- split(block, cumsum(startsWith(block, "- ")))
            items <- vapply(items, function(item) html_inline(paste(sub("^- ", "", trimws(item)), collapse = " ")), "")
            out <- c(out, "<ul>", paste0("<li>", items, "</li>"), "</ul>")
        } else {
            out <- c(out, paste0("<p>", html_inline(paste(block, collapse = "\n")), "</p>"))
        }
    }
    out
}

# Runs code as a session would, and shows it with what it printed.
run_chunk <- function(lines, envir) {
    shown <- character()
    expressions <- parse(text = lines, keep.source = TRUE)
    for (i in seq_along(expressions)) {
        source <- as.character(attr(expressions, "srcref")[[i]])
        output <- utils::capture.output({
            value <- withVisible(eval(expressions[[i]], envir))
            if (value$visible) print(value$value)
        })
        shown <- c(shown, source, if (length(output)) paste("#>", output))
    }
    shown
}

weave_plain <- function(file, ...) {
    envir <- new.env(parent = globalenv())
    body <- character()
    lines <- read_plain(file)
    for (part in plain_parts(lines)) {
        body <- c(body, switch(part$kind,
            text = html_text(part$lines),
            code = c("<pre>", html_escape(part$lines), "</pre>"),
            run = c("<pre>", html_escape(run_chunk(part$lines, envir)), "</pre>")))
    }
    title <- sub("^# ", "", grep("^# ", lines, value = TRUE)[1L])
    page <- c("<!DOCTYPE html>", "<html lang=\"en\"><head><meta charset=\"utf-8\">", paste0("<title>", html_escape(title), "</title>"),
              "<style>body{font:16px/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em}pre{background:#f4f4f4;padding:.7em;overflow:auto;line-height:1.3}</style>",
              "</head><body>", body, "</body></html>")
    output <- sub("[.]md$", ".html", basename(file))
    writeLines(enc2utf8(page), output, useBytes = TRUE)
    output
}

tangle_plain <- function(file, ...) {
    parts <- Filter(function(part) part$kind == "run", plain_parts(read_plain(file)))
    output <- sub("[.]md$", ".R", basename(file))
    writeLines(enc2utf8(unlist(lapply(parts, function(part) c(part$lines, "")))), output, useBytes = TRUE)
    output
}
