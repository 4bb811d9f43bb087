//! How the elements that a loop reads lie in memory: next to each other, the same, or far apart.

use crate::expr::{Arg, Expr, Kind, Lambda, Primitive};
use crate::names::Name;
use crate::types::DataType;

/// The distance of what neighbouring iterations read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stride {
    /// The same element.
    Zero,
    /// The next one.
    Unit,
    /// Anything else.
    Far,
}

/// Where a value lies: the strides of its dimensions, and how it moves from one iteration to the next.
#[derive(Clone, Debug)]
enum Place {
    One { dims: Vec<Stride>, moves: Stride },
    Pair(Vec<Place>),
}

/// What the function of a loop over `xs` reads: how many values of each stride.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Reads {
    pub same: usize,
    pub next: usize,
    pub far: usize,
}

/// The reads of a loop's function; its last parameter is the element of `xs`.
pub(super) fn reads(f: &Lambda, xs: &Expr, known: &[(Name, Expr)]) -> Reads {
    let mut walk = Walk { env: Vec::new(), reads: Reads::default(), counting: false };
    for (name, value) in known {
        let place = walk.place(value);
        walk.env.push((name.clone(), place));
    }
    let element = walk.place(xs).element();
    walk.counting = true;
    for param in &f.params {
        walk.env.push((param.name.clone(), Place::row_major(&param.ty)));
    }
    if let Some(param) = f.params.last() {
        walk.env.push((param.name.clone(), element.moving()));
    }
    let body = walk.place(&f.body);
    walk.count(&body);
    walk.reads
}

impl Place {
    fn row_major(ty: &DataType) -> Place {
        let mut dims = Vec::new();
        let mut inner = ty;
        while let DataType::Array(_, element) | DataType::DepArray(_, _, element) = inner {
            dims.push(Stride::Far);
            inner = element;
        }
        if let Some(last) = dims.last_mut() {
            *last = Stride::Unit;
        }
        match inner {
            DataType::Tuple(parts) => {
                let part = |part: &DataType| match Place::row_major(part) {
                    Place::One { dims: inner, .. } => {
                        Place::One { dims: dims.iter().copied().chain(inner).collect(), moves: Stride::Zero }
                    }
                    pair => pair,
                };
                Place::Pair(parts.iter().map(part).collect())
            }
            _ => Place::One { dims, moves: Stride::Zero },
        }
    }

    /// Both the same way, at every leaf.
    fn map(self, f: &dyn Fn(Vec<Stride>, Stride) -> (Vec<Stride>, Stride)) -> Place {
        match self {
            Place::One { dims, moves } => {
                let (dims, moves) = f(dims, moves);
                Place::One { dims, moves }
            }
            Place::Pair(parts) => Place::Pair(parts.into_iter().map(|part| part.map(f)).collect()),
        }
    }

    /// One element; it keeps moving as the array did.
    fn element(self) -> ElementOf {
        ElementOf(self)
    }

    fn part(self, position: usize) -> Place {
        match self {
            Place::Pair(mut parts) if position < parts.len() => parts.swap_remove(position),
            whole => whole,
        }
    }

    fn worst(self, other: Place) -> Place {
        match (self, other) {
            (Place::One { dims: a, moves: m }, Place::One { dims: b, moves: n }) => {
                let dims = a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect();
                Place::One { dims, moves: m.max(n) }
            }
            (Place::Pair(a), Place::Pair(b)) => {
                Place::Pair(a.into_iter().zip(b).map(|(a, b)| a.worst(b)).collect())
            }
            (one, _) => one,
        }
    }
}

/// An element of an array.
struct ElementOf(Place);

impl ElementOf {
    /// Of the loop that is looked at: the array's outer stride is how it moves.
    fn moving(self) -> Place {
        self.0.map(&|mut dims, _| match dims.is_empty() {
            true => (dims, Stride::Far),
            false => {
                let moves = dims.remove(0);
                (dims, moves)
            }
        })
    }

    /// Of a loop inside.
    fn still(self) -> Place {
        self.0.map(&|mut dims, moves| {
            if !dims.is_empty() {
                dims.remove(0);
            }
            (dims, moves)
        })
    }
}

struct Walk {
    env: Vec<(Name, Place)>,
    reads: Reads,
    counting: bool,
}

impl Walk {
    fn count(&mut self, place: &Place) {
        match place {
            Place::One { dims, moves } if dims.is_empty() && self.counting => match moves {
                Stride::Zero => self.reads.same += 1,
                Stride::Unit => self.reads.next += 1,
                Stride::Far => self.reads.far += 1,
            },
            Place::One { .. } => {}
            Place::Pair(parts) => parts.iter().for_each(|part| self.count(part)),
        }
    }

