//! Trees of annotated OpenCL files: what the loader, the index, the tags, the stages and the manifests of R packages need.
//!
//! Packages come as the directory that R has installed them in; nothing here looks for them.

use crate::error::with_causes;
use crate::map::NA_INTEGER;
use crate::value::{Arguments, Operation, Output, Problem};
use gristmill_cl_library::{
    Change, Folder, Index, KernelLibrary, Library, LibraryError, Manifest, Package, Packages, ProgramRequest, Shard,
    Subset, SubsetRow, annotate_kernels, apply_changes, display_path, extract_library_subset, load_library_for_kernel,
    rds, set_annotations, stage, trace, write_atomically,
};
use gristmill_kernel_cl::LAYER_0;
use std::path::{Path, PathBuf};

pub(crate) fn operation(name: &str) -> Option<Operation> {
    Some(match name {
        "library_source" => source,
        "library_load" => load,
        "library_for_kernel" => for_kernel,
        "library_index" => index,
        "library_subset" => subset,
        "library_tags" => tags,
        "library_cross_tags" => cross_tags,
        "library_call_tags" => call_tags,
        "library_stage" => stage_library,
        "manifest_read" => manifest_read,
        "manifest_write" => manifest_write,
        "manifest_load" => manifest_load,
        "program" => program,
        _ => return None,
    })
}

fn words(error: LibraryError) -> Problem {
    // The command's words for what an R user does with a function.
    let text = with_causes(&error).replace("File not found: cl/", "File not found: inst/cl/");
    text.replace("say so with `--overwrite`", "say so with `overwrite = TRUE`").replace(
        "write the index again with `gristmill lib index",
        "write the index again with `write_kernel_dependency_index(",
    )
}

fn package(arguments: &mut Arguments<'_>) -> Result<Package, Problem> {
    let dir = arguments.string()?;
    Package::at(Path::new(dir)).ok_or_else(|| format!("File not found: {dir} has no folder `cl` or `inst/cl`"))
}

fn folder(arguments: &mut Arguments<'_>) -> Result<Folder, Problem> {
    Folder::at(Path::new(arguments.string()?)).map_err(words)
}

/// The text of `kernel_dependency_index.tsv`, or NULL for what is beside the library.
fn given_index(arguments: &mut Arguments<'_>) -> Result<Option<Index>, Problem> {
    let text = arguments.optional_string()?;
    text.map(|text| Index::parse_tsv(text, Path::new("index"))).transpose().map_err(words)
}

fn kernels(arguments: &mut Arguments<'_>) -> Result<Vec<Shard>, Problem> {
    arguments.strings()?.into_iter().map(|path| Shard::read(Path::new(path)).map_err(words)).collect()
}

/// package, path in its tree
fn source(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let package = package(&mut arguments)?;
    Ok(Output::text(package.load_kernel_source(arguments.string()?).map_err(words)?))
}

/// package, folder of its tree
fn load(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let package = package(&mut arguments)?;
    let library = package.library(arguments.string()?).map_err(words)?;
    let (passes, stuck) = library.order_prefix();
    let mut steps = trace(&passes, &library);
    if !stuck.is_empty() {
        let names: Vec<String> = library.stems(&stuck).iter().map(|stem| format!("{stem}.cl")).collect();
        steps.push_str(&format!("Stuck: {}\n", names.join(", ")));
    }
    let (text, problem) = match library.load() {
        Ok(text) => (Output::text(text), Output::Nothing),
        Err(error) => (Output::Nothing, Output::text(words(error))),
    };
    Ok(Output::list([("text", text), ("trace", Output::text(steps)), ("problem", problem)]))
}

/// kernel's file, library's folder, annotation, index
fn for_kernel(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let kernel = Shard::read(Path::new(arguments.string()?)).map_err(words)?;
    let dir = arguments.string()?;
    let tag = arguments.string()?;
    let index = given_index(&mut arguments)?;
    let part = load_library_for_kernel(&kernel, Path::new(dir), tag, index.as_ref()).map_err(words)?;
    let requested: Vec<String> = kernel.annotations().list(tag).iter().map(|s| (*s).to_owned()).collect();
    Ok(Output::list([
        ("text", Output::text(part.text())),
        ("requested", Output::texts(requested)),
        ("loaded", Output::texts(stems(&part))),
        ("provides", provides(&part)),
        ("has_tag", Output::flag(kernel.annotations().has(tag))),
    ]))
}

