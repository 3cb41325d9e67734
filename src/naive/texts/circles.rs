//! The names that an expression uses, apart from its variables.

use cel::common::ast::Expr;
use std::collections::BTreeSet;

/// Adds the names that an expression uses. `variables` are names that mean variables in it.
pub fn names(code: &Expr, variables: &mut Vec<String>, found: &mut BTreeSet<String>) {
    let mut add = |name: &String, variables: &[String]| {
        if !variables.contains(name) {
            found.insert(name.clone());
        }
    };
    match code {
        Expr::Ident(name) => add(name, variables),
        Expr::Call(call) => {
            if call.target.is_none() {
                add(&call.func_name, &[]);
            }
            for part in call.target.iter().map(|target| &**target).chain(&call.args) {
                names(&part.expr, variables, found);
            }
        }
        Expr::Select(select) => names(&select.operand.expr, variables, found),
        Expr::List(list) => {
            for part in &list.elements {
                names(&part.expr, variables, found);
            }
        }
        Expr::Comprehension(code) => {
            names(&code.iter_range.expr, variables, found);
            let depth = variables.len();
            variables.extend([code.accu_var.clone(), code.iter_var.clone()]);
            for part in [
                &code.accu_init,
                &code.loop_cond,
                &code.loop_step,
                &code.result,
            ] {
                names(&part.expr, variables, found);
            }
            variables.truncate(depth);
        }
        _ => {}
    }
}
