//! Value-based dataflow of two storage idioms of one recurrence.

use isl_bindings::{AccessInfo, Context, Flow, Result, UnionMap};

fn assert_equal(actual: &UnionMap, expected: &str) -> Result<()> {
    let expected = UnionMap::parse(actual.context(), expected)?;
    assert!(actual.is_equal(&expected)?, "{actual}\nis not\n{expected}");
    Ok(())
}

fn compute_flow(reads: &str, writes: &str, schedule: &str) -> Result<Flow> {
    // Only the values keep the context alive.
    let context = Context::new()?;
    let access_info = AccessInfo {
        sink: UnionMap::parse(&context, reads)?,
        must_source: UnionMap::parse(&context, writes)?,
        may_source: None,
        schedule: UnionMap::parse(&context, schedule)?,
    };
    drop(context);
    access_info.compute_flow()
}

#[test]
fn copy_back_feeds_the_next_step_from_the_copy() -> Result<()> {
    // S: B[i] = f(A[i-1], A[i], A[i+1]);  C: A[i] = B[i];
    let flow = compute_flow(
        "[T, n] -> { S[t, i] -> A[x] : 0 <= t < T and 0 < i < n - 1 and i - 1 <= x <= i + 1;
                     C[t, i] -> B[i] : 0 <= t < T and 0 < i < n - 1 }",
        "[T, n] -> { S[t, i] -> B[i] : 0 <= t < T and 0 < i < n - 1;
                     C[t, i] -> A[i] : 0 <= t < T and 0 < i < n - 1 }",
        "{ S[t, i] -> [t, 0, i]; C[t, i] -> [t, 1, i] }",
    )?;
    let dependences = "[T, n] -> {
        S[t, i] -> C[t, i] : 0 <= t < T and 0 < i < n - 1;
        C[t, i] -> S[t + 1, j] : 0 <= t < T - 1 and 0 < i < n - 1 and 0 < j < n - 1 and i - 1 <= j <= i + 1 }";
    assert_equal(&flow.must_dependence, dependences)?;
    assert_equal(&flow.may_dependence, dependences)?;
    // The first step reads initial memory everywhere, the later ones at the two borders, which are never written.
    let initial = "[T, n] -> {
        S[t, i] -> A[x] : t = 0 < T and 0 < i < n - 1 and i - 1 <= x <= i + 1;
        S[t, 1] -> A[0] : 0 < t < T and n > 2;
        S[t, n - 2] -> A[n - 1] : 0 < t < T and n > 2 }";
    assert_equal(&flow.must_no_source, initial)?;
    assert_equal(&flow.may_no_source, initial)
}

#[test]
fn swap_modelled_by_parity_feeds_the_next_step_from_the_last() -> Result<()> {
    // S: Buf[(t+1)%2][i] = f(Buf[t%2][i-1], Buf[t%2][i+1]);
    let flow = compute_flow(
        "[T, n] -> { S[t, i] -> Buf[b, x] : 0 <= t < T and 0 < i < n - 1 and b = t mod 2 and (x = i - 1 or x = i + 1) }",
        "[T, n] -> { S[t, i] -> Buf[b, i] : 0 <= t < T and 0 < i < n - 1 and b = (t + 1) mod 2 }",
        "{ S[t, i] -> [t, i] }",
    )?;
    assert_equal(
        &flow.must_dependence,
        "[T, n] -> { S[t, i] -> S[t + 1, j] :
            0 <= t < T - 1 and 0 < i < n - 1 and 0 < j < n - 1 and (j = i - 1 or j = i + 1) }",
    )?;
    // Each buffer keeps its own border.
    assert_equal(
        &flow.must_no_source,
        "[T, n] -> {
            S[t, i] -> Buf[0, x] : t = 0 < T and 0 < i < n - 1 and (x = i - 1 or x = i + 1);
            S[t, 1] -> Buf[b, 0] : 0 < t < T and n > 2 and b = t mod 2;
            S[t, n - 2] -> Buf[b, n - 1] : 0 < t < T and n > 2 and b = t mod 2 }",
    )
}

#[test]
fn may_write_is_no_sure_source() -> Result<()> {
    let context = Context::new()?;
    let flow = AccessInfo {
        sink: UnionMap::parse(&context, "{ R[] -> A[0] }")?,
        must_source: UnionMap::parse(&context, "{ W[] -> A[0] }")?,
        may_source: Some(UnionMap::parse(&context, "{ M[] -> A[0] }")?),
        schedule: UnionMap::parse(&context, "{ W[] -> [0]; M[] -> [1]; R[] -> [2] }")?,
    }
    .compute_flow()?;
    assert!(flow.must_dependence.is_empty()?);
    assert_equal(&flow.may_dependence, "{ W[] -> R[]; M[] -> R[] }")?;
    assert!(flow.must_no_source.is_empty()?);
    assert!(flow.may_no_source.is_empty()?);
    Ok(())
}