    fn place(&mut self, expr: &Expr) -> Place {
        match expr.kind() {
            Kind::Var(name) => match self.env.iter().rev().find(|(other, _)| other == name) {
                Some((_, place)) => place.clone(),
                None => Place::row_major(expr.ty()),
            },
            Kind::Literal(_) | Kind::Nat(_) => Place::row_major(expr.ty()),
            Kind::Let(param, value, body) => {
                let value = self.place(value);
                self.bound(&param.name, value, |walk| walk.place(body))
            }
            Kind::Prim(primitive, args) => self.prim(expr, primitive, args),
        }
    }

    fn bound<T>(&mut self, name: &Name, place: Place, f: impl FnOnce(&mut Self) -> T) -> T {
        self.env.push((name.clone(), place));
        let result = f(self);
        self.env.pop();
        result
    }

    fn prim(&mut self, expr: &Expr, primitive: &Primitive, args: &[Arg]) -> Place {
        use Primitive::*;
        match (primitive, args) {
            (Zip | Tuple, _) => Place::Pair(args.iter().map(|arg| self.place(arg.expr())).collect()),
            (Proj(position), [tuple]) => self.place(tuple.expr()).part(*position),
            (Map(_), [Arg::Fun(f), Arg::Expr(xs)]) => {
                let array = self.place(xs);
                let outer = outer_stride(&array);
                let element = array.element().still();
                let body = match f.params.first() {
                    Some(param) => self.bound(&param.name, element, |walk| walk.place(&f.body)),
                    None => self.place(&f.body),
                };
                body.map(&|dims, moves| (std::iter::once(outer).chain(dims).collect(), moves))
            }
            (Reduce(_) | Scan(_), [Arg::Fun(f), Arg::Expr(start), Arg::Expr(xs)]) => {
                self.place(start);
                let element = self.place(xs).element().still();
                if let [_, x] = f.params.as_slice() {
                    let body = self.bound(&x.name, element, |walk| walk.place(&f.body));
                    self.count(&body);
                }
                self.computed(expr)
            }
            (Split(_), [xs]) => self.place(xs.expr()).map(&|dims, moves| {
                let first = dims.first().copied().unwrap_or(Stride::Far);
                let far = if first == Stride::Zero { Stride::Zero } else { Stride::Far };
                (std::iter::once(far).chain(dims).collect(), moves)
            }),
            (Slide(_, step), [xs]) => self.place(xs.expr()).map(&|dims, moves| {
                let first = dims.first().copied().unwrap_or(Stride::Far);
                let outer = if step.is_one() { first } else { Stride::Far };
                (std::iter::once(outer).chain(dims).collect(), moves)
            }),
            (Join, [xss]) => self.place(xss.expr()).map(&|mut dims, moves| {
                if !dims.is_empty() {
                    dims.remove(0);
                }
                (dims, moves)
            }),
            (Transpose, [xss]) => self.place(xss.expr()).map(&|mut dims, moves| {
                if dims.len() > 1 {
                    dims.swap(0, 1);
                }
                (dims, moves)
            }),
            (Take(_) | Drop(_) | PadClamp(..) | PadEmpty(_) | Unzip, [xs]) => self.place(xs.expr()),
            (PadCst(..), [_, xs]) => self.place(xs.expr()),
            (Concat, [a, b]) => {
                let first = self.place(a.expr());
                first.worst(self.place(b.expr()))
            }
            (Idx, [index, array]) => {
                let index = self.place(index.expr());
                let moves = matches!(index, Place::One { moves: Stride::Zero, .. });
                let element = self.place(array.expr()).element().still();
                if moves { element } else { element.map(&|dims, _| (dims, Stride::Far)) }
            }
            (Gather | Reorder(..), _) => {
                self.operands(args);
                Place::row_major(expr.ty())
                    .map(&|dims, _| (dims.iter().map(|_| Stride::Far).collect(), Stride::Far))
            }
            (Generate, [Arg::Fun(f)]) => {
                let body = self.place(&f.body);
                body.map(&|dims, moves| (std::iter::once(Stride::Unit).chain(dims).collect(), moves))
            }
            _ => {
                self.operands(args);
                self.computed(expr)
            }
        }
    }

    fn operands(&mut self, args: &[Arg]) {
        for arg in args {
            let place = self.place(arg.expr());
            self.count(&place);
        }
    }

    /// A value that is computed from what was read: it lies in a register.
    fn computed(&self, expr: &Expr) -> Place {
        Place::row_major(expr.ty())
    }
}

fn outer_stride(place: &Place) -> Stride {
    match place {
        Place::One { dims, .. } => dims.first().copied().unwrap_or(Stride::Zero),
        Place::Pair(parts) => parts.iter().map(outer_stride).max().unwrap_or(Stride::Zero),
    }
}
