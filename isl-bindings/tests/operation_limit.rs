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
