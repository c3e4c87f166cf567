//! Directed graphs over numbers: order by passes, closures, cycles.

use std::collections::VecDeque;

/// A directed graph over `0..len`; an edge leads from a shard to one that it needs.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Graph {
    /// From the list of what each node needs.
    #[must_use]
    pub fn new(needs: &[Vec<usize>]) -> Self {
        let mut starts = Vec::with_capacity(needs.len() + 1);
        let mut targets = Vec::with_capacity(needs.iter().map(Vec::len).sum());
        starts.push(0);
        for list in needs {
            targets.extend_from_slice(list);
            starts.push(targets.len());
        }
        Self { starts, targets }
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a node needs directly.
    #[must_use]
    pub fn needs(&self, node: usize) -> &[usize] {
        &self.targets[self.starts[node]..self.starts[node + 1]]
    }

    /// For each node the nodes that need it directly, in number order.
    #[must_use]
    pub fn needed_by(&self) -> Self {
        let mut starts = vec![0; self.len() + 1];
        for target in &self.targets {
            starts[target + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for node in 0..self.len() {
            for target in self.needs(node) {
                targets[next[*target]] = node;
                next[*target] += 1;
            }
        }
        Self { starts, targets }
    }

    /// The passes, or one cycle for each knot of nodes that need each other.
    ///
    /// A node's pass is one more than the last pass of what it needs, so that the passes come from one walk over the
    /// edges; a loop that looks at all remaining nodes in each pass would be quadratic in a long chain.
    ///
    /// # Errors
    /// The cycles: lists of nodes that start and end with the same node.
    pub fn order(&self) -> std::result::Result<Order, Vec<Vec<usize>>> {
        let (passes, stuck) = self.passes(&vec![false; self.len()]);
        if !stuck.is_empty() {
            return Err(self.cycles());
        }
        let mut position = vec![0; self.len()];
        for (i, node) in passes.iter().flatten().enumerate() {
            position[*node] = i;
        }
        Ok(Order { passes, position })
    }

    /// The passes as far as they go without the blocked nodes, and the nodes that stay.
    pub(crate) fn passes(&self, blocked: &[bool]) -> (Vec<Vec<usize>>, Vec<usize>) {
        let needed_by = self.needed_by();
        let mut waiting: Vec<usize> = (0..self.len()).map(|n| self.needs(n).len() + usize::from(blocked[n])).collect();
        let mut passes: Vec<Vec<usize>> = Vec::new();
        let mut pass: Vec<usize> = (0..self.len()).filter(|n| waiting[*n] == 0).collect();
        while !pass.is_empty() {
            let mut next = Vec::new();
            for node in &pass {
                for user in needed_by.needs(*node) {
                    waiting[*user] -= 1;
                    if waiting[*user] == 0 {
                        next.push(*user);
                    }
                }
            }
            next.sort_unstable();
            passes.push(std::mem::replace(&mut pass, next));
        }
        let stuck = (0..self.len()).filter(|n| waiting[*n] > 0).collect();
        (passes, stuck)
    }

    /// What `roots` need, themselves included, in load order.
    #[must_use]
    pub fn closure(&self, roots: &[usize], order: &Order) -> Vec<usize> {
        let mut found = self.reachable(roots);
        found.sort_unstable_by_key(|node| order.position[*node]);
        found
    }

    /// What `roots` need, themselves included, in no particular order.
    #[must_use]
    pub fn reachable(&self, roots: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut found = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                found.push(node);
                stack.extend_from_slice(self.needs(node));
            }
        }
        found
    }

    /// One shortest cycle through the first node of each strongly connected component that has a cycle.
    #[must_use]
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut cycles: Vec<Vec<usize>> = self
            .components()
            .into_iter()
            .filter_map(|mut component| {
                component.sort_unstable();
                let first = component[0];
                if component.len() == 1 && !self.needs(first).contains(&first) {
                    return None;
                }
                self.shortest_cycle(first)
            })
            .collect();
        cycles.sort();
        cycles
    }

    /// The shortest path from a node back to itself.
    #[must_use]
    pub fn shortest_cycle(&self, start: usize) -> Option<Vec<usize>> {
        let mut came_from = vec![usize::MAX; self.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for next in self.needs(node) {
                if *next == start {
                    let mut path = vec![start];
                    let mut step = node;
                    while step != start {
                        path.push(step);
                        step = came_from[step];
                    }
                    path.push(start);
                    path.reverse();
                    return Some(path);
                }
                if came_from[*next] == usize::MAX {
                    came_from[*next] = node;
                    queue.push_back(*next);
                }
            }
        }
        None
    }

    /// The strongly connected components (Tarjan, with an explicit stack: a chain of 10,000 files must not overflow ours).
    #[must_use]
    pub fn components(&self) -> Vec<Vec<usize>> {
        const NEW: usize = usize::MAX;
        let n = self.len();
        let (mut number, mut low) = (vec![NEW; n], vec![0; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut components) = (Vec::new(), Vec::new());
        let mut counter = 0;
        for root in 0..n {
            if number[root] != NEW {
                continue;
            }
            let mut walk = vec![(root, 0)];
            while let Some((node, edge)) = walk.pop() {
                if edge == 0 {
                    number[node] = counter;
                    low[node] = counter;
                    counter += 1;
                    stack.push(node);
                    on_stack[node] = true;
                } else {
                    let child = self.needs(node)[edge - 1];
                    low[node] = low[node].min(low[child]);
                }
                let mut edge = edge;
                let mut descend = None;
                while let Some(target) = self.needs(node).get(edge) {
                    edge += 1;
                    if number[*target] == NEW {
                        descend = Some(*target);
                        break;
                    }
                    if on_stack[*target] {
                        low[node] = low[node].min(number[*target]);
                    }
                }
                if let Some(target) = descend {
                    walk.push((node, edge));
                    walk.push((target, 0));
                    continue;
                }
                if low[node] == number[node] {
                    let at = stack.iter().rposition(|n| *n == node).unwrap_or(0);
                    let component = stack.split_off(at);
                    for member in &component {
                        on_stack[*member] = false;
                    }
                    components.push(component);
                }
            }
        }
        components
    }
}

/// The order of a library's shards, by passes.
#[derive(Debug, Clone)]
pub struct Order {
    pub(crate) passes: Vec<Vec<usize>>,
    pub(crate) position: Vec<usize>,
}

/// What nodes need, asked again and again: the marks are kept, so that each answer costs no more than its length and edges.
#[derive(Debug)]
pub(crate) struct Reach<'a> {
    graph: &'a Graph,
    marks: Vec<u32>,
    round: u32,
}

impl<'a> Reach<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        Self { graph, marks: vec![0; graph.len()], round: 0 }
    }

    /// What `roots` need, themselves included, in no particular order.
    pub(crate) fn from(&mut self, roots: &[usize]) -> Vec<usize> {
        self.round += 1;
        let mut found: Vec<usize> = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.marks[node], self.round) != self.round {
                found.push(node);
                stack.extend_from_slice(self.graph.needs(node));
            }
        }
        found
    }
}
