//! How a block loop goes about a function: what it computes once, and in which stages it computes the rest.
//!
//! A call of a compiled kernel with arguments that differ between elements ends a stage: the stage before it leaves the arguments of a
//! chunk of elements in memory, the kernel's own block loop runs over them, and the next stage goes on with what it gave. So compiled
//! kernels run with the widest vectors that they have, and are entered once for each chunk. What is the same for all elements is
//! computed once, before the first of them.
//!
//! Statements may change their order only where nobody can see it: those that assign to variables of others keep theirs, and from the
//! first that may leave the function nothing is moved or split.

use super::flatten::{assigned, variables};
use super::places::in_memory;
use super::uniform::Uniformity;
use gristmill_kernel_lang::ir::*;
use std::collections::{HashMap, HashSet};

/// More stages than this are not worth their traffic.
const MOST_STAGES: usize = 12;
/// More values than this in memory neither: the caches should hold a chunk of them.
const MOST_KEPT: usize = 24;

/// A call of a compiled kernel for all elements of a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkCall {
    /// The statement, `let variable = call(..)`.
    pub(crate) stmt: usize,
    /// What the results are called.
    pub(crate) variable: LocalId,
}

/// One pass over a chunk, and the calls after it.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// Statements, in order; among them the calls, whose arguments are evaluated in their place.
    pub(crate) stmts: Vec<usize>,
    /// The calls at its end.
    pub(crate) calls: Vec<ChunkCall>,
    /// Parameters that it reads from their columns.
    pub(crate) columns: Vec<LocalId>,
    /// Variables of earlier stages that it reads.
    pub(crate) loads: Vec<LocalId>,
    /// Variables that it sets and a later stage, or a call at its end, reads.
    pub(crate) keeps: Vec<LocalId>,
}

impl Stage {
    /// One stage for all of a function.
    fn whole(func: &Func, stmts: Vec<usize>) -> Stage {
        Stage { stmts, columns: func.params.iter().map(|p| p.id).collect(), ..Stage::default() }
    }
}

/// The plan of a block loop over a flat function.
#[derive(Debug)]
pub(crate) struct StagePlan {
    /// Statements whose values are the same for all elements, in order.
    pub(crate) once: Vec<usize>,
    /// At least one. The last one has the value of the function.
    pub(crate) stages: Vec<Stage>,
    /// Variables in memory between stages.
    pub(crate) kept: Vec<LocalId>,
    /// Variables that something assigns to after they were bound.
    pub(crate) assigned: HashSet<LocalId>,
}

/// What one statement does, as others see it.
struct Seen {
    reads: HashSet<LocalId>,
    binds: HashSet<LocalId>,
    /// Variables of others that it assigns to.
    changes: HashSet<LocalId>,
    returns: bool,
}

fn see(stmt: &Stmt, owners: &HashMap<LocalId, usize>, at: usize, assigned_by: &mut HashSet<LocalId>) -> Seen {
    let mut seen = Seen { reads: HashSet::new(), binds: HashSet::new(), changes: HashSet::new(), returns: false };
    let e = match stmt {
        Stmt::Let(pat, value, _) => {
            seen.binds = variables(pat);
            value.as_ref()
        }
        Stmt::Expr(e) => Some(e),
    };
    let Some(e) = e else { return seen };
    e.visit(&mut |e| match e.kind {
        Kind::Local(id) => {
            seen.reads.insert(id);
        }
        Kind::Return(_) => seen.returns = true,
        _ => {}
    });
    let through_reference = assigned(e, &mut |id| {
        assigned_by.insert(id);
        if owners.get(&id).is_some_and(|owner| *owner != at) {
            seen.changes.insert(id);
        }
    });
    // What is not known may be anything: it stays where it is, like a jump.
    seen.returns |= through_reference;
    seen
}

/// The parameters belong to no statement.
const PARAMETER: usize = usize::MAX;

impl StagePlan {
    /// The plan for a flat function on lanes; `staged`: with more than one stage, if that pays.
    pub(crate) fn of(func: &Func, facts: &Uniformity, staged: bool) -> StagePlan {
        let stmts = &func.body.stmts;
        let mut owners: HashMap<LocalId, usize> = func.params.iter().map(|p| (p.id, PARAMETER)).collect();
        for (i, stmt) in stmts.iter().enumerate() {
            if let Stmt::Let(pat, ..) = stmt {
                owners.extend(variables(pat).into_iter().map(|id| (id, i)));
            }
        }
        let mut assigned_to = HashSet::new();
        let mut seen: Vec<Seen> = stmts.iter().enumerate().map(|(i, s)| see(s, &owners, i, &mut assigned_to)).collect();
        if let Some(tail) = &func.body.tail {
            let tail = see(&Stmt::Expr((**tail).clone()), &owners, stmts.len(), &mut assigned_to);
            seen.push(tail);
        }
        // The first statement that may leave the function: from there on everything stays in its place.
        let end = seen.iter().position(|s| s.returns).unwrap_or(seen.len()).min(stmts.len());
        let params: HashSet<LocalId> = func.params.iter().map(|p| p.id).collect();
        let mut plan = StagePlan { once: vec![], stages: vec![], kept: vec![], assigned: assigned_to };
        plan.find_once(stmts, &seen[..end], facts, &params, &owners);
        if !staged || !plan.find_stages(func, &seen, end, facts, &params) {
            let rest = (0..stmts.len()).filter(|i| !plan.once.contains(i)).collect();
            plan.kept.clear();
            plan.stages = vec![Stage::whole(func, rest)];
        }
        plan
    }

