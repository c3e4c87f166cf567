//! Ordering: passes, cycles, missing names, closures.

use crate::support::{annotated, library};
use gristmill_cl_library::{Graph, Library, LibraryError, SORT_FAILED, Shard};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn each_pass_emits_every_file_whose_dependencies_are_all_out_in_name_order() {
    let library = library(&[
        ("a", "b"),
        ("b", ""),
        ("c", "b"), // could follow `b` within pass 1, but `b` is out only after it
        ("Rmath", ""),
        ("dpq", "(none)"),
        ("z", "a, c"),
    ]);
    let order = library.order().unwrap();
    assert_eq!(
        order.trace(&library),
        "Pass 1: emitting Rmath.cl, b.cl, dpq.cl\nPass 2: emitting a.cl, c.cl\nPass 3: emitting z.cl\n"
    );
}

#[test]
fn a_cycle_is_shown_as_its_path() {
    let error = library(&[("a", "b"), ("b", "c"), ("c", "a, b"), ("d", "a"), ("self", "self")]).order().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{SORT_FAILED}\ndependency cycle: a -> b -> c -> a\ndependency cycle: self -> self")
    );
}

#[test]
fn missing_names_come_with_file_line_and_the_nearest_name() {
    let error = library(&[("dbinom", "nmath, stirler"), ("stirlerr", "nmath"), ("nmath", "")]).order().unwrap_err();
    let LibraryError::MissingDependencies { missing } = &error else { panic!("{error}") };
    assert_eq!((missing[0].line, missing[0].column), (2, 21));
    assert_eq!(
        error.to_string(),
        format!(
            "{SORT_FAILED}\ndbinom.cl:2: `dbinom` depends on `stirler`, which no file provides; did you mean `stirlerr`?"
        )
    );
}

#[test]
fn a_dependency_is_a_stem_first_and_a_provided_symbol_second() {
    let shard = |stem: &str, provides: &str, depends: &str| {
        Shard::new(stem, format!("// @provides: {provides}\n// @depends: {depends}\n"))
    };
    let library = Library::new(
        "mixed",
        vec![
            shard("normal", "dnorm, pnorm, gamma", "exponential"),
            shard("gamma", "gammafn", ""),
            shard("exponential", "gm_exp, gm_log", "gm_exp"), // its own symbol: no circle
            shard("user", "user", "pnorm, gamma, gm_log.cl, normal.cl"),
        ],
    );
    let library = library.unwrap();
    assert_eq!(library.missing().len(), 1, "{:?}", library.missing()); // only stems may carry `.cl`
    let user = library.resolve("user").unwrap();
    assert_eq!(library.stems(library.graph().needs(user)), ["normal", "gamma"]);
    assert_eq!(library.closure(&["pnorm"]).map(|c| c.len()).unwrap_err().to_string().lines().next(), Some(SORT_FAILED));
}

#[test]
fn a_definition_wins_over_a_header_that_declares_the_same_symbol() {
    let header = Shard::new("all", "// @source_type: h\n// @provides: f, g\n");
    let source = Shard::new("code", "// @source_type: c\n// @provides: f\n");
    let library = Library::new("l", vec![header, source]).unwrap();
    assert_eq!(library.stems(&[library.provider("f").unwrap(), library.provider("g").unwrap()]), ["code", "all"]);
}

#[test]
fn two_shards_with_one_stem_and_a_stem_with_a_blank_are_refused() {
    let error = Library::new("l", vec![Shard::new("a", ""), Shard::new("a", "")]).unwrap_err();
    assert_eq!(error.to_string(), "two files of library `l` have the stem `a`");
    assert!(matches!(Library::new("l", vec![Shard::new("a b", "")]), Err(LibraryError::UnusableStem { .. })));
}

/// Up to 24 nodes, with or without cycles.
fn any_graph() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1_usize..24).prop_flat_map(|n| {
        proptest::collection::vec((0..n, 0..n), 0..3 * n).prop_map(move |edges| {
            let mut needs = vec![Vec::new(); n];
            for (from, to) in edges {
                if !needs[from].contains(&to) {
                    needs[from].push(to);
                }
            }
            needs
        })
    })
}

