//! Items, and going on behind one that cannot be read.

use proc_macro2::Delimiter;

use super::literal::unquote;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast::{
    Attribute, Compile, Ident, Import, Item, Module, Rule, Strategy, StrategyItem, StrategyParam, Target,
    Visibility,
};
use crate::syntax::token::TokenKind;

/// What may stand before an item.
pub(super) struct Head {
    pub(super) docs: Vec<String>,
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) start: usize,
}

impl Parser {
    /// All items.
    pub(super) fn module(&mut self) -> Module {
        let mut module = Module::default();
        while !self.at_end() {
            let before = self.mark();
            match self.item() {
                Ok(item) => module.items.push(item),
                Err(Reported) => {
                    self.incomplete = true;
                    if self.mark() == before {
                        self.bump();
                    }
                    self.skip_until(Self::at_item);
                }
            }
        }
        module.incomplete = self.incomplete;
        module
    }

    /// Whether an item begins here.
    pub(super) fn at_item(&self) -> bool {
        self.item_begins(0)
    }

    /// Whether an item begins there.
    pub(super) fn item_begins(&self, ahead: usize) -> bool {
        if self.op(ahead) == "#" {
            return true;
        }
        match self.text(ahead) {
            _ if !self.is_ident(ahead) => false,
            "pub" | "fn" | "use" | "extern" => true,
            "crate" => self.op(ahead + 1) == "=",
            "strategy" | "rule" | "def" | "compile" => self.is_ident(ahead + 1),
            "const" | "unsafe" | "async" => self.is_word(ahead + 1, "fn"),
            "struct" | "enum" | "mod" | "impl" | "trait" | "static" | "type" | "let" => {
                self.is_ident(ahead + 1)
            }
            _ => false,
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        let head = self.head()?;
        let word = self.text(0).to_string();
        if !matches!(&*word, "fn" | "def" | "extern" | "const" | "unsafe" | "async")
            && let Some(attribute) = head.attributes.first()
        {
            let message = format!("the attribute `{}` means nothing here", attribute.name);
            let error = Diagnostic::error(attribute.name.origin, message);
            self.report(error.help("attributes stand on functions: all compilations of a kernel carry them"));
        }
        match &*word {
            "fn" => Ok(Item::Kernel(self.function(head)?)),
            "def" if self.is_ident(1) => Ok(Item::Kernel(self.definition(head)?)),
            "extern" => Ok(Item::Extern(self.extern_function(head)?)),
            "strategy" if self.is_ident(1) => Ok(Item::Strategy(self.strategy_item(head)?)),
            "rule" if self.is_ident(1) => Ok(Item::Rule(self.rule(head)?)),
            "compile" if self.is_ident(1) => Ok(Item::Compile(self.compile()?)),
            "use" => Ok(Item::Import(self.import()?)),
            "crate" if self.op(1) == "=" => Ok(Item::Crate(self.facade()?)),
            "const" | "unsafe" | "async" if self.is_word(1, "fn") => {
                let start = self.mark();
                self.bump();
                self.wrong(start, "a kernel has no `const`, `unsafe` or `async`", "write `fn` or `pub fn`");
                Ok(Item::Kernel(self.function(head)?))
            }
            _ => Err(self.no_item()),
        }
    }

    fn no_item(&mut self) -> Reported {
        let help = match self.text(0) {
            "struct" | "enum" => {
                "write it beside the `rise!` block; what kernels take and give are numbers, tuples `(f32, f32)` and arrays"
            }
            "type" | "const" | "static" | "mod" | "impl" | "trait" => {
                "a `rise!` block holds kernels; write other items of Rust beside it"
            }
            "fun" | "depFun" => "give it a name: `def name = fun(…)`",
            "schedule" => "how a kernel is computed is said by `strategy name = …;`",
            "import" | "include" => "a file is taken in by `use \"path.rise\";`",
            "func" | "function" | "kernel" | "entry" | "void" => {
                "a kernel is written `pub fn f<n: Nat>(x: [f32; n]) -> f32 { sum(x) }`"
            }
            _ if self.passed() == "pub" => "is `fn` missing?",
            _ if self.is_char(0, ';') => "a function ends with its body: leave the `;` out",
            "where" => "a `where` clause stands before the body: `-> f32 where n >= 1 { … }`",
            "let" => "a `let` stands inside a kernel's body",
            _ => {
                "items are `pub fn`, `fn`, `def`, `strategy`, `rule`, `compile … to …`, `extern fn`, `use \"path.rise\"`"
            }
        };
        self.expected_help("an item", help)
    }

    /// Documentation, attributes and visibility.
    fn head(&mut self) -> Parsed<Head> {
        let (mut docs, mut attributes) = (Vec::new(), Vec::new());
        while self.op(0) == "#" {
            let start = self.mark();
            self.bump();
            if self.eat_char('!') || !self.is_open(0, Delimiter::Bracket) {
                self.bump();
                let help = "write `#[…]` or `///` before the item that it describes";
                return Err(self.wrong(start, "this is no attribute of an item", help));
            }
            self.inside(|p| p.attribute(&mut docs, &mut attributes))?;
        }
        let start = self.mark();
        let visibility = self.visibility();
        Ok(Head { docs, attributes, visibility, start })
    }

    fn attribute(&mut self, docs: &mut Vec<String>, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        let doc = self.is_word(0, "doc") && self.op(1) == "=";
        if let Some(text) = unquote(self.text(2)).filter(|_| doc) {
            docs.extend(text.split('\n').map(str::to_string));
            self.skip_until(|_| false);
            return Ok(());
        }
        let text = self.window_text();
        let name = self.ident("the name of an attribute")?;
        self.skip_until(|_| false);
        attributes.push(Attribute { name, text });
        Ok(())
    }

    fn visibility(&mut self) -> Visibility {
        if !self.eat_word("pub") {
            return Visibility::Helper;
        }
        if !self.is_open(0, Delimiter::Parenthesis) {
            return Visibility::Public;
        }
        let text = self.inside(|p| {
            let text = p.window_text();
            p.skip_until(|_| false);
            text
        });
        Visibility::Restricted(text)
    }

    fn refuse_visibility(&mut self, head: &Head, what: &str) {
        if head.visibility != Visibility::Helper {
            let message = format!("{what} has no visibility");
            let diagnostic = Diagnostic::error(self.here(), message).help("leave `pub` out");
            self.report(diagnostic);
        }
    }

    /// The `;` behind an item; where it is missing, another item must begin.
    pub(super) fn semicolon(&mut self, what: &str) {
        if self.eat_char(';') {
            return;
        }
        self.expected_help("`;`", &format!("{what} ends with `;`"));
        self.skip_until(|p| p.is_char(0, ';') || p.at_item());
        self.eat_char(';');
    }

    /// `use "path.rise";`
    fn import(&mut self) -> Parsed<Import> {
        let start = self.mark();
        self.bump();
        let origin = self.here();
        let Some(path) = unquote(self.text(0)) else {
            self.skip_until(|p| p.is_char(0, ';') || p.at_item());
            self.eat_char(';');
            let help = "write `use \"kernels/blas.rise\";`, a path relative to the package, or one that ships with the compiler, `use \"rise/blas.rise\";`";
            return Err(self.wrong(start, "`use` in a `rise!` block names a file", help));
        };
        self.bump();
        self.semicolon("`use`");
        Ok(Import { path, origin })
    }

    /// `crate = name;`
    fn facade(&mut self) -> Parsed<Ident> {
        self.bump();
        self.bump();
        let name = self.ident("the name under which this crate knows `rise`")?;
        self.semicolon("`crate = …`");
        Ok(name)
    }

    /// `strategy name(params) = s;`
    fn strategy_item(&mut self, head: Head) -> Parsed<StrategyItem> {
        self.refuse_visibility(&head, "a strategy");
        self.bump();
        let name = self.ident("the name of the strategy")?;
        let mut params = Vec::new();
        if self.is_open(0, Delimiter::Parenthesis) {
            params = self.inside(|p| {
                p.comma_list(Self::strategy_param, |origin| StrategyParam {
                    name: Ident::new("_", origin),
                    is_label: false,
                    kind: None,
                    default: None,
                })
            });
        }
        let equals = match self.eat_op("=") {
            true => Ok(()),
            false => Err(self
                .expected_help("`=`", &format!("write `strategy {name} = vectorize(16) @ 'rows ; lower;`"))),
        };
        let body = self.whole_strategy(equals);
        self.strategy_end("a strategy");
        Ok(StrategyItem { docs: head.docs, name, params, body })
    }

    fn strategy_param(&mut self) -> Parsed<StrategyParam> {
        let is_label = self.eat_char('\'');
        let name = self.ident("the name of a parameter")?;
        let kind = if self.eat_op(":") {
            const KINDS: [&str; 5] = ["Nat", "Strategy", "Label", "Predicate", "Data"];
            if !KINDS.contains(&self.text(0)) {
                self.expected("`Nat`, `Strategy`, `Label`, `Predicate` or `Data`");
            }
            Some(self.ident("a kind")?)
        } else {
            None
        };
        let default = if self.eat_op("=") { Some(self.strategy_arg()?) } else { None };
        Ok(StrategyParam { name, is_label, kind, default })
    }

    /// The strategy of an item, to the end of which it must extend; `before` is whether what stands before it
    /// could be read.
    fn whole_strategy(&mut self, before: Parsed<()>) -> Strategy {
        let start = self.mark();
        let ends = |p: &Self| {
            p.at_end() || p.is_char(0, ';') || p.is_word(0, "as") || p.at_item() || p.behind_semicolon()
        };
        let read = before.and_then(|()| self.strategy()).and_then(|strategy| match ends(self) {
            true => Ok(strategy),
            false => {
                let help = "steps are joined by `;`, alternatives by `<+`, places follow `@`";
                Err(self.expected_help("`;`", help))
            }
        });
        read.unwrap_or_else(|Reported| {
            self.skip_until(|p| p.is_word(0, "as") || p.is_char(0, ';') && p.item_behind() || p.at_item());
            Strategy::error(self.origin(start))
        })
    }

    /// The end of an item whose last part is a strategy, which may have taken the `;` already.
    fn strategy_end(&mut self, what: &str) {
        if self.eat_char(';') || self.at_end() || self.behind_semicolon() {
            return;
        }
        let help = match what {
            "`compile`" if !self.at_item() => {
                "`compile name to c with auto as other_name;`: the strategy follows `with`, and the name of the function is the last"
            }
            _ => &format!("{what} ends with `;`"),
        };
        self.expected_help("`;`", help);
        self.skip_until(|p| p.is_char(0, ';') && p.item_behind() || p.at_item());
        self.eat_char(';');
    }

    /// Whether an item begins, or the block ends, behind the `;` that stands here.
    pub(super) fn item_behind(&self) -> bool {
        let mut ahead = 1;
        while self.is_char(ahead, ';') {
            ahead += 1;
        }
        self.kind(ahead) == TokenKind::End || self.item_begins(ahead)
    }

    /// `rule name<params>: pattern => expr where …;`
    fn rule(&mut self, head: Head) -> Parsed<Rule> {
        self.refuse_visibility(&head, "a rule");
        self.bump();
        let name = self.ident("the name of the rule")?;
        let (kinds, mut params) = self.rule_params();
        if self.is_open(0, Delimiter::Parenthesis) {
            params.extend(self.value_params());
        }
        if !self.eat_op(":") {
            return Err(self.expected_help(
                "`:` and the pattern",
                "a rule is `rule name<n: Nat>: pattern => expression;`",
            ));
        }
        let pattern = self.expr_or(|p| matches!(p.op(0), "=>" | "->" | "=") || p.is_char(0, ';'));
        // The pattern ends in front of these only where that was reported.
        let told = self.eat_op("->") || self.eat_op("=");
        let arrow = if told { Ok(()) } else { self.need_op("=>") };
        let result = match arrow {
            Ok(()) => self.expr_or(|p| p.is_word(0, "where") || p.is_char(0, ';')),
            Err(Reported) => {
                self.skip_until(|p| p.is_char(0, ';') || p.at_item());
                crate::syntax::ast::Expr::error(self.here())
            }
        };
        let obligations = if self.eat_word("where") {
            self.obligations(|p| p.is_char(0, ';') || p.at_item())
        } else {
            Vec::new()
        };
        self.semicolon("a rule");
        Ok(Rule {
            docs: head.docs,
            attributes: head.attributes,
            name,
            kinds,
            params,
            pattern,
            result,
            obligations,
        })
    }

    /// `compile kernel to target(options) with s as name;`
    fn compile(&mut self) -> Parsed<Compile> {
        let start = self.mark();
        self.bump();
        let kernel = self.ident("the kernel to compile")?;
        if !self.eat_word("to") {
            return Err(self.expected_help("`to` and a target", "write `compile name to rust with auto;`"));
        }
        let name = self.ident("a target: `rust`, `c`, `openmp` or `opencl`")?;
        let mut options = Vec::new();
        if self.is_open(0, Delimiter::Parenthesis) {
            options = self.strategy_args();
        }
        let origin = self.origin(start);
        let mut strategy = None;
        if self.eat_word("with") {
            strategy = Some(self.whole_strategy(Ok(())));
        }
        let alias = if self.eat_word("as") { Some(self.ident("the name of the function")?) } else { None };
        self.strategy_end("`compile`");
        Ok(Compile { kernel, target: Target { name, options }, strategy, alias, origin })
    }
}
