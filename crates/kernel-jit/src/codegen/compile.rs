//! Functions as code in memory.

use super::flatten::flatten;
use super::layout::Leaf;
use super::operations::Machine;
use super::places::Home;
use super::runtime::{Callees, Context};
use super::stages::StagePlan;
use super::uniform::Uniformity;
use super::words::Word;
use super::{Gen, Refused, Result, Session, inline};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData, Value, types};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{DataDescription, FuncId, Linkage, Module as _};
use gristmill_kernel_lang::interp::Module;
use gristmill_kernel_lang::ir::*;
use std::rc::Rc;
use std::sync::OnceLock;

/// What is to be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// One element: `fn(context, arguments, results)`, both rows of words.
    Single,
    /// Many elements, several at once where that is possible: `fn(context, columns, results, n)`; `n` is a multiple of
    /// [`Code::lanes`]. Bit `k`: argument `k` differs between elements.
    Block(u64),
    /// The work-items 0 to `n` of an entry point: `fn(context, arguments, n)`; a slice is two words.
    Launch,
}

/// Elements at once: several vectors, so that one computes while another waits.
const LANES: usize = 8;
/// The same where all lanes wait for the last one to leave a loop, and in long functions, whose values would not fit the registers.
const FEW_LANES: usize = 4;
/// A function of more expressions is long.
const LONG: usize = 400;
/// With more values than this the better way to find registers for them takes a time that grows with their square.
const HUGE: usize = 2500;
/// Functions of more expressions would take too long to compile.
const MOST_EXPRESSIONS: usize = 60_000;
/// Bytes of arrays on the stack, of all functions together: threads have little of it.
const MOST_STACK: usize = 256 << 10;

/// Code in memory.
pub(crate) struct Code {
    jit: Option<JITModule>,
    _tables: Vec<(String, Box<[u64]>)>,
    entry: *const u8,
    /// Bytes of memory that a block loop needs.
    pub(crate) memory: usize,
    /// Elements at once.
    pub(crate) lanes: usize,
    /// Why not several, if one.
    pub(crate) one_at_a_time: Option<String>,
    /// The machine code as text, if it was asked for.
    pub(crate) text: String,
}

// SAFETY: the code and its tables are only read after they were made; `jit` is touched by `drop` alone.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Code").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(jit) = self.jit.take() {
            // SAFETY: the entry is called through `&self` only, so nobody is in the code now.
            unsafe { jit.free_memory() };
        }
    }
}

impl Code {
    /// Runs a `Form::Single`.
    /// # Safety
    /// 1. `arguments` and `results` point to a word for each word of the parameters and of the result.
    pub(crate) unsafe fn single(&self, context: &mut Context, arguments: *const u64, results: *mut u64) {
        // SAFETY: made for `Form::Single`; (1).
        unsafe {
            let entry: unsafe extern "C" fn(*mut Context, *const u64, *mut u64) = std::mem::transmute(self.entry);
            entry(context, arguments, results);
        }
    }

    /// Runs a `Form::Block`.
    /// # Safety
    /// 1. `columns[k]` points to `n` elements of parameter `k`'s type, or to one if it does not differ between elements.
    /// 2. `results[k]` points to `n` elements that nobody else touches. 3. `n` is a multiple of [`Code::lanes`].
    /// 4. `context.memory` points to [`Code::memory`] bytes.
    pub(crate) unsafe fn block(&self, context: &mut Context, columns: &[*const u8], results: &[*mut u8], n: usize) {
        // SAFETY: made for `Form::Block`; (1), (2), (3), (4).
        unsafe {
            let entry: unsafe extern "C" fn(*mut Context, *const *const u8, *const *mut u8, usize) =
                std::mem::transmute(self.entry);
            entry(context, columns.as_ptr(), results.as_ptr(), n);
        }
    }

    /// Runs a `Form::Launch`.
    /// # Safety
    /// 1. `arguments` has a word for each scalar after the index, and a pointer and a length for each slice, which nobody else touches.
    pub(crate) unsafe fn launch(&self, context: &mut Context, arguments: &[u64], n: u64) {
        // SAFETY: made for `Form::Launch`; (1).
        unsafe {
            let entry: unsafe extern "C" fn(*mut Context, *const u64, u64) = std::mem::transmute(self.entry);
            entry(context, arguments.as_ptr(), n);
        }
    }
}

fn refused(e: impl std::fmt::Display) -> Refused {
    Refused(e.to_string())
}

