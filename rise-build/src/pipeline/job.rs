//! What a block asks to be compiled: which kernel, for which target, by which strategy, under which name.

use std::cell::OnceCell;

use proc_macro2::{Group, Span, TokenStream, TokenTree};

use crate::backend::c::{self, Symbol};
use crate::backend::wrapper::{Notes, Signature};
use crate::diagnostics::{Diagnostic, Diagnostics, Origin, Place, suggest};
use crate::dpia::functional::Target;
use crate::expr::{Arg, Expr, Kind, Primitive};
use crate::nat::NatVar;
use crate::syntax::{self, ast};
use crate::types::DataType;
use crate::{library, loops};

/// The items of a block and of the files that it uses.
pub struct Program {
    /// All items.
    pub module: ast::Module,
    /// What the user's crate calls this library.
    pub facade: String,
    /// The files that were asked for, and whether they were read.
    files: Vec<(String, bool)>,
    /// All items as text, once it is needed.
    text: OnceCell<String>,
}

/// One compilation.
pub struct Job<'p> {
    /// The kernel.
    pub item: &'p ast::Kernel,
    /// The name of the function.
    pub name: String,
    /// Where the name stands.
    pub origin: Origin,
    /// For what.
    pub target: Target,
    /// Where the target stands.
    pub at_target: Origin,
    /// What the target is told.
    pub options: &'p [ast::Arg],
    /// How; `auto` if nothing is said.
    pub strategy: Option<&'p ast::Strategy>,
    /// Whether the kernel has other compilations, so that a message about it has to say which one is meant.
    pub one_of_several: bool,
}

type Load<'a> = &'a dyn Fn(&str) -> Result<String, String>;

impl Program {
    /// Takes in the files that the module uses.
    pub fn new(module: ast::Module, load: Load, diagnostics: &mut Diagnostics) -> Self {
        let mut program = Self {
            module: ast::Module::default(),
            facade: "rise".into(),
            files: Vec::new(),
            text: OnceCell::new(),
        };
        program.take(module, load, diagnostics);
        program
    }

    fn take(&mut self, module: ast::Module, load: Load, diagnostics: &mut Diagnostics) {
        self.module.incomplete |= module.incomplete;
        for item in module.items {
            match item {
                ast::Item::Crate(name) => name.as_str().clone_into(&mut self.facade),
                ast::Item::Import(import) => self.import(import, load, diagnostics),
                item => self.module.items.push(item),
            }
        }
    }

    /// An import whose file is not read stays in the module, where names may be missing for that reason.
    fn import(&mut self, import: ast::Import, load: Load, diagnostics: &mut Diagnostics) {
        if self.files.iter().any(|(file, _)| *file == import.path) {
            return;
        }
        let loaded =
            library::text(&import.path).map_or_else(|| load(&import.path), |text| Ok(text.to_owned()));
        self.files.push((import.path.clone(), loaded.is_ok()));
        match loaded {
            Ok(text) => {
                let (module, wrong) = syntax::parse_file(&import.path, &text, import.origin);
                diagnostics.append(wrong);
                self.take(module, load, diagnostics);
            }
            Err(reason) => {
                let message = format!("cannot read \"{}\": {reason}", import.path);
                let mut help = "the path is relative to the package's root".to_owned();
                if import.path.starts_with("rise/") {
                    help.push_str(&format!("; what ships with the compiler is {}", library::names()));
                }
                diagnostics.push(Diagnostic::error(import.origin, message).help(help));
                self.module.items.push(ast::Item::Import(import));
            }
        }
    }