    /// Everything for each element, one after the other.
    pub(crate) fn plain(func: &Func) -> StagePlan {
        let mut assigned_to = HashSet::new();
        for stmt in &func.body.stmts {
            see(stmt, &HashMap::new(), 0, &mut assigned_to);
        }
        let stages = vec![Stage::whole(func, (0..func.body.stmts.len()).collect())];
        StagePlan { once: vec![], stages, kept: vec![], assigned: assigned_to }
    }

    fn find_once(
        &mut self,
        stmts: &[Stmt],
        seen: &[Seen],
        facts: &Uniformity,
        params: &HashSet<LocalId>,
        owners: &HashMap<LocalId, usize>,
    ) {
        let mut known: HashSet<LocalId> =
            params.iter().copied().filter(|id| !facts.local(*id) && !self.assigned.contains(id)).collect();
        for (i, (stmt, seen)) in stmts.iter().zip(seen).enumerate() {
            let Stmt::Let(_, Some(value), _) = stmt else { continue };
            let from_outside = |id: &LocalId| owners.contains_key(id);
            let same = !facts.varies(value)
                && seen.changes.is_empty()
                && seen.binds.iter().all(|id| !facts.local(*id) && !self.assigned.contains(id))
                && seen.reads.iter().filter(|id| from_outside(id)).all(|id| known.contains(id));
            if same {
                self.once.push(i);
                known.extend(&seen.binds);
            }
        }
    }

    /// Finds the stages; `false`: one is better.
    fn find_stages(
        &mut self,
        func: &Func,
        seen: &[Seen],
        end: usize,
        facts: &Uniformity,
        params: &HashSet<LocalId>,
    ) -> bool {
        let stmts = &func.body.stmts;
        // The stage from which on a variable has its value.
        let mut stage_of: HashMap<LocalId, usize> = HashMap::new();
        let (mut last, mut floor) = (0, 0);
        let mut stages: Vec<Stage> = vec![];
        let mut used_in: HashMap<LocalId, Vec<usize>> = HashMap::new();
        let mut set_in: HashMap<LocalId, Vec<usize>> = HashMap::new();
        let mut called_with: HashSet<LocalId> = HashSet::new();
        for (i, seen) in seen.iter().enumerate() {
            if self.once.contains(&i) {
                continue;
            }
            let needs = seen.reads.iter().filter_map(|id| stage_of.get(id)).copied().max().unwrap_or(0);
            let mut stage = needs.max(floor);
            if i >= end || !seen.changes.is_empty() {
                stage = stage.max(last);
                floor = stage;
            }
            last = last.max(stage);
            let call = match stmts.get(i) {
                Some(Stmt::Let(Pat::Local(id), Some(value), _))
                    if i < end && matches!(value.kind, Kind::Call(..)) && facts.varies(value) =>
                {
                    Some(*id)
                }
                _ => None,
            };
            let given = stage + usize::from(call.is_some());
            last = last.max(given);
            if last >= MOST_STAGES {
                return false;
            }
            if stages.len() <= last {
                stages.resize_with(last + 1, Stage::default);
            }
            if i < stmts.len() {
                stages[stage].stmts.push(i);
            }
            stages[stage].calls.extend(call.map(|variable| ChunkCall { stmt: i, variable }));
            for id in &seen.reads {
                used_in.entry(*id).or_default().push(stage);
            }
            for id in &seen.binds {
                stage_of.insert(*id, given);
                set_in.entry(*id).or_default().push(given);
            }
            for id in &seen.changes {
                stage_of.insert(*id, stage);
                set_in.entry(*id).or_default().push(stage);
            }
            // What is called reads its variables where they lie in memory.
            if let (Some(_), Some(Stmt::Let(_, Some(Expr { kind: Kind::Call(_, args), .. }), _))) = (call, stmts.get(i))
            {
                for arg in args {
                    if let Kind::Local(id) = arg.kind
                        && facts.varies(arg)
                        && !self.assigned.contains(&id)
                    {
                        called_with.insert(id);
                    }
                }
            }
        }
        if stages.len() < 2 || stages.iter().all(|s| s.calls.is_empty()) {
            return false;
        }
        let in_memory = in_memory(func, false);
        let called: HashSet<LocalId> = stages.iter().flat_map(|s| &s.calls).map(|c| c.variable).collect();
        let mut variables: Vec<LocalId> = used_in.keys().copied().collect();
        variables.sort_unstable();
        for id in variables {
            let (is_param, is_assigned) = (params.contains(&id), self.assigned.contains(&id));
            let mut set = set_in.get(&id).cloned().unwrap_or_default();
            let uses = &used_in[&id];
            if is_param && !is_assigned {
                for (k, stage) in stages.iter_mut().enumerate() {
                    stage.columns.extend(uses.contains(&k).then_some(id));
                }
                continue;
            }
            if is_param {
                set.push(0);
                stages[0].columns.push(id);
            }
            // Bound inside of a statement, or once for all.
            let Some(first) = set.iter().copied().min() else { continue };
            let latest = uses.iter().copied().max().unwrap_or(0);
            let by_call = called.contains(&id);
            if latest <= first && !by_call && !called_with.contains(&id) {
                continue;
            }
            if !facts.local(id) || in_memory[id] {
                return false;
            }
            self.kept.push(id);
            for (k, stage) in stages.iter_mut().enumerate() {
                let there_before = k > first || (by_call && k == first);
                if there_before && (uses.contains(&k) || set.contains(&k)) {
                    stage.loads.push(id);
                }
                let set_here = set.iter().filter(|s| **s == k).count() > usize::from(by_call && k == first);
                if set_here && (latest > k || called_with.contains(&id)) {
                    stage.keeps.push(id);
                }
            }
        }
        if self.kept.len() > MOST_KEPT {
            return false;
        }
        self.stages = stages;
        true
    }
}
