//! Whatever operation fails first, isl survives it.

use isl_bindings::*;

/// One of everything that is long inside isl.
fn work(context: &Context) -> Result<String> {
    let writes = UnionMap::parse(context, "[T, n] -> { S[t, i] -> B[(t + 1) mod 2, i] : 0 <= t < T and 0 < i < n }")?;
    let reads = UnionMap::parse(
        context,
        "[T, n] -> { S[t, i] -> B[t mod 2, x] : 0 <= t < T and 0 < i < n and i - 1 <= x <= i + 1 }",
    )?;
    let schedule = UnionMap::parse(context, "{ S[t, i] -> [t, i] }")?;
    let access_info = AccessInfo { sink: reads, must_source: writes, may_source: None, schedule: schedule.clone() };
    let flow = access_info.compute_flow()?;
    let mut text = String::new();
    for map in flow.must_dependence.maps()? {
        let domain = map.domain()?;
        text += &format!("{} {:?}", map.coalesce()?, map.range_simple_fixed_box_hull()?);
        text += &format!("{:?} {}", domain.dim_max(1)?.pieces()?, domain.complement()?.convex_hull()?);
        let loops = schedule.intersect_domain(&domain.to_union()?)?;
        let build = AstBuild::from_context(&domain.params()?)?.set_iterators(&["t", "i"])?;
        text += &build.node_from_schedule_map(&loops)?.to_c_str()?;
        text += &build.expr_from_pw_aff(&domain.dim_min(0)?)?.to_c_str()?;
    }
    Ok(text)
}

#[test]
fn every_operation_limit_is_survived() -> Result<()> {
    let context = Context::new()?;
    let expected = work(&context)?;
    let (mut limit, mut failures) = (1, 0);
    loop {
        match context.with_operation_limit(limit, || work(&context)) {
            Err(error) => assert_eq!(error.kind, ErrorKind::OperationLimit, "{limit}: {error}"),
            Ok(text) => {
                assert_eq!(text, expected);
                break;
            }
        }
        failures += 1;
        limit += 1 + limit / 64;
    }
    assert!(failures > 100, "only {failures} limits were exceeded");
    assert_eq!(work(&context)?, expected);
    Ok(())
}

#[test]
fn what_an_inner_limit_allows_counts_for_the_outer_one() -> Result<()> {
    let context = Context::new()?;
    let needed = context.with_operation_limit(1 << 40, || {
        work(&context)?;
        Ok(context.operations())
    })?;
    let inner = || context.with_operation_limit(2 * needed, || work(&context));
    context.with_operation_limit(4 * needed, || inner().map(drop))?;
    let both = context.with_operation_limit(needed + needed / 2, || inner().and_then(|_| inner()));
    assert_eq!(both.map_err(|error| error.kind), Err(ErrorKind::OperationLimit));
    let inside = context.with_operation_limit(needed / 2, inner);
    assert_eq!(inside.map_err(|error| error.kind), Err(ErrorKind::OperationLimit), "an inner limit is no way out");
    // An inner limit that is exceeded leaves what remains of the outer one.
    context.with_operation_limit(4 * needed, || {
        let cut_short = context.with_operation_limit(needed / 2, || work(&context));
        assert_eq!(cut_short.map_err(|error| error.kind), Err(ErrorKind::OperationLimit));
        work(&context).map(drop)
    })
}

#[test]
fn operations_are_counted_alike_in_every_run() -> Result<()> {
    let count = || -> Result<u64> {
        let context = Context::new()?;
        context.with_operation_limit(1 << 40, || {
            work(&context)?;
            Ok(context.operations())
        })
    };
    let first = count()?;
    assert!(first > 1000, "{first}");
    assert_eq!(count()?, first);
    Ok(())
}
