//! Items.

use super::Printer;
use crate::syntax::ast::{
    Attribute, Compile, ExternFn, Item, Kernel, Notation, Rule, StrategyItem, StrategyParam, Visibility,
};

impl Printer {
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Crate(name) => self.word(&format!("crate = {name};\n")),
            Item::Import(import) => self.word(&format!("use {:?};\n", import.path)),
            Item::Kernel(kernel) if kernel.notation == Notation::Papers => self.definition(kernel),
            Item::Kernel(kernel) => self.function(kernel),
            Item::Extern(function) => self.extern_function(function),
            Item::Strategy(item) => self.strategy_item(item),
            Item::Rule(rule) => self.rule(rule),
            Item::Compile(compile) => self.compile(compile),
        }
    }

    fn head(&mut self, docs: &[String], attributes: &[Attribute]) {
        for line in docs {
            self.word(&format!("///{line}\n"));
        }
        for attribute in attributes {
            self.word(&format!("#[{}]\n", attribute.text));
        }
    }

    fn visibility(&mut self, visibility: &Visibility) {
        match visibility {
            Visibility::Helper => {}
            Visibility::Public => self.word("pub "),
            Visibility::Restricted(place) => self.word(&format!("pub({place}) ")),
        }
    }

    fn function(&mut self, kernel: &Kernel) {
        self.head(&kernel.docs, &kernel.attributes);
        self.visibility(&kernel.visibility);
        self.word(&format!("fn {}", kernel.name));
        self.kind_params(&kernel.kinds);
        self.word("(");
        self.list(&kernel.params, Self::param);
        self.word(")");
        if let Some(result) = &kernel.result {
            self.word(" -> ");
            self.ty(result);
        }
        self.obligations(&kernel.obligations);
        self.word(" ");
        self.branch(&kernel.body);
        self.word("\n");
    }

    fn definition(&mut self, kernel: &Kernel) {
        self.head(&kernel.docs, &kernel.attributes);
        if kernel.visibility != Visibility::Public {
            self.visibility(&kernel.visibility);
        }
        self.word(&format!("def {} = ", kernel.name));
        if !kernel.kinds.is_empty() {
            self.word("depFun((");
            self.list(&kernel.kinds, Self::kind_param);
            self.word(") => ");
        }
        if !kernel.params.is_empty() {
            self.word("fun((");
            self.list(&kernel.params, Self::param);
            self.word(") => ");
        }
        self.expr(&kernel.body);
        let depth = usize::from(!kernel.kinds.is_empty()) + usize::from(!kernel.params.is_empty());
        self.word(&")".repeat(depth));
        self.word(";\n");
    }

    fn extern_function(&mut self, function: &ExternFn) {
        self.head(&function.docs, &function.attributes);
        self.word(&format!("extern fn {}", function.name));
        self.kind_params(&function.kinds);
        self.word("(");
        self.list(&function.params, Self::param);
        self.word(") -> ");
        self.ty(&function.result);
        self.obligations(&function.obligations);
        self.word(&match (&function.path.rust, &function.path.c) {
            (Some(path), Some(symbol)) if path != symbol => format!(" = {path}, {symbol:?};\n"),
            (Some(path), _) => format!(" = {path};\n"),
            (None, symbol) => format!(" = {:?};\n", symbol.as_deref().unwrap_or_default()),
        });
    }

    fn strategy_item(&mut self, item: &StrategyItem) {
        self.head(&item.docs, &[]);
        self.word(&format!("strategy {}", item.name));
        if !item.params.is_empty() {
            self.word("(");
            self.list(&item.params, Self::strategy_param);
            self.word(")");
        }
        self.word(" = ");
        self.strategy(&item.body);
        self.word(";\n");
    }

    fn strategy_param(&mut self, param: &StrategyParam) {
        if param.is_label {
            self.word("'");
        }
        self.word(param.name.as_str());
        if let Some(kind) = &param.kind {
            self.word(&format!(": {kind}"));
        }
        if let Some(default) = &param.default {
            self.word(" = ");
            self.arg(default);
        }
    }

    fn rule(&mut self, rule: &Rule) {
        self.head(&rule.docs, &rule.attributes);
        self.word(&format!("rule {}", rule.name));
        self.kind_params(&rule.kinds);
        if !rule.params.is_empty() {
            self.word("(");
            self.list(&rule.params, Self::param);
            self.word(")");
        }
        self.word(": ");
        self.expr(&rule.pattern);
        self.word(" => ");
        self.expr(&rule.result);
        self.obligations(&rule.obligations);
        self.word(";\n");
    }

    fn compile(&mut self, compile: &Compile) {
        self.word(&format!("compile {} to {}", compile.kernel, compile.target.name));
        if !compile.target.options.is_empty() {
            self.args(&compile.target.options);
        }
        if let Some(strategy) = &compile.strategy {
            self.word(" with ");
            self.strategy(strategy);
        }
        if let Some(alias) = &compile.alias {
            self.word(&format!(" as {alias}"));
        }
        self.word(";\n");
    }
}