fn stems(part: &KernelLibrary) -> Vec<String> {
    part.shards().iter().map(|shard| shard.stem().to_owned()).collect()
}

fn provides(part: &KernelLibrary) -> Output {
    let of = |shard: &Shard| (shard.stem().to_owned(), Output::texts(shard.provides().into_iter().map(str::to_owned)));
    Output::List(part.shards().iter().map(of).collect())
}

/// The stems of the files that a file names in `@depends`.
fn direct_depends(library: &Library, at: usize) -> Vec<String> {
    let named = library.shards()[at].annotations().list("depends");
    let mut places: Vec<usize> = named.iter().filter_map(|name| library.resolve(name)).collect();
    places.dedup();
    library.stems(&places)
}

/// library's folder, whether to write
fn index(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let folder = folder(&mut arguments)?;
    let library = folder.library().map_err(words)?;
    let index = match arguments.flag()? {
        true => folder.write_index().map_err(words)?.0,
        false => Index::of_library(&library).map_err(words)?,
    };
    let place = |stem: &str| library.shards().iter().position(|shard| shard.stem() == stem);
    let direct = |stem: &str| place(stem).map(|at| direct_depends(&library, at)).unwrap_or_default();
    let row = |depends: Vec<String>, stem: &str| (stem.to_owned(), Output::texts(depends));
    Ok(Output::list([
        ("library_name", Output::text(library.name())),
        ("stems", Output::texts(index.rows().iter().map(|r| r.stem.clone()))),
        ("depends", Output::List(index.rows().iter().map(|r| row(direct(&r.stem), &r.stem)).collect())),
        ("all_depends", Output::List(index.rows().iter().map(|r| row(r.all_depends.clone(), &r.stem)).collect())),
        ("tsv", Output::text(index.to_tsv())),
    ]))
}

/// kernels' files, library's folder, destination, annotation, index, whether to overwrite, whether to write nothing
fn subset(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let kernels = kernels(&mut arguments)?;
    let dir = PathBuf::from(arguments.string()?);
    let dest = PathBuf::from(arguments.string()?);
    let tag = arguments.string()?;
    let index = given_index(&mut arguments)?;
    let (overwrite, plan_only) = (arguments.flag()?, arguments.flag()?);
    let planned = Subset { tag: Some(tag), overwrite: true, plan_only: true };
    let plan = || planned.extract(&kernels, &Folder::at(&dir)?, &dest);
    let mut kept: Vec<String> = Vec::new();
    let rows: Vec<SubsetRow> = if plan_only {
        let not = |row: SubsetRow| SubsetRow { copied: false, ..row };
        plan().map_err(words)?.into_iter().map(not).collect()
    } else {
        match extract_library_subset(&kernels, &dir, &dest, Some(tag), index.as_ref(), overwrite) {
            Ok(rows) => rows,
            // What is there stays, the rest is copied; whoever asked is told what stayed.
            Err(LibraryError::WouldOverwrite { files, .. }) => {
                let mut rows = plan().map_err(words)?;
                for row in &mut rows {
                    let name = row.dest.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    if files.contains(&name) {
                        row.copied = false;
                        kept.push(name);
                    } else if row.copied {
                        let bytes = std::fs::read(&row.source)
                            .map_err(|e| format!("cannot read {}: {e}", row.source.display()))?;
                        write_atomically(&row.dest, &bytes).map_err(words)?;
                    }
                }
                rows
            }
            Err(error) => return Err(words(error)),
        }
    };
    let paths = |of: fn(&SubsetRow) -> &Path| Output::texts(rows.iter().map(|row| display_path(of(row))));
    Ok(Output::list([
        ("stem", Output::texts(rows.iter().map(|row| row.stem.clone()))),
        ("source", paths(|row| &row.source)),
        ("dest", paths(|row| &row.dest)),
        ("copied", Output::flags(rows.iter().map(|row| row.copied))),
        ("kept", Output::texts(kept)),
    ]))
}