/// What the machine has, and how code for it is made: carefully, or (`huge`) in time.
fn target(huge: bool) -> Result<OwnedTargetIsa> {
    static TARGETS: [OnceLock<std::result::Result<OwnedTargetIsa, String>>; 2] = [const { OnceLock::new() }; 2];
    let target = TARGETS[usize::from(huge)].get_or_init(|| {
        if cfg!(target_endian = "big") {
            return Err("words are kept with their low bytes first".into());
        }
        let mut flags = settings::builder();
        let verify = if cfg!(debug_assertions) { "true" } else { "false" };
        let all = [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            ("use_colocated_libcalls", "false"),
            ("enable_verifier", verify),
            ("regalloc_algorithm", if huge { "single_pass" } else { "backtracking" }),
            // A large frame must meet the guard at the end of the stack, not jump over it.
            ("enable_probestack", "true"),
            ("probestack_strategy", "inline"),
        ];
        for (name, value) in all {
            flags.set(name, value).map_err(|e| e.to_string())?;
        }
        let builder = cranelift_native::builder()?;
        builder.finish(settings::Flags::new(flags)).map_err(|e| e.to_string())
    });
    target.clone().map_err(Refused)
}

fn session(module: Rc<Module>, callees: Rc<dyn Callees>, huge: bool) -> Result<Session> {
    let isa = target(huge)?;
    let has = |name: &str| isa.isa_flags().iter().find(|f| f.name == name).and_then(|flag| flag.as_bool());
    // Elsewhere it is part of the baseline.
    let fma = has("has_fma").unwrap_or(!cfg!(target_arch = "x86_64"));
    let blends = has("has_sse41").unwrap_or(false);
    let jit = JITModule::new(JITBuilder::with_isa(isa, cranelift_module::default_libcall_names()));
    let machine = Machine { fma, blends };
    Ok(Session {
        module,
        jit,
        machine,
        callees,
        functions: vec![],
        waiting: vec![],
        tables: vec![],
        constants: vec![],
        constants_data: None,
        stack: 0,
        expressions: 0,
    })
}

/// One function as it is to be generated.
struct Job<'a> {
    func: &'a Func,
    facts: Uniformity,
    lanes: usize,
    /// Of a block loop.
    plan: Option<StagePlan>,
}

fn size_of(func: &Func) -> usize {
    let mut size = 0;
    func.visit(&mut |_| size += 1);
    size
}

impl<'a> Job<'a> {
    fn is_huge(&self) -> bool {
        size_of(self.func) * (self.lanes / 2).max(1) > HUGE
    }

