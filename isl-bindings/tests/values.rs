//! Sets, maps, functions and their texts.

use isl_bindings::{Aff, AstBuild, AstExpr, AstTerm, Context, DimKind, Map, PwAff, Result, Set, UnionMap, UnionSet};

fn set(context: &Context, text: &str) -> Result<Set> {
    Set::parse(context, text)
}

fn assert_equal(actual: &Set, expected: &str) -> Result<()> {
    let expected = set(actual.context(), expected)?;
    assert!(actual.is_equal(&expected)?, "{actual}\nis not\n{expected}");
    Ok(())
}

#[test]
fn values_outlive_their_context_handle() -> Result<()> {
    let context = Context::new()?;
    let first = set(&context, "[n] -> { A[i] : 0 <= i < n }")?;
    drop(context);
    let second = first.clone();
    drop(first);
    assert_equal(&second.lexmax()?, "[n] -> { A[n - 1] : n > 0 }")
}

#[test]
fn parameters_are_aligned_by_name() -> Result<()> {
    let context = Context::new()?;
    let one = set(&context, "[n, m] -> { A[i] : 0 <= i < n + m }")?;
    let two = set(&context, "[k, m] -> { A[i] : 0 <= i < k + m }")?;
    assert_equal(&one.intersect(&two)?, "[n, m, k] -> { A[i] : 0 <= i < n + m and i < k + m }")?;
    assert!(!one.is_subset(&two)?);
    let sum = Aff::parse(&context, "[n] -> { A[i] -> [(i + n)] }")?
        .add(&Aff::parse(&context, "[m, n] -> { A[i] -> [(m - n)] }")?)?;
    let expected = PwAff::parse(&context, "[m] -> { A[i] -> [(i + m)] }")?;
    assert!(sum.to_pw_aff()?.is_equal(&expected)?, "{sum}");
    Ok(())
}

#[test]
fn fixed_box_hull_of_a_tile() -> Result<()> {
    let context = Context::new()?;
    let tile = set(&context, "[o, n] -> { [i, j] : o - 1 <= i <= o + 8 and 2n <= j <= 2n + 3 }")?;
    let hull = tile.simple_fixed_box_hull()?.expect("the tile has a fixed size");
    assert_eq!(hull.sizes, [10, 4]);
    let corner = &hull.offsets[0];
    let origin = PwAff::parse(&context, "[o] -> { [(o - 1)] }")?;
    assert!(corner.to_pw_aff()?.is_equal(&origin)?, "{corner}");
    assert_eq!(corner.constant_si()?, Some(-1));
    assert!(corner.involves_param("o")?);
    assert!(!corner.involves_param("n")?);
    let grid = set(&context, "[n] -> { [i] : 0 <= i < n }")?;
    assert!(grid.simple_fixed_box_hull()?.is_none());
    Ok(())
}

#[test]
fn fixed_box_hull_of_a_footprint() -> Result<()> {
    let context = Context::new()?;
    let footprint = Map::parse(&context, "{ S[t, i] -> A[x] : 4i - 2 <= x <= 4i + 5 }")?;
    let hull = footprint.range_simple_fixed_box_hull()?.expect("the footprint has a fixed size");
    assert_eq!(hull.sizes, [8]);
    let offset = &hull.offsets[0];
    assert_eq!(offset.dim(DimKind::In)?, 2);
    assert_eq!(offset.coefficient_si(DimKind::In, 0)?, Some(0));
    assert_eq!(offset.coefficient_si(DimKind::In, 1)?, Some(4));
    assert_eq!(offset.constant_si()?, Some(-2));
    assert_eq!(offset.denominator_si()?, 1);
    Ok(())
}

#[test]
fn dimensions_move_to_the_parameters() -> Result<()> {
    let context = Context::new()?;
    let pair = set(&context, "[n] -> { A[i, j] : 0 <= i < j < n }")?;
    let named = pair.set_dim_name(DimKind::SET, 0, "row")?;
    assert_eq!(named.find_dim_by_name(DimKind::SET, "row")?, Some(0));
    let moved = named.move_dims((DimKind::Param, 1), (DimKind::SET, 0), 1)?;
    assert_eq!(moved.dim_name(DimKind::Param, 1)?.as_deref(), Some("row"));
    assert_equal(&moved, "[n, row] -> { [j] : 0 <= row < j < n }")?;
    assert_equal(&pair.project_out(DimKind::SET, 1, 1)?, "[n] -> { [i] : 0 <= i < n - 1 }")?;
    assert_equal(&pair.project_out_all_params()?, "{ A[i, j] : 0 <= i < j }")?;
    assert_eq!(pair.tuple_name()?.as_deref(), Some("A"));
    assert_eq!(pair.reset_tuple_id()?.tuple_name()?, None);
    Ok(())
}

