//! Walks over the statements of a unit.

use super::model::{Expr, For, Start, Stmt, Variable};

/// Every outermost expression of the statements, in order.
pub fn each_expr<'s>(body: &'s [Stmt], visit: &mut impl FnMut(&'s Expr)) {
    for stmt in body {
        each_expr_of(stmt, visit);
    }
}

fn each_expr_of<'s>(stmt: &'s Stmt, visit: &mut impl FnMut(&'s Expr)) {
    match stmt {
        Stmt::Do(expr) | Stmt::Void(expr) => visit(expr),
        Stmt::For(header) | Stmt::Nest(header) => {
            let For { start, condition, step, body } = &**header;
            if let Start::Do(expr) = start {
                visit(expr);
            }
            visit(condition);
            visit(step);
            each_expr(body, visit);
        }
        Stmt::If(condition, then, otherwise) => {
            visit(condition);
            each_expr(then, visit);
            each_expr(otherwise, visit);
        }
        Stmt::While(condition, body) | Stmt::DoWhile(body, condition) => {
            visit(condition);
            each_expr(body, visit);
        }
        Stmt::Switch(value, cases) => {
            visit(value);
            cases.iter().for_each(|(_, body)| each_expr(body, visit));
        }
        Stmt::Declare(_) | Stmt::Break | Stmt::Continue | Stmt::Goto(_) | Stmt::Label(_) | Stmt::Return => {}
    }
}

/// The lists of statements within a list, itself first, each told by its number.
pub fn each_list_mut(body: &mut Vec<Stmt>, visit: &mut impl FnMut(&mut Vec<Stmt>)) {
    visit(body);
    for stmt in body {
        match stmt {
            Stmt::For(header) | Stmt::Nest(header) => each_list_mut(&mut header.body, visit),
            Stmt::If(_, then, otherwise) => {
                each_list_mut(then, visit);
                each_list_mut(otherwise, visit);
            }
            Stmt::While(_, body) | Stmt::DoWhile(body, _) => each_list_mut(body, visit),
            Stmt::Switch(_, cases) => cases.iter_mut().for_each(|(_, body)| each_list_mut(body, visit)),
            _ => {}
        }
    }
}

/// Every outermost expression of the statements, to change it.
pub fn each_expr_mut(body: &mut [Stmt], visit: &mut impl FnMut(&mut Expr)) {
    for stmt in body {
        match stmt {
            Stmt::Do(expr) | Stmt::Void(expr) => visit(expr),
            Stmt::For(header) | Stmt::Nest(header) => {
                if let Start::Do(expr) = &mut header.start {
                    visit(expr);
                }
                visit(&mut header.condition);
                visit(&mut header.step);
                each_expr_mut(&mut header.body, visit);
            }
            Stmt::If(condition, then, otherwise) => {
                visit(condition);
                each_expr_mut(then, visit);
                each_expr_mut(otherwise, visit);
            }
            Stmt::While(condition, body) | Stmt::DoWhile(body, condition) => {
                visit(condition);
                each_expr_mut(body, visit);
            }
            Stmt::Switch(value, cases) => {
                visit(value);
                cases.iter_mut().for_each(|(_, body)| each_expr_mut(body, visit));
            }
            _ => {}
        }
    }
}

/// The variables that statements declare.
pub fn each_declared(body: &[Stmt], visit: &mut impl FnMut(Variable)) {
    for stmt in body {
        match stmt {
            Stmt::Declare(variable) => visit(*variable),
            Stmt::For(header) | Stmt::Nest(header) => {
                if let Start::Declare(variable) = header.start {
                    visit(variable);
                }
                each_declared(&header.body, visit);
            }
            Stmt::If(_, then, otherwise) => {
                each_declared(then, visit);
                each_declared(otherwise, visit);
            }
            Stmt::While(_, body) | Stmt::DoWhile(body, _) => each_declared(body, visit),
            Stmt::Switch(_, cases) => cases.iter().for_each(|(_, body)| each_declared(body, visit)),
            _ => {}
        }
    }
}