    /// The files of the package that were asked for.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(file, _)| file.as_str()).filter(|file| !library::ships(file))
    }

    /// Items that make cargo and rustc watch what the compilation depends on.
    pub fn tracking(&self) -> TokenStream {
        let mut text = String::new();
        for variable in ["RISE_DUMP", "RISE_CHECK"] {
            text.push_str(&format!(
                "const _: ::core::option::Option<&str> = ::core::option_env!({variable:?});\n"
            ));
        }
        for (file, _) in self.files.iter().filter(|(file, read)| *read && !library::ships(file)) {
            text.push_str(&format!(
                "const _: &[u8] = ::core::include_bytes!(::core::concat!(::core::env!(\"CARGO_MANIFEST_DIR\"), {:?}));\n",
                format!("/{file}")
            ));
        }
        text.parse().unwrap_or_default()
    }

    /// All compilations, in order of the items: a kernel that none claims under its own name is compiled to
    /// Rust as well.
    pub fn jobs(&self, diagnostics: &mut Diagnostics) -> Vec<Job<'_>> {
        let mut jobs = Vec::new();
        for item in &self.module.items {
            match item {
                ast::Item::Kernel(item) if item.is_kernel() && !self.is_claimed(item) => jobs.push(Job {
                    item,
                    name: item.name.to_string(),
                    origin: item.name.origin,
                    target: Target::Rust,
                    at_target: item.name.origin,
                    options: &[],
                    strategy: None,
                    one_of_several: false,
                }),
                ast::Item::Compile(compile) => jobs.extend(self.job(compile, diagnostics)),
                _ => {}
            }
        }
        let jobs = first_of_each_name(jobs);
        jobs.iter().filter_map(|job| job.beside_another(&jobs)).for_each(|error| diagnostics.push(error));
        jobs
    }

    /// What is said where the block has functions, but makes none for Rust. Those that rules call have a use.
    pub fn nothing_exported(&self) -> Diagnostics {
        let is_of_use = |item| matches!(item, &ast::Item::Compile(_) | &ast::Item::Rule(_));
        let exports = self.kernels().next().is_some() || self.module.items.iter().any(is_of_use);
        let helper = self.module.items.iter().find_map(|item| match item {
            ast::Item::Kernel(kernel) => Some(&kernel.name),
            _ => None,
        });
        match helper.filter(|_| !exports) {
            // A file of helpers is for others.
            Some(name) if matches!(name.origin.place(), Place::Tokens(..)) => {
                let message = "the block makes no function: it holds helpers alone";
                Diagnostic::error(name.origin, message).help(format!("write `pub fn {name}`")).into()
            }
            _ => Diagnostics::new(),
        }
    }

    fn kernels(&self) -> impl Iterator<Item = &ast::Kernel> {
        self.module.items.iter().filter_map(|item| match item {
            ast::Item::Kernel(kernel) if kernel.is_kernel() => Some(kernel),
            _ => None,
        })
    }

    fn is_claimed(&self, item: &ast::Kernel) -> bool {
        self.module.items.iter().any(|other| match other {
            ast::Item::Compile(compile) => {
                let name = compile.alias.as_ref().unwrap_or(&compile.kernel);
                compile.kernel.text == item.name.text && name.text == item.name.text
            }
            _ => false,
        })
    }

    fn job<'p>(&'p self, compile: &'p ast::Compile, diagnostics: &mut Diagnostics) -> Option<Job<'p>> {
        let wanted = compile.kernel.as_str();
        let found = self.kernels().find(|kernel| kernel.name.as_str() == wanted);
        if found.is_none() && self.module.lacks_items() {
            return None;
        }
        let Some(item) = found else {
            let error = Diagnostic::error(compile.kernel.origin, format!("there is no kernel `{wanted}`"));
            let near = suggest(wanted, self.kernels().map(|kernel| kernel.name.as_str()));
            diagnostics.push(match near {
                Some(near) => error.help(format!("there is `{near}`")),
                None => error.help("a kernel is a `pub fn` of this block"),
            });
            return None;
        };
        let Some(target) = Target::from_name(compile.target.name.as_str()) else {
            let message = format!("there is no target `{}`", compile.target.name);
            let error = Diagnostic::error(compile.target.name.origin, message);
            diagnostics.push(error.help("the targets are `rust`, `c`, `openmp` and `opencl`"));
            return None;
        };
        let name = compile.alias.as_ref().unwrap_or(&item.name);
        Some(Job {
            item,
            name: name.to_string(),
            origin: name.origin,
            target,
            at_target: compile.target.name.origin,
            options: &compile.target.options,
            strategy: compile.strategy.as_ref(),
            one_of_several: false,
        })
    }
}

