//! Failures are values, and nothing that exists suffers from them.

use isl_bindings::{Aff, Context, DimKind, Error, ErrorKind, Map, PwAff, Result, Set, UnionSet};

fn failure<T>(result: Result<T>) -> Error {
    result.err().expect("the operation fails")
}

#[test]
fn syntax_error_tells_the_text() -> Result<()> {
    let context = Context::new()?;
    for error in [
        failure(Set::parse(&context, "{ A[i : }")),
        failure(Map::parse(&context, "{ A[i : }")),
        failure(Aff::parse(&context, "{ A[i : }")),
        failure(PwAff::parse(&context, "{ A[i : }")),
        failure(UnionSet::parse(&context, "{ A[i : }")),
    ] {
        assert_eq!(error.kind, ErrorKind::Invalid);
        assert!(error.message.contains("{ A[i : }"), "{error}");
    }
    let error = failure(Set::parse(&context, "{ A[i]\0 }"));
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert!(!Set::parse(&context, "{ A[i] : i = 1 }")?.is_empty()?);
    Ok(())
}

/// Many disjuncts with existential variables: their complement is expensive.
fn hard_set(context: &Context) -> Result<Set> {
    let mut set = Set::parse(context, "[n] -> { A[i, j, k] : false }")?;
    for prime in [3, 5, 7, 11, 13] {
        let text = format!("[n] -> {{ A[i, j, k] : (i + {prime} j + n) mod {prime} = 1 and k mod {prime} < i }}");
        set = set.union(&Set::parse(context, &text)?)?;
    }
    Ok(set)
}

#[test]
fn operation_limit_leaves_the_context_usable() -> Result<()> {
    let context = Context::new()?;
    let hard = hard_set(&context)?;
    let text = hard.to_string();
    for limit in [1, 10, 100, 1_000, 10_000] {
        let error = failure(context.with_operation_limit(limit, || hard.complement()?.coalesce()));
        assert_eq!(error.kind, ErrorKind::OperationLimit, "{error}");
        assert_eq!(hard.to_string(), text);
    }
    let easy = Set::parse(&context, "{ A[i, j, k] : i = j = k = 0 }")?;
    assert!(hard.intersect(&easy)?.is_subset(&easy)?);
    Ok(())
}

#[test]
fn operation_limit_lets_short_work_through() -> Result<()> {
    let context = Context::new()?;
    let hard = hard_set(&context)?;
    // Each call starts to count anew: together they do more than the limit.
    for _ in 0..100 {
        let is_equal = context.with_operation_limit(100_000, || hard.is_equal(&hard))?;
        assert!(is_equal);
    }
    Ok(())
}

#[test]
fn printing_ignores_the_operation_limit() -> Result<()> {
    let context = Context::new()?;
    let set = Set::parse(&context, "{ A[i] : 0 <= i <= 9 }")?;
    let text = context.with_operation_limit(1, || Ok(format!("{set} {set:?}")))?;
    assert_eq!(text, "{ A[i] : 0 <= i <= 9 } Set({ A[i] : 0 <= i <= 9 })");
    Ok(())
}

#[test]
fn different_contexts_do_not_mix() -> Result<()> {
    let here = Set::parse(&Context::new()?, "{ A[i] }")?;
    let there = Set::parse(&Context::new()?, "{ A[i] }")?;
    assert_eq!(failure(here.union(&there)).kind, ErrorKind::Invalid);
    assert_eq!(failure(here.is_equal(&there)).kind, ErrorKind::Invalid);
    Ok(())
}

#[test]
fn spaces_must_match() -> Result<()> {
    let context = Context::new()?;
    let one = Set::parse(&context, "{ A[i] }")?;
    let two = Set::parse(&context, "{ B[i, j] }")?;
    assert_eq!(failure(one.union(&two)).kind, ErrorKind::Invalid);
    assert_eq!(failure(one.unwrap()).kind, ErrorKind::Invalid);
    assert_eq!(failure(one.from_params()).kind, ErrorKind::Invalid);
    assert_eq!(failure(one.dim_max(0)).kind, ErrorKind::Invalid);
    Ok(())
}

#[test]
fn positions_are_checked() -> Result<()> {
    let context = Context::new()?;
    let set = Set::parse(&context, "[n] -> { A[i] : i < n }")?;
    let parameters = set.params()?;
    for error in [
        failure(set.dim_name(DimKind::SET, 1)),
        failure(set.project_out(DimKind::Param, 0, usize::MAX)),
        failure(set.insert_dims(DimKind::In, 0, 1)),
        failure(set.add_dims(DimKind::In, 1)),
        failure(set.dim_min(1)),
        failure(set.fix_si(DimKind::Param, 1, 0)),
        failure(parameters.add_dims(DimKind::SET, 1)),
    ] {
        assert_eq!(error.kind, ErrorKind::Invalid, "{error}");
    }
    assert_eq!(parameters.from_params()?.add_dims(DimKind::SET, 1)?.dim(DimKind::SET)?, 1);
    Ok(())
}

#[test]
fn large_numbers_are_refused() -> Result<()> {
    let context = Context::new()?;
    let aff = Aff::parse(&context, "{ [i] -> [(i + 9223372036854775808)] }")?;
    assert_eq!(failure(aff.constant_si()).kind, ErrorKind::Invalid);
    assert_eq!(aff.coefficient_si(DimKind::In, 0)?, Some(1));
    let least = Set::parse(&context, "{ [i] : i >= 0 }")?.fix_si(DimKind::SET, 0, i64::MAX)?;
    assert_eq!(least.plain_fixed_value(DimKind::SET, 0)?, Some(i64::MAX));
    Ok(())
}
