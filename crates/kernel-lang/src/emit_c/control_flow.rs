//! Loops, `match` and `return`.

use super::operations::int;
use super::*;

impl Emit<'_> {
    /// `return`, or out of endless loops: a flag, `break`, and the test after the loop. PoCL 3.1 miscompiles some
    /// endless loops that end only by `return`.
    pub(super) fn return_(&mut self, value: Option<&str>) {
        if !self.c_loops.iter().any(|l| l.endless) {
            match value {
                Some(v) => self.line(&format!("return {v};")),
                None => self.line("return;"),
            }
            return;
        }
        let (flag, slot) = match &self.done {
            Some(d) => d.clone(),
            None => {
                let d = (self.unique("done_"), self.unique("result_"));
                self.done = Some(d.clone());
                d
            }
        };
        if let Some(v) = value {
            self.line(&format!("{slot} = {v};"));
        }
        self.line(&format!("{flag} = 1;"));
        self.line("break;");
        let outermost = self.c_loops.iter().position(|l| l.endless).expect("one is endless");
        for l in &mut self.c_loops[outermost..] {
            l.flagged = true;
        }
    }

    /// After a loop: pass a flagged `return` on.
    pub(super) fn after_loop(&mut self, l: &CLoop, only_way_out: bool) {
        if !l.flagged {
            return;
        }
        let (flag, slot) = self.done.clone().expect("flagged");
        let test = if only_way_out { String::new() } else { format!("if ({flag}) ") };
        if self.c_loops.iter().any(|l| l.endless) {
            self.line(&format!("{test}break;"));
        } else if self.f.ret == Ty::Unit {
            self.line(&format!("{test}return;"));
        } else {
            self.line(&format!("{test}return {slot};"));
        }
    }

    pub(super) fn loop_body(
        &mut self,
        id: LoopId,
        head: &str,
        body: &Block,
        endless: bool,
        first: impl FnOnce(&mut Self),
    ) {
        self.open(head);
        self.c_loops.push(CLoop { endless, flagged: false });
        first(self);
        let far_continue = self.f.loops[id].far_continue;
        if far_continue {
            self.open("{");
        }
        self.block_inner(body, &Target::Nowhere);
        if far_continue {
            self.close("}");
            self.line(&format!("continue_{id}: ;"));
        }
        self.close("}");
        let l = self.c_loops.pop().expect("pushed above");
        self.after_loop(&l, endless && !self.f.loops[id].broken);
        if self.f.loops[id].far_break {
            self.line(&format!("break_{id}: ;"));
        }
    }

    pub(super) fn for_(
        &mut self,
        id: LoopId,
        var: Option<LocalId>,
        ends: (&Expr, &Expr),
        inclusive: bool,
        rev: bool,
        body: &Block,
    ) {
        let ty = ends.0.ty.clone();
        let c = self.c(&ty);
        self.open("{");
        let constant = |e: &Expr| matches!(e.kind, Kind::Int(_));
        let (lo, hi) = self.pair(ends.0, ends.1);
        let lo = if constant(ends.0) { lo } else { self.spill(&ty, &lo) };
        let hi = if constant(ends.1) { hi } else { self.spill(&ty, &hi) };
        let n = self.temp();
        let one = int(1, &ty);
        let head = match (inclusive, rev) {
            (false, false) => format!("for ({c} {n} = {lo}; {n} < {hi}; {n} = {n} + {one}) {{"),
            (false, true) => format!("for ({c} {n} = {hi}; {n} > {lo}; {n} = {n} - {one}) {{"),
            (true, _) => {
                // The counter must not step past the type's last value.
                let (from, to, cmp, sign) = if rev { (&hi, &lo, ">", "-") } else { (&lo, &hi, "<", "+") };
                let more = self.temp();
                self.line(&format!("{c} {n} = {from};"));
                self.line(&format!("int {more} = {lo} <= {hi};"));
                format!("for (; {more}; {more} = {n} {cmp} {to}, {n} = {n} {sign} ({c}){more}) {{")
            }
        };
        let step_first = rev && !inclusive;
        self.loop_body(id, &head, body, false, |cx| {
            if let Some(var) = var {
                let name = cx.names[var].clone();
                let value = if step_first { format!("{n} - {one}") } else { n.clone() };
                cx.line(&format!("{c} {name} = {value};"));
            }
        });
        self.close("}");
    }

    pub(super) fn arms(&mut self, arms: &[Arm], v: &str, ty: &Ty, target: &Target) {
        let Some((arm, rest)) = arms.split_first() else { return };
        let scoped = arm.bind.is_some() || arm.guard.is_some();
        if scoped {
            self.open("{");
        }
        if let Some(id) = arm.bind {
            let (c, name) = (self.c(ty), self.names[id].clone());
            self.line(&format!("{c} {name} = {v};"));
        }
        let tests: Vec<String> = arm
            .ranges
            .iter()
            .map(|(lo, hi)| match (lo, hi) {
                (Some(a), Some(b)) if a == b => format!("{v} == {}", int(*a, ty)),
                (Some(a), Some(b)) => format!("({v} >= {} && {v} <= {})", int(*a, ty), int(*b, ty)),
                (Some(a), None) => format!("{v} >= {}", int(*a, ty)),
                (None, Some(b)) => format!("{v} <= {}", int(*b, ty)),
                (None, None) => "1".into(),
            })
            .collect();
        let mut test = (!arm.ranges.is_empty()).then(|| tests.join(" || "));
        if let Some(guard) = &arm.guard {
            let t = self.spill(&Ty::Bool, test.as_deref().unwrap_or("1"));
            self.open(&format!("if ({t}) {{"));
            self.put(guard, &Target::Variable(t.clone()));
            self.close("}");
            test = Some(t);
        }
        // rustc has checked that the arms are exhaustive, so the last one needs no test.
        match test {
            Some(test) if !rest.is_empty() => {
                self.open(&format!("if ({test}) {{"));
                self.mark(arm.body.span);
                self.put(&arm.body, target);
                self.close("} else {");
                self.depth += 1;
                self.arms(rest, v, ty, target);
                self.close("}");
            }
            _ => {
                self.mark(arm.body.span);
                self.put(&arm.body, target);
            }
        }
        if scoped {
            self.close("}");
        }
    }
}