#[test]
fn sets_are_taken_apart() -> Result<()> {
    let context = Context::new()?;
    let two = set(&context, "{ A[i] : 0 <= i < 3 or 7 <= i < 9 }")?;
    assert_eq!(two.n_basic_set()?, 2);
    let mut rebuilt = set(&context, "{ A[i] : false }")?;
    for part in two.basic_sets()? {
        assert_eq!(part.n_basic_set()?, 1);
        rebuilt = rebuilt.union(&part)?;
    }
    assert!(rebuilt.is_equal(&two)?);
    assert_equal(&two.convex_hull()?, "{ A[i] : 0 <= i < 9 }")?;
    assert_equal(&two.bounded_simple_hull()?, "{ A[i] : 0 <= i < 9 }")?;

    let union = UnionSet::parse(&context, "{ A[i] : i = 1; B[i, j] : i = j = 2 }")?;
    let mut rebuilt = UnionSet::empty(&context)?;
    let parts = union.sets()?;
    assert_eq!(parts.len(), 2);
    for part in &parts {
        assert!(part.is_singleton()?);
        rebuilt = rebuilt.union(&part.to_union()?)?;
    }
    assert!(rebuilt.is_equal(&union)?);
    Ok(())
}

#[test]
fn maps_compose() -> Result<()> {
    let context = Context::new()?;
    let shift = Map::parse(&context, "[n] -> { A[i] -> A[i + 1] : 0 <= i < n }")?;
    assert!(shift.is_bijective()?);
    let twice = shift.apply_range(&shift)?;
    assert_equal(&twice.deltas()?, "[n] -> { A[2] : n >= 2 }")?;
    assert_equal(&shift.domain()?.apply(&shift)?, "[n] -> { A[i] : 1 <= i <= n }")?;
    assert!(shift.wrap()?.unwrap()?.is_equal(&shift)?);
    assert_eq!(shift.tuple_name(DimKind::In)?.as_deref(), Some("A"));
    let renamed = shift.set_tuple_name(DimKind::Out, "B")?;
    assert_eq!(renamed.tuple_name(DimKind::Out)?.as_deref(), Some("B"));
    let union = UnionMap::parse(&context, "{ S[i] -> A[i]; T[i] -> B[i] }")?;
    assert_eq!(union.maps()?.len(), 2);
    let all = Map::from_domain_and_range(&set(&context, "{ A[i] }")?, &set(&context, "{ A[j] }")?)?;
    let diagonal = all.equate(DimKind::In, 0, DimKind::Out, 0)?;
    assert!(diagonal.is_equal(&set(&context, "{ A[i] }")?.identity()?)?);
    Ok(())
}

#[test]
fn functions_are_taken_apart() -> Result<()> {
    let context = Context::new()?;
    let bound = set(&context, "[n, m] -> { [i] : 0 <= i < n and i < m }")?.dim_max(0)?;
    assert_eq!(bound.n_piece()?, 2);
    assert_eq!(bound.as_constant()?, None);
    for (domain, value) in bound.pieces()? {
        assert!(!domain.is_empty()?);
        assert_eq!(value.constant_si()?, Some(-1));
    }
    let fixed = bound.intersect_params(&set(&context, "[n, m] -> { : n = 5 and m > 5 }")?)?;
    let fixed = fixed.gist_params(&set(&context, "[n, m] -> { : n = 5 and m > 5 }")?)?;
    assert_eq!(fixed.as_constant()?, Some(4));
    let half = Aff::parse(&context, "{ [i] -> [(i)/2] }")?;
    assert_eq!(half.coefficient_si(DimKind::In, 0)?, None);
    assert_eq!(half.denominator_si()?, 2);
    assert_eq!(half.n_div()?, 0);
    assert_eq!(Aff::parse(&context, "{ [i] -> [(floor((i)/2))] }")?.n_div()?, 1);
    let zero = Aff::parse(&context, "{ [i] -> [(0)] }")?;
    let one = Aff::parse(&context, "{ [i] -> [(1)] }")?;
    assert!(zero.lt_set(&one)?.complement()?.is_empty()?);
    Ok(())
}