/// Every node that can be reached, by repeating until nothing changes.
fn naive_closure(needs: &[Vec<usize>], root: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([root]);
    loop {
        let more: BTreeSet<usize> = found.iter().flat_map(|n| needs[*n].iter().copied()).collect();
        let before = found.len();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

fn naive_has_cycle(needs: &[Vec<usize>]) -> bool {
    (0..needs.len()).any(|n| needs[n].iter().any(|m| naive_closure(needs, *m).contains(&n)))
}

/// The text of the description, step by step: look at all remaining nodes in each pass.
fn naive_passes(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut sorted: BTreeSet<usize> = BTreeSet::new();
    let mut passes = Vec::new();
    loop {
        let pass: Vec<usize> =
            (0..needs.len()).filter(|n| !sorted.contains(n) && needs[*n].iter().all(|m| sorted.contains(m))).collect();
        if pass.is_empty() {
            return passes;
        }
        sorted.extend(&pass);
        passes.push(pass);
    }
}

proptest! {
    #[test]
    fn cycles_are_found_exactly_when_there_are_some(needs in any_graph()) {
        let graph = Graph::new(&needs);
        match graph.order() {
            Ok(_) => prop_assert!(!naive_has_cycle(&needs)),
            Err(cycles) => {
                prop_assert!(naive_has_cycle(&needs));
                prop_assert!(!cycles.is_empty());
                for path in cycles {
                    prop_assert_eq!(path.first(), path.last());
                    prop_assert!(path.len() >= 2);
                    prop_assert!(path.windows(2).all(|step| needs[step[0]].contains(&step[1])));
                }
            }
        }
    }

    #[test]
    fn the_order_is_that_of_the_description_and_a_topological_one(needs in any_graph()) {
        // Only edges to smaller numbers after a shuffle would hide errors; drop the edges that close a cycle instead.
        let mut acyclic = vec![Vec::new(); needs.len()];
        for (from, list) in needs.iter().enumerate() {
            for to in list {
                acyclic[from].push(*to);
                if naive_has_cycle(&acyclic) {
                    acyclic[from].pop();
                }
            }
        }
        let graph = Graph::new(&acyclic);
        let order = graph.order().expect("no cycle");
        prop_assert_eq!(order.passes(), naive_passes(&acyclic));
        for (node, list) in acyclic.iter().enumerate() {
            for need in list {
                prop_assert!(order.position(*need) < order.position(node));
            }
            let closure: BTreeSet<usize> = graph.closure(&[node], &order).into_iter().collect();
            prop_assert_eq!(closure, naive_closure(&acyclic, node));
        }
    }

    #[test]
    fn components_are_the_sets_of_nodes_that_reach_each_other(needs in any_graph()) {
        let graph = Graph::new(&needs);
        let mut seen = BTreeSet::new();
        for component in graph.components() {
            let first = component[0];
            let expected: BTreeSet<usize> = (0..needs.len())
                .filter(|n| naive_closure(&needs, first).contains(n) && naive_closure(&needs, *n).contains(&first))
                .collect();
            seen.extend(component.iter().copied());
            prop_assert_eq!(component.into_iter().collect::<BTreeSet<_>>(), expected);
        }
        prop_assert_eq!(seen.len(), needs.len());
    }
}

#[test]
fn a_chain_of_100_000_files_neither_overflows_the_stack_nor_takes_quadratic_time() {
    let mut needs: Vec<Vec<usize>> = (0..100_000).map(|n: usize| n.checked_sub(1).into_iter().collect()).collect();
    assert_eq!(Graph::new(&needs).order().unwrap().passes().len(), 100_000);
    needs[0] = vec![99_999];
    let cycles = Graph::new(&needs).order().unwrap_err();
    assert_eq!((cycles.len(), cycles[0].len()), (1, 100_001));
}

#[test]
fn a_hundred_thousand_files_and_sixteen_thousand_missing_names_take_seconds() {
    let start = std::time::Instant::now();
    let many = 100_000;
    let chain = |last: &str| -> Library {
        let shard = |i: usize| {
            let depends = if i == 0 { last.to_owned() } else { format!("f{}", i - 1) };
            Shard::new(format!("f{i}"), annotated(&format!("f{i}"), &depends, ""))
        };
        Library::new("test", (0..many).map(shard).collect()).unwrap()
    };
    let library = chain("");
    assert_eq!(library.order().unwrap().passes().len(), many);
    let error = gristmill_cl_library::Index::of_library(&library).unwrap_err().to_string();
    assert!(error.contains("would list more than 20000000 names"), "{error}");
    let ring = chain(&format!("f{}", many - 1));
    let error = ring.order().unwrap_err().to_string();
    assert!(error.len() < 1000 && error.contains(" more … -> "), "{error}");
    assert_eq!(ring.order_prefix().1.len(), many);
    let names: Vec<String> = (0..16_000).map(|i| format!("absent_{i}")).collect();
    let library = Library::new("test", vec![Shard::new("a", annotated("a", &names.join(", "), "int a;\n"))]).unwrap();
    assert_eq!(library.missing().len(), 16_000);
    assert_eq!(gristmill_cl_library::check_library(&library, &[]).len(), 16_000);
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}