/// library's folder, whether to write nothing
fn tags(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let folder = folder(&mut arguments)?;
    let dry_run = arguments.flag()?;
    let library = folder.library().map_err(words)?;
    let (passes, stuck) = library.order_prefix();
    let shards = library.shards();
    let sorted: Vec<(usize, usize)> =
        passes.iter().enumerate().flat_map(|(pass, members)| members.iter().map(move |at| (pass + 1, *at))).collect();
    let ok = stuck.is_empty();
    let mut all_depends: Vec<Vec<String>> = Vec::new();
    let mut changes: Vec<Change> = Vec::new();
    if ok {
        let index = Index::of_library(&library).map_err(words)?;
        for (order, (_, at)) in sorted.iter().enumerate() {
            let stem = shards[*at].stem();
            let all = index.position(stem).map(|row| index.rows()[row].all_depends.clone()).unwrap_or_default();
            let name = format!("{stem}.cl");
            let before = folder.read(&name).map_err(words)?;
            let after = set_annotations(
                &before,
                &[
                    ("load_order", Some(vec![(order + 1).to_string()])),
                    ("all_depends_count", Some(vec![all.len().to_string()])),
                    ("all_depends", Some(all.clone())),
                ],
            );
            if after != before {
                changes.push(Change { path: folder.path_of(&name), before: Some(before), after });
            }
            all_depends.push(all);
        }
        if !dry_run {
            apply_changes(&changes).map_err(words)?;
        }
    }
    let problem = library.order().err().map(words);
    let cycles: Vec<String> = library.graph().cycles().iter().map(|path| library.stems(path).join(" -> ")).collect();
    let places: Vec<usize> = sorted.iter().map(|(_, at)| *at).collect();
    let scalar = |places: &[usize], tag: &str| {
        Output::Strings(places.iter().map(|at| shards[*at].annotations().scalar(tag).map(str::to_owned)).collect())
    };
    let lists = |places: &[usize], tag: &str| {
        Output::texts(places.iter().map(|at| shards[*at].annotations().list(tag).join(", ")))
    };
    let files = |places: &[usize]| Output::texts(places.iter().map(|at| format!("{}.cl", shards[*at].stem())));
    let numbers =
        |x: Vec<usize>| Output::Integers(x.into_iter().map(|n| i32::try_from(n).unwrap_or(i32::MAX)).collect());
    let waits = |at: &usize| -> String {
        let stem = shards[*at].stem();
        let missing = library.missing().iter().filter(|m| m.needed_by == stem).map(|m| m.name.clone());
        let files =
            library.graph().needs(*at).iter().filter(|n| stuck.contains(n)).map(|n| shards[*n].stem().to_owned());
        missing.chain(files).collect::<Vec<_>>().join(", ")
    };
    let is_header = |at: &usize| matches!(shards[*at].annotations().scalar("source_type"), Some("h" | "hpp"));
    let declared: Vec<(String, usize, Option<usize>)> = (0..shards.len())
        .filter(is_header)
        .flat_map(|at| shards[at].provides().into_iter().map(move |name| (name.to_owned(), at)))
        .map(|(name, at)| {
            let definition = library.provider(&name).filter(|other| *other != at);
            (name, at, definition)
        })
        .collect();
    Ok(Output::list([
        ("ok", Output::flag(ok)),
        ("problem", problem.map_or(Output::Nothing, Output::text)),
        ("changed", Output::integer(changes.len())),
        ("sorted_file", files(&places)),
        ("sorted_pass", numbers(sorted.iter().map(|(pass, _)| *pass).collect())),
        ("source_origin", scalar(&places, "source_origin")),
        ("source_type", scalar(&places, "source_type")),
        ("includes", lists(&places, "includes")),
        ("depends", lists(&places, "depends")),
        ("provides", lists(&places, "provides")),
        ("all_depends", Output::texts(all_depends.iter().map(|all| all.join(", ")))),
        ("all_depends_count", numbers(all_depends.iter().map(Vec::len).collect())),
        ("stuck_file", files(&stuck)),
        ("stuck_source_type", scalar(&stuck, "source_type")),
        ("stuck_depends", lists(&stuck, "depends")),
        ("stuck_waits_for", Output::texts(stuck.iter().map(waits))),
        ("cycles", Output::texts(cycles)),
        ("declared", Output::texts(declared.iter().map(|(name, _, _)| name.clone()))),
        ("declared_in", files(&declared.iter().map(|(_, at, _)| *at).collect::<Vec<_>>())),
        (
            "defined_in",
            Output::Strings(
                declared.iter().map(|(_, _, at)| at.map(|at| format!("{}.cl", shards[at].stem()))).collect(),
            ),
        ),
    ]))
}