#[test]
fn membership_and_bounds_become_c() -> Result<()> {
    let context = Context::new()?;
    let build = AstBuild::from_context(&set(&context, "[n] -> { : n >= 3 }")?)?;
    let inside = set(&context, "[i, n] -> { : 0 <= i < n and n > 0 }")?;
    let text = build.expr_from_set(&inside)?.to_c_str()?;
    assert_eq!(text, "n >= i + 1 && i >= 0");
    let last = set(&context, "[n] -> { A[i] : 0 < i < n - 1 }")?.dim_max(0)?;
    assert_eq!(build.expr_from_pw_aff(&last)?.to_c_str()?, "n - 2");
    Ok(())
}

#[test]
fn membership_inside_loops_becomes_c() -> Result<()> {
    let context = Context::new()?;
    let loops = set(&context, "[n] -> { [y, x] : 0 <= y < n and 0 <= x < n }")?;
    let build = AstBuild::from_context(&loops)?;
    let interior = set(&context, "[n] -> { [y, x] : 0 < y < n and 0 <= x < n - 1 }")?;
    let text = build.expr_from_set(&interior)?.to_c_str()?;
    assert_eq!(text, "y >= 1 && n >= x + 2");
    Ok(())
}

/// Every operator in parentheses.
fn spelled(expression: &AstExpr) -> Result<String> {
    Ok(match expression.term()? {
        AstTerm::Id(name) => name,
        AstTerm::Int(value) => value.to_string(),
        AstTerm::Op(op, arguments) => {
            let arguments = arguments.iter().map(spelled).collect::<Result<Vec<_>>>()?;
            format!("{op:?}({})", arguments.join(", "))
        }
    })
}

#[test]
fn expressions_can_be_taken_apart() -> Result<()> {
    let context = Context::new()?;
    let build = AstBuild::from_context(&set(&context, "[n] -> { : n >= 3 }")?)?;
    let spelled_set = |text: &str| spelled(&build.expr_from_set(&set(&context, text)?)?);
    assert_eq!(spelled_set("[i, n] -> { : 0 <= i < n }")?, "And(Ge(n, Add(i, 1)), Ge(i, 0))");
    assert_eq!(spelled_set("[i, n] -> { : i = 0 or i = n }")?, "Or(Eq(i, n), Eq(i, 0))");
    assert_eq!(spelled_set("[i] -> { : i mod 3 = 1 }")?, "Eq(ZdivR(Sub(i, 1), 3), 0)");
    let spelled_function = |text: &str| spelled(&build.expr_from_pw_aff(&PwAff::parse(&context, text)?)?);
    assert_eq!(spelled_function("[n] -> { [(-n)] }")?, "Minus(n)");
    assert_eq!(spelled_function("[i] -> { [(floor(i/2))] }")?, "FdivQ(i, 2)");
    assert_eq!(
        spelled_function("[i, n] -> { [(2i)] : i <= n; [(n)] : i > n }")?,
        "Select(Ge(i, Add(n, 1)), n, Mul(2, i))"
    );
    let last = set(&context, "[m, n] -> { [i] : i <= m and i <= n }")?.dim_max(0)?;
    assert_eq!(spelled(&build.expr_from_pw_aff(&last)?)?, "Select(Ge(m, n), n, m)");
    let huge = PwAff::parse(&context, "{ [(99999999999999999999)] }")?;
    assert!(build.expr_from_pw_aff(&huge)?.term().is_err());
    Ok(())
}

#[test]
fn schedules_become_loops() -> Result<()> {
    let context = Context::new()?;
    let schedule = UnionMap::parse(&context, "[n] -> { S[i, j] -> [i, j] : 0 <= i < 10 and 0 <= j < n }")?;
    let build = AstBuild::from_context(&set(&context, "[n] -> { : n >= 1 }")?)?;
    let loops = build.set_iterators(&["t", "x"])?.node_from_schedule_map(&schedule)?;
    assert_eq!(loops.to_c_str()?, "for (int t = 0; t <= 9; t += 1)\n  for (int x = 0; x < n; x += 1)\n    S(t, x);\n");
    Ok(())
}