    fn scalar(func: &'a Func, form: Option<&Form>) -> Job<'a> {
        let plan = matches!(form, Some(Form::Block(_))).then(|| StagePlan::plain(func));
        Job { func, facts: Uniformity::scalar(), lanes: 1, plan }
    }

    fn on_lanes(func: &'a Func, varying: u64) -> Job<'a> {
        let varying: Vec<bool> = (0..func.params.len()).map(|k| varying >> k & 1 == 1).collect();
        let facts = Uniformity::of(func, &varying);
        let lanes = if size_of(func) > LONG || facts.has_divergent_loops(func) { FEW_LANES } else { LANES };
        let plan = Some(StagePlan::of(func, &facts, true));
        Job { func, facts, lanes, plan }
    }
}

/// Compiles a function of the text; `text`: with the machine code as text.
pub(crate) fn compile(
    module: &Rc<Module>,
    callees: &Rc<dyn Callees>,
    name: &str,
    form: &Form,
    text: bool,
) -> Result<Code> {
    let func = module.function(name).ok_or_else(|| Refused(format!("no function `{name}`")))?;
    let make = |job: Job<'_>| attempt(module, callees, job, form, text);
    let inlined = match inline::inline(module, func) {
        Ok(inlined) => inlined,
        Err(Refused(why)) => {
            let mut code = make(Job::scalar(func, Some(form)))?;
            code.one_at_a_time = matches!(form, Form::Block(_)).then_some(why);
            return Ok(code);
        }
    };
    let Form::Block(varying) = *form else { return make(Job::scalar(&inlined, Some(form))) };
    let flat = flatten(inlined);
    make(Job::on_lanes(&flat, varying)).or_else(|Refused(why)| {
        let mut code = make(Job::scalar(&flat, Some(form))).or_else(|_| make(Job::scalar(func, Some(form))))?;
        code.one_at_a_time = Some(why);
        Ok(code)
    })
}

fn attempt(module: &Rc<Module>, callees: &Rc<dyn Callees>, job: Job<'_>, form: &Form, text: bool) -> Result<Code> {
    let lanes = job.lanes;
    let mut s = session(module.clone(), callees.clone(), job.is_huge())?;
    let mut shown = String::new();
    match write_all(&mut s, module, job, form, text.then_some(&mut shown)) {
        Ok((entry, memory)) => {
            Ok(Code { jit: Some(s.jit), _tables: s.tables, entry, memory, lanes, one_at_a_time: None, text: shown })
        }
        Err(refused) => {
            // SAFETY: nobody has called, or holds, anything of it.
            unsafe { s.jit.free_memory() };
            Err(refused)
        }
    }
}

/// Generates a function and all that it calls into the session's memory. Gives its address, and how many bytes a block loop needs.
fn write_all(
    s: &mut Session,
    module: &Rc<Module>,
    job: Job<'_>,
    form: &Form,
    mut shown: Option<&mut String>,
) -> Result<(*const u8, usize)> {
    let mut signature = s.jit.make_signature();
    let words = if matches!(form, Form::Block(_)) { 4 } else { 3 };
    signature.params.extend((0..words).map(|_| AbiParam::new(types::I64)));
    let id = s.jit.declare_function("entry", Linkage::Export, &signature).map_err(refused)?;
    let memory = generate(s, job, id, Some(form), shown.as_deref_mut())?;
    while let Some(name) = s.waiting.pop() {
        let id = s.function(&name)?;
        let func = module.function(&name).ok_or_else(|| Refused(format!("no function `{name}`")))?;
        generate(s, Job::scalar(func, None), id, None, shown.as_deref_mut())?;
    }
    if let Some(id) = s.constants_data {
        let mut data = DataDescription::new();
        data.set_align(16);
        // Never empty: some systems give no memory for nothing.
        let all = s.constants.iter().flat_map(|bits| [*bits; 2]).chain([0; 2]);
        data.define(all.flat_map(u64::to_le_bytes).collect());
        s.jit.define_data(id, &data).map_err(refused)?;
    }
    // The platform may forbid executable memory: then this is where it says so.
    s.jit.finalize_definitions().map_err(|e| Refused(format!("the system gives no executable memory: {e}")))?;
    Ok((s.jit.get_finalized_function(id), memory))
}

const COLUMN: MemFlagsData = MemFlagsData::new().with_notrap();

/// Generates one function: an entry of this form, or (`None`) one that others call. Gives how many bytes of memory it needs.
fn generate(
    s: &mut Session,
    job: Job<'_>,
    id: FuncId,
    form: Option<&Form>,
    text: Option<&mut String>,
) -> Result<usize> {
    let Job { func, facts, lanes, plan } = job;
    s.expressions += size_of(func);
    if s.expressions > MOST_EXPRESSIONS {
        return Err(Refused(format!("it has more than {MOST_EXPRESSIONS} operations")));
    }
    let mut cx = s.jit.make_context();
    cx.set_disasm(text.is_some());
    cx.func.signature = s.jit.declarations().get_function_decl(id).signature.clone();
    let mut builder_context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut cx.func, &mut builder_context);
    let start = b.create_block();
    b.append_block_params_for_function_params(start);
    b.switch_to_block(start);
    b.seal_block(start);
    let given = b.block_params(start).to_vec();
    let (abort, return_block) = (b.create_block(), b.create_block());
    let exec = (0..if lanes > 1 { lanes / 2 } else { 0 }).map(|_| b.declare_var(types::I64X2)).collect();
    let ticks = b.declare_var(types::I32);
    let frames = vec![None; func.loops.len()];
    let config = s.jit.target_config();
    let constants = if lanes > 1 {
        let id = s.jit.declare_data("constants", Linkage::Local, false, false).map_err(refused)?;
        s.constants_data = Some(id);
        let place = s.jit.declare_data_in_func(id, b.func);
        b.ins().symbol_value(types::I64, place)
    } else {
        given[0]
    };
    let mut g = Gen {
        s,
        b: &mut b,
        func,
        facts,
        lanes,
        homes: vec![],
        frames,
        exec,
        masked: false,
        context: given[0],
        constants,
        ticks,
        abort,
        result: vec![],
        return_block,
        call_area: None,
    };
    g.fetch_ticks();
    g.make_homes();
    let ret = g.leaves(&func.ret);
    g.result = g.declare_all(&ret, lanes > 1);
    let mut memory = 0;
    match (form, &plan) {
        (None, _) => g.called(&given, &ret)?,
        (Some(Form::Single), _) => g.on_one(&given, &ret)?,
        (Some(Form::Block(varying)), Some(plan)) => memory = g.over_columns(&given, &ret, *varying, plan)?,
        (Some(Form::Block(_)), None) => return Err(Refused("a block loop without a plan".into())),
        (Some(Form::Launch), _) => g.over_items(&given)?,
    }
    // Told to stop: what is returned is not used.
    g.b.switch_to_block(abort);
    g.b.seal_block(abort);
    let zeros: Vec<Value> = match (form, ret.as_slice()) {
        (None, [one]) => vec![g.zero(*one)],
        _ => vec![],
    };
    g.b.ins().return_(&zeros);
    b.finalize(config);
    s.stack += cx.func.sized_stack_slots.values().map(|slot| slot.size as usize).sum::<usize>();
    if s.stack > MOST_STACK {
        return Err(Refused(format!(
            "its arrays take {} bytes of the stack, but at most {MOST_STACK} are taken",
            s.stack
        )));
    }
    s.jit.define_function(id, &mut cx).map_err(|e| match e {
        cranelift_module::ModuleError::Compilation(e) => Refused(format!("{e:?}")),
        other => refused(other),
    })?;
    if let (Some(out), Some(code)) = (text, cx.compiled_code()) {
        out.push_str(code.vcode.as_deref().unwrap_or(""));
    }
    Ok(memory)
}

impl Gen<'_, '_> {
    fn one(&mut self, word: &Word, leaf: Leaf) -> Value {
        self.lane(leaf, word, 0)
    }