/// The jobs without those whose name is taken, of which the parser has told; each knows whether it is alone.
fn first_of_each_name(jobs: Vec<Job<'_>>) -> Vec<Job<'_>> {
    let mut kept: Vec<Job<'_>> = Vec::new();
    for mut job in jobs {
        if kept.iter().any(|other| other.name == job.name) {
            continue;
        }
        for other in kept.iter_mut().filter(|other| other.item.name == job.item.name) {
            (other.one_of_several, job.one_of_several) = (true, true);
        }
        kept.push(job);
    }
    kept
}

/// The parameters, of which equal names are told apart: the parser has told of these.
fn distinct(
    mut params: Vec<(String, DataType, Option<NatVar>)>,
    nats: &[NatVar],
) -> Vec<(String, DataType, Option<NatVar>)> {
    for at in 0..params.len() {
        let name = &params[at].0;
        if params[..at].iter().any(|(other, ..)| other == name) || nats.iter().any(|nat| nat.text() == name) {
            params[at].0 = format!("{}_{at}", params[at].0);
        }
    }
    params
}

impl Job<'_> {
    /// What is said where another compilation makes a function of this name as well.
    fn beside_another(&self, jobs: &[Job<'_>]) -> Option<Diagnostic> {
        let makes = |other: &&Job<'_>| {
            let beside = self.name.strip_prefix(other.plain_name());
            matches!(beside, Some("_into" | "_variant"))
                || beside == Some("_on") && other.target == Target::OpenCl
        };
        let other = jobs.iter().find(makes)?;
        let message = format!("`{}` makes a function `{}` as well", other.name, self.name);
        let error = Diagnostic::error(self.origin, message).label(other.origin, "beside this one");
        Some(error.help("give one of them another name"))
    }

    /// The name without what makes an identifier of a keyword.
    fn plain_name(&self) -> &str {
        self.name.strip_prefix("r#").unwrap_or(&self.name)
    }

    /// The signature with all that the syntax tree alone knows.
    pub fn signature(&self, program: &Program, signature: Signature) -> Signature {
        let item = self.item;
        let carried =
            item.attributes.iter().filter(|attribute| ast::CARRIED.contains(&attribute.name.as_str()));
        Signature {
            name: self.name.clone(),
            visibility: match &item.visibility {
                ast::Visibility::Restricted(scope) => format!("pub({scope})"),
                ast::Visibility::Public | ast::Visibility::Helper => "pub".into(),
            },
            docs: item.docs.clone(),
            attributes: carried.map(|attribute| attribute.text.clone()).collect(),
            facade: program.facade.clone(),
            spans: self.spans(),
            params: distinct(signature.params, &signature.nats),
            ..signature
        }
    }

    /// The user's names that occur in the generated signatures.
    fn spans(&self) -> Vec<(String, Span)> {
        let mut spans: Vec<(String, Span)> = Vec::new();
        let mut add = |name: &str, origin: Origin| spans.push((name.to_owned(), origin.span()));
        let plain = self.plain_name();
        add(&self.name, self.origin);
        add(&format!("{plain}_into"), self.origin);
        add(&format!("{plain}_variant"), self.origin);
        add(&format!("{plain}_on"), self.origin);
        for kind in &self.item.kinds {
            add(kind.name.as_str(), kind.name.origin);
        }
        for param in &self.item.params {
            if let ast::PatternKind::Name(name) = &param.pattern.kind {
                add(name.as_str(), name.origin);
            }
        }
        spans
    }

    /// What the function is called in C. Everything that the code depends on is in the texts.
    pub fn symbol(&self, program: &Program) -> Symbol {
        let items = program.text.get_or_init(|| program.module.to_string());
        let strategy = self.strategy.map(ToString::to_string).unwrap_or_default();
        Symbol::of(&[self.target.name(), &self.name, self.item.name.as_str(), &strategy, items])
    }

    /// What fails where the target lacks something: for those that a build script compiles, if it did not, under the
    /// kernel's name; for OpenCL without its feature, under the target's.
    pub fn handshake(&self, program: &Program) -> TokenStream {
        let target = match self.target {
            Target::Rust => return TokenStream::new(),
            Target::OpenCl => {
                let text = format!("::{}::__opencl!();", program.facade);
                return at(text.parse().unwrap_or_default(), self.at_target.span());
            }
            Target::C => "C",
            Target::OpenMp => "C with OpenMP",
        };
        let text = c::handshake(&self.symbol(program), &self.name, target);
        at(text.parse().unwrap_or_default(), self.origin.span())
    }

    /// What is wrong with the kernel under this strategy, which stands at another place.
    pub fn told(&self, wrong: Diagnostics) -> Diagnostics {
        let (name, target) = (&self.name, self.target.name());
        wrong.each(|wrong| match self.one_of_several {
            true => wrong.label(self.origin, format!("this is about `{name}`, for the target `{target}`")),
            false => wrong,
        })
    }

    /// What the documentation tells of this compilation.
    pub fn notes(&self, loops: &loops::Kernel) -> Notes {
        Notes { strategy: self.strategy.map(ToString::to_string), loops: Some(loops::outline(loops)) }
    }
}

/// The tokens, as if they stood there.
pub(super) fn at(tokens: TokenStream, span: Span) -> TokenStream {
    let mut moved = TokenStream::new();
    for mut token in tokens {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), at(group.stream(), span)).into();
        }
        token.set_span(span);
        moved.extend([token]);
    }
    moved
}

/// Whether parts of the result may never be written.
pub fn leaves_gaps(expr: &Expr) -> bool {
    match expr.kind() {
        Kind::Var(_) | Kind::Literal(_) | Kind::Nat(_) => false,
        Kind::Let(_, value, body) => leaves_gaps(value) || leaves_gaps(body),
        Kind::Prim(primitive, args) => {
            matches!(primitive, Primitive::Scatter | Primitive::PadEmpty(_))
                || args.iter().any(|arg| match arg {
                    Arg::Expr(expr) => leaves_gaps(expr),
                    Arg::Fun(lambda) => leaves_gaps(&lambda.body),
                })
        }
    }
}