/// kernels' files, library's folder, annotation, index, whether to write nothing
fn cross_tags(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let paths = arguments.strings()?;
    let dir = arguments.string()?;
    let tag = arguments.string()?;
    let index = given_index(&mut arguments)?;
    let dry_run = arguments.flag()?;
    let (mut direct, mut all, mut counts, mut changed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut changes: Vec<Change> = Vec::new();
    for path in &paths {
        let path = Path::new(path);
        let kernel = Shard::read(path).map_err(words)?;
        let part = load_library_for_kernel(&kernel, Path::new(dir), tag, index.as_ref()).map_err(words)?;
        let stems = stems(&part);
        let (name, count) = (format!("all_{tag}"), format!("all_{tag}_count"));
        let before = std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        // A kernel that names nothing of the library is left as it is.
        let after = match kernel.annotations().has(tag) {
            true => {
                set_annotations(&before, &[(&count, Some(vec![stems.len().to_string()])), (&name, Some(stems.clone()))])
            }
            false => before.clone(),
        };
        direct.push(kernel.annotations().list(tag).join(", "));
        counts.push(i32::try_from(stems.len()).unwrap_or(i32::MAX));
        all.push(stems.join(", "));
        changed.push(after != before);
        if after != before {
            changes.push(Change { path: path.to_path_buf(), before: Some(before), after });
        }
    }
    if !dry_run {
        apply_changes(&changes).map_err(words)?;
    }
    Ok(Output::list([
        ("direct_stems", Output::texts(direct)),
        ("all_depends_count", Output::Integers(counts)),
        ("all_depends", Output::texts(all)),
        ("changed", Output::flags(changed)),
    ]))
}

/// kernels' files, library's folder, name of the library in annotations, whether to do annotated kernels again, whether to write
/// nothing
fn call_tags(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let paths = arguments.strings()?;
    let folder = folder(&mut arguments)?;
    let tag = arguments.string()?;
    let (again, dry_run) = (arguments.flag()?, arguments.flag()?);
    let library = folder.library().map_err(words)?;
    // Its macros help to read the kernels; without it they are read as they are.
    let prelude = Manifest::prelude_of(folder.package()).unwrap_or_default();
    let (mut calls, mut depends, mut builtins, mut changed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut changes: Vec<Change> = Vec::new();
    for path in &paths {
        let path = PathBuf::from(path);
        let kernel = Shard::read(&path).map_err(words)?;
        if kernel.annotations().has(&format!("calls_{tag}")) && !again {
            let list = |tag: &str| kernel.annotations().list(tag).join(", ");
            calls.push(list(&format!("calls_{tag}")));
            depends.push(list(&format!("depends_{tag}")));
            builtins.push(list("calls_opencl_builtin"));
            changed.push(NA_INTEGER);
            continue;
        }
        for found in annotate_kernels(std::slice::from_ref(&path), &library, tag, &prelude).map_err(words)? {
            calls.push(found.calls.join(", "));
            depends.push(found.depends.join(", "));
            builtins.push(found.opencl_builtins.join(", "));
            changed.push(i32::from(found.change.is_some()));
            changes.extend(found.change);
        }
    }
    if !dry_run {
        apply_changes(&changes).map_err(words)?;
    }
    Ok(Output::list([
        ("calls", Output::texts(calls)),
        ("depends", Output::texts(depends)),
        ("opencl_builtins", Output::texts(builtins)),
        ("changed", Output::Logicals(changed)),
    ]))
}

/// library's folder, new folder, whether it may replace one that was staged before
fn stage_library(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let folder = folder(&mut arguments)?;
    let library = folder.library().map_err(words)?;
    let dest = Path::new(arguments.string()?);
    let staged = stage(&folder, dest, arguments.flag()?).map_err(words)?;
    let number = |n: Option<usize>| n.and_then(|n| i32::try_from(n).ok()).unwrap_or(NA_INTEGER);
    let tag = |stem: &str, tag: &str| library.shard(stem).map(|s| s.annotations().list(tag).join(", "));
    let tags = |name: &str| Output::Strings(staged.rows.iter().map(|row| tag(&row.stem, name)).collect());
    Ok(Output::list([
        ("file", Output::texts(staged.rows.iter().map(|row| format!("{}.cl", row.stem)))),
        ("pass", Output::Integers(staged.rows.iter().map(|row| number(row.pass)).collect())),
        ("order", Output::Integers(staged.rows.iter().map(|row| number(row.load_order)).collect())),
        ("source_type", tags("source_type")),
        ("depends", tags("depends")),
        ("waits_for", Output::texts(staged.rows.iter().map(|row| row.waits_for.join(", ")))),
    ]))
}

fn entries(manifest: &Manifest) -> Output {
    let entries = manifest.entries();
    Output::list([
        ("rank", Output::Integers(entries.iter().map(|e| i32::try_from(e.rank).unwrap_or(i32::MAX)).collect())),
        ("kind", Output::texts(entries.iter().map(|e| e.kind.name()))),
        ("rel_path", Output::texts(entries.iter().map(|e| e.rel_path.clone()))),
    ])
}

/// The manifest's text, or NULL; its file, to read or for messages.
fn manifest(arguments: &mut Arguments<'_>) -> Result<Manifest, Problem> {
    let text = arguments.optional_string()?;
    let file = arguments.string()?;
    let manifest = match text {
        Some(text) => Manifest::parse(text, file),
        None => Manifest::read(Path::new(file)),
    };
    manifest.map_err(words)
}

/// text or NULL, file
fn manifest_read(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    Ok(entries(&manifest(&mut arguments)?))
}

/// text or NULL, file to write; the one for R is written beside it
fn manifest_write(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let text = arguments.optional_string()?;
    let file = PathBuf::from(arguments.string()?);
    let manifest = match text {
        Some(text) => Manifest::parse(text, &display_path(&file)),
        None => Manifest::read(&file),
    };
    let manifest = manifest.map_err(words)?;
    write_atomically(&file, manifest.to_tsv().as_bytes()).map_err(words)?;
    write_atomically(&file.with_extension("rds"), &rds::write(&manifest.to_r())).map_err(words)?;
    Ok(entries(&manifest))
}

/// package, manifest's text or NULL, its file
fn manifest_load(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let package = package(&mut arguments)?;
    let manifest = manifest(&mut arguments)?;
    let pieces = manifest.load(&package).map_err(words)?;
    let mut text = String::new();
    for piece in &pieces {
        text.push_str(&piece.text);
        if !piece.text.ends_with('\n') {
            text.push('\n');
        }
    }
    Ok(Output::list([
        ("text", Output::text(text)),
        ("paths", Output::texts(pieces.iter().map(|piece| piece.path.clone()))),
    ]))
}

/// kernel's package, kernel's path in it, libraries' packages, their folders, annotation or NULL
fn program(mut arguments: Arguments<'_>) -> Result<Output, Problem> {
    let (package, kernel) = (arguments.string()?, arguments.string()?);
    let (packages, folders) = (arguments.strings()?, arguments.strings()?);
    let tag = arguments.optional_string()?;
    let named = |package: &str, path: &str| format!("{package}::{path}");
    let request = ProgramRequest {
        kernel: named(package, kernel),
        libraries: packages.iter().zip(&folders).map(|(package, folder)| named(package, folder)).collect(),
        tags: tag.map(|tag| (None, tag.to_owned())).into_iter().collect(),
        ..ProgramRequest::default()
    };
    let assembled = request.assemble(&Packages::new(Vec::new(), &[])).map_err(words)?;
    Ok(Output::text(format!("{LAYER_0}{}", assembled.program.text())))
}
