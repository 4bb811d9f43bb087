//! `rise`: shows what the compiler makes of a kernel, and the rules that it knows.

mod colour;
mod show;

use std::env;
use std::io::{IsTerminal, Write, stdout};
use std::process::ExitCode;

use rise_build::rewrite::reference;

use show::Found;

/// A command: its name, how it is called, what it does.
struct Command {
    name: &'static str,
    usage: &'static str,
    run: fn(&[String]) -> Result<Found, String>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "show",
        usage: "show <file> <kernel> [--stage <1 to 7>] [--step <k>]   any form of a kernel, or all of them",
        run: show::show,
    },
    Command {
        name: "loops",
        usage: "loops <file> <kernel>                                  its loops as pseudo-code",
        run: show::loops,
    },
    Command {
        name: "mappings",
        usage: "mappings <file> <kernel>                               its valid mappings to a device, and their costs",
        run: show::mappings,
    },
    Command {
        name: "rules",
        usage: "rules [name]                                           the rules and recipes",
        run: rules,
    },
];

fn main() -> ExitCode {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let colour = match args.iter().position(|arg| arg == "--colour") {
        Some(at) => {
            args.remove(at);
            true
        }
        None => stdout().is_terminal() && env::var_os("NO_COLOR").is_none(),
    };
    match run(&args) {
        Ok(Found { text, wrong }) => {
            let text = if colour { colour::colour(&text) } else { text };
            // Who closes the pipe early has seen enough.
            let _ = stdout().write_all(text.as_bytes());
            eprint!("{wrong}");
            if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(text) => {
            eprintln!("{}", text.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[String]) -> Result<Found, String> {
    let command = args.first().and_then(|name| COMMANDS.iter().find(|command| command.name == name));
    match command {
        Some(command) => (command.run)(&args[1..]).map_err(|wrong| match wrong.is_empty() {
            true => format!("usage: rise {}", command.usage),
            false => wrong,
        }),
        None => {
            let usages: Vec<String> =
                COMMANDS.iter().map(|command| format!("  rise {}", command.usage)).collect();
            Err(format!("usage:\n{}", usages.join("\n")))
        }
    }
}

fn rules(args: &[String]) -> Result<Found, String> {
    match args {
        [] => Ok(reference::index().into()),
        [name] => reference::entry(name).map(Found::from).ok_or_else(|| match reference::nearest(name) {
            Some(near) => format!("there is no rule or recipe `{name}`; there is `{near}`"),
            None => format!("there is no rule or recipe `{name}`"),
        }),
        _ => Err(String::new()),
    }
}
