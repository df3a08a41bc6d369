//! Nests that see an array through a pointer to rows of another length.

use super::headers::{Header, wrap};
use super::{Axis, Draft};
use crate::random::dialect::model::{Expr, For, Place, Shape, Stmt, Variable};
use crate::random::dialect::types::{Named, Operator};

/// An array, and the rows that a pointer sees in it.
struct View {
    ty: Named,
    array: Variable,
    /// The array's own sizes.
    sizes: [i64; 2],
    /// How many whole rows of the pointer's length it holds, and that length.
    seen: [i64; 2],
}

/// `double (*p)[2] = (void *)a;` before the nest
pub fn before_the_nest(draft: &mut Draft) -> For {
    let view = view(draft);
    let pointer = pointer(draft, &view, Place::Local);
    let ([outer, inner], store) = copy(draft, &view, pointer, view.seen);
    wrap(outer, vec![Stmt::For(Box::new(wrap(inner, vec![store])))])
}

/// The same in the body of a loop; places are mostly such that the array has an element there, too.
pub fn within_the_nest(draft: &mut Draft) -> For {
    let view = view(draft);
    let pointer = pointer(draft, &view, Place::Inner);
    let [rows, length] = view.seen;
    let common = [rows.min(view.sizes[0]), length.min(view.sizes[1])];
    let places = if draft.random.chance(75) { common } else { view.seen };
    let ([outer, inner], store) = copy(draft, &view, pointer, places);
    let declaration = Stmt::Declare(pointer);
    let body = if draft.random.chance(50) {
        vec![declaration, Stmt::For(Box::new(wrap(inner, vec![store])))]
    } else {
        vec![Stmt::For(Box::new(wrap(inner, vec![declaration, store])))]
    };
    wrap(outer, body)
}

fn view(draft: &mut Draft) -> View {
    draft.rank = 2;
    let sizes = [draft.random.pick(&[4, 6]), draft.random.pick(&[8, 10])];
    let [rows, count] = sizes;
    let length = draft.random.pick(&[2, 3, 5, count / 2, count, count, 2 * count]);
    let seen = [rows * count / length, length];
    let ty = draft.element_type();
    draft.sizes = sizes.to_vec();
    let array = match draft.random.pick(&[Place::Global, Place::Global, Place::Local, Place::Local, Place::Parameter]) {
        Place::Parameter => draft.pointer_with_rows("a", ty, Place::Parameter, vec![count as usize]).variable,
        place => draft.declare("a", ty, array_of(sizes), place, None),
    };
    draft.sizes = seen.to_vec();
    View { ty, array, sizes, seen }
}

fn array_of(sizes: [i64; 2]) -> Shape {
    Shape::Array(sizes.into_iter().map(Expr::int).collect())
}

fn pointer(draft: &mut Draft, view: &View, place: Place) -> Variable {
    let value = Expr::Untyped(Box::new(Expr::Var(view.array)));
    draft.declare("p", view.ty, Shape::Pointer(vec![view.seen[1] as usize]), place, Some(value))
}

/// Loops over places from 0 on, and a copy of one element from or to where the pointer sees it.
fn copy(draft: &mut Draft, view: &View, pointer: Variable, places: [i64; 2]) -> ([Header; 2], Stmt) {
    let b = draft.declare("b", view.ty, array_of(view.seen), Place::Global, None);
    draft.axes.clear();
    let headers = [("i", places[0]), ("j", places[1])].map(|(stem, high)| {
        let (variable, header) = draft.header(stem, 0, high);
        draft.axes.push(Axis { variable, low: 0, high });
        header
    });
    let place: Vec<Expr> = draft.axes.iter().map(|axis| Expr::Var(axis.variable)).collect();
    let is_write = draft.random.chance(40);
    let (target, source) = if is_write { (pointer, b) } else { (b, pointer) };
    let value = Expr::binary(Operator::Add, Expr::Index(source, place.clone()), Expr::int(1));
    (headers, Stmt::Do(Expr::assign(Expr::Index(target, place), value)))
}
