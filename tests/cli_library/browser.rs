//! The HTML graph in a real browser: it renders, and a click shows the node and highlights its closure.

use crate::Tree;
use std::process::Command;

fn chromium() -> Option<&'static str> {
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()));
    if found.is_none() {
        println!("note: no chromium is installed, so that the page is not tested in a browser");
    }
    found
}

/// The page's elements after its scripts have run.
fn dom(browser: &str, tree: &Tree, page: &str, fragment: &str) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"])
        .args(["--virtual-time-budget=4000", "--window-size=1200,800", "--dump-dom"])
        .arg(format!("--user-data-dir={}", tree.path("profile").display()))
        .arg(format!("file://{}{fragment}", tree.path(page).display()))
        .output()
        .expect("chromium");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The names of the nodes that have a class.
fn with_class(dom: &str, class: &str) -> Vec<String> {
    let mut names: Vec<String> = dom
        .split("<g class=\"node")
        .skip(1)
        .filter(|part| part.split('"').next().is_some_and(|classes| classes.split(' ').any(|c| c == class)))
        .filter_map(|part| Some(part.split("<title>").nth(1)?.split("</title>").next()?.to_owned()))
        .collect();
    names.sort();
    names
}

#[test]
fn a_click_on_a_node_highlights_what_it_needs() {
    let Some(browser) = chromium() else { return };
    let tree = Tree::new();
    let write = |name: &str, arguments: &str| {
        let shown = tree.run(arguments);
        let page = shown.split("----- stdout\n").nth(1).and_then(|s| s.split("----- stderr").next()).expect("stdout");
        std::fs::write(tree.path(name), page).expect("page");
    };
    write("graph.html", "lib graph cl/nmath --format html");
    write("kernel.html", "lib graph cl/nmath --kernel cl/src/tail_kernel.cl --format html");

    let plain = dom(browser, &tree, "graph.html", "");
    assert!(with_class(&plain, "closure").is_empty());
    assert!(plain.contains("id=\"view\" transform=\"translate("), "the page has laid itself out:\n{plain}");
    assert!(plain.contains("<option value=\"bump2\">"), "functions can be searched");

    let clicked = dom(browser, &tree, "graph.html", "#click=bump");
    assert_eq!(with_class(&clicked, "closure"), ["bump", "halve", "nmath"]);
    assert_eq!(with_class(&clicked, "root"), ["bump"]);
    assert_eq!(with_class(&clicked, "user"), ["tail"]);
    assert!(clicked.contains("data-selected=\"bump\"") && clicked.contains("data-closure=\"bump halve nmath\""));
    assert!(clicked.contains("<code>cl/nmath/bump.cl</code>"), "the details name the file");

    let by_function = dom(browser, &tree, "graph.html", "#select=bump2");
    assert_eq!(with_class(&by_function, "root"), ["bump"], "a function selects the file that provides it");

    let kernel = dom(browser, &tree, "kernel.html", "");
    assert_eq!(with_class(&kernel, "closure"), ["bump", "halve", "nmath", "tail", "tail_kernel"]);
}