    /// A function that others call: words in, words out.
    fn called(&mut self, given: &[Value], ret: &[Leaf]) -> Result<()> {
        let mut at = 1;
        let func = self.func;
        for p in &func.params {
            let count = self.leaves(&p.ty).len();
            let words = given[at..at + count].iter().map(|v| Word::One(*v)).collect();
            self.bind_local(p.id, words)?;
            at += count;
        }
        let result = self.result.clone();
        self.zero_all(&result)?;
        self.body()?;
        self.keep_ticks();
        let words = self.get_all(&result);
        match ret {
            [] => {
                self.b.ins().return_(&[]);
            }
            [leaf] => {
                let v = self.one(&words[0], *leaf);
                self.b.ins().return_(&[v]);
            }
            leaves => {
                for (k, (word, leaf)) in words.iter().zip(leaves).enumerate() {
                    let v = self.one(word, *leaf);
                    self.b.ins().store(MemFlagsData::trusted(), v, given[at], 8 * k as i32);
                }
                self.b.ins().return_(&[]);
            }
        }
        Ok(())
    }

    /// One element.
    fn on_one(&mut self, given: &[Value], ret: &[Leaf]) -> Result<()> {
        let func = self.func;
        for (k, p) in func.params.iter().enumerate() {
            let leaf = Leaf::of(&p.ty);
            let v = self.b.ins().load(leaf.scalar(), COLUMN, given[1], 8 * k as i32);
            self.bind_local(p.id, vec![Word::One(v)])?;
        }
        let result = self.result.clone();
        self.zero_all(&result)?;
        self.body()?;
        let words = self.get_all(&result);
        for (k, (word, leaf)) in words.iter().zip(ret).enumerate() {
            let v = self.one(word, *leaf);
            self.b.ins().store(COLUMN, v, given[2], 8 * k as i32);
        }
        self.b.ins().return_(&[]);
        Ok(())
    }

    /// The work-items of an entry point, in order.
    fn over_items(&mut self, given: &[Value]) -> Result<()> {
        let func = self.func;
        let mut word = 0;
        let mut scalars = vec![];
        for p in func.params.iter().skip(1) {
            let mut next = |g: &mut Self, ty| {
                word += 1;
                g.b.ins().load(ty, COLUMN, given[1], 8 * (word - 1))
            };
            match &p.ty {
                Ty::Slice(elem, _) => {
                    let (start, len) = (next(self, types::I64), next(self, types::I64));
                    self.homes[p.id] = Home::Slice { start, len, leaf: Leaf::of(&Ty::Scalar(*elem)) };
                }
                ty => {
                    let leaf = Leaf::of(ty);
                    let v = next(self, leaf.scalar());
                    scalars.push((p.id, v));
                }
            }
        }
        let at = self.b.declare_var(types::I64);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(at, zero);
        let (header, inside, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(header, &[]);
        self.b.switch_to_block(header);
        let i = self.b.use_var(at);
        let more = self.b.ins().icmp(IntCC::UnsignedLessThan, i, given[2]);
        self.b.ins().brif(more, inside, &[], done, &[]);
        self.b.switch_to_block(inside);
        self.b.seal_block(inside);
        self.bind_local(func.params[0].id, vec![Word::One(i)])?;
        for (id, v) in scalars {
            self.bind_local(id, vec![Word::One(v)])?;
        }
        self.body()?;
        let next = self.b.ins().iadd_imm_s(i, 1);
        self.b.def_var(at, next);
        self.b.ins().jump(header, &[]);
        self.b.seal_block(header);
        self.b.switch_to_block(done);
        self.b.seal_block(done);
        self.b.ins().return_(&[]);
        Ok(())
    }
}
