use super::strategies::strategy_of;
use super::work::slow_operations;
use super::{Estimate, KernelPlan, TileStorage, profile, stream_shape};
use crate::model::choose::choose;
use crate::options::{DeviceKindName, FpMode, MeasuredDevice, Order, Rates, StrategyName, Tuning};
use crate::testing::with_recurrences;
use crate::tile::compute_reaches;

/// A star whose value at each point is `value`, of `u`, its neighbours, and the scalars `h` and `k`.
fn star(element: &str, value: &str) -> String {
    format!(
        "#include <math.h>
void f(int n, int m, int steps, {element} u[n][m], {element} v[n][m], {element} h, {element} k) {{
#pragma stencil
    for (int t = 0; t < steps; t++) {{
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = {value};
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }}
}}"
    )
}

const SUM: &str = "(u[i - 1][j] + u[i][j - 1] + u[i][j] + u[i][j + 1] + u[i + 1][j])";

fn slow(value: &str) -> usize {
    let mut count = 0;
    with_recurrences(&star("double", value), |nest, recurrences| count = slow_operations(nest, recurrences));
    count
}

fn plan_for(is_gpu: bool, text: &str, tuning: &Tuning) -> (KernelPlan, i64) {
    let mut found = None;
    with_recurrences(text, |nest, recurrences| {
        let reaches = compute_reaches(nest, recurrences, Order::Original).expect("no trouble with isl");
        let plans = choose(nest, recurrences, reaches.as_ref(), tuning, &[], &[]).expect("no wish that could fail");
        let plan =
            plans.into_iter().find(|plan| plan.profile.is_gpu == is_gpu).expect("a plan for each kind of device");
        let bytes = plan.tiles.iter().map(|tile| strategy_of(&plan).local_bytes(nest, recurrences, tile)).max();
        found = Some((plan, bytes.unwrap_or(0)));
    });
    found.expect("a nest")
}

fn gpu_plan(text: &str) -> KernelPlan {
    plan_for(true, text, &Tuning::default()).0
}

/// Many fields take the registers of a row.
#[test]
fn work_items_of_one_dimension_have_fewer_columns_where_many_values_wait() {
    let nest = |fields: usize| {
        let names = (0..fields).flat_map(|f| [format!("double a{f}[n]"), format!("double b{f}[n]")]);
        let sweep = |f: usize| format!("b{f}[i] = a{f}[i - 1] + a{f}[i + 1] + a{}[i];", (f + 1) % fields);
        let copy = |f: usize| format!("a{f}[i] = b{f}[i];");
        let each = |body: &dyn Fn(usize) -> String| {
            (0..fields).map(|f| format!("for (int i = 1; i < n - 1; i++) {}\n", body(f))).collect::<String>()
        };
        let (names, sweeps, copies) = (names.collect::<Vec<_>>().join(", "), each(&sweep), each(&copy));
        format!(
            "void f(int n, int steps, {names}) {{\n#pragma stencil\nfor (int t = 0; t < steps; t++) {{\n{sweeps}{copies}}}\n}}"
        )
    };
    let columns = |fields| match gpu_plan(&nest(fields)).storage {
        TileStorage::Registers(shape) => Some(shape.columns),
        _ => None,
    };
    assert_eq!([1, 3, 10].map(columns), [Some(8), Some(8), Some(4)]);
}

/// A device with slow `double` takes fewer steps at once, at a lower rate, and the same device with its kind's rates has no
/// plan of its own.
#[test]
fn measured_devices_have_plans_where_they_differ() {
    let names_depths_and_rates = |double: f64| {
        let rates = Rates { double: Some(double), ..profile::GPU.measured };
        let device = MeasuredDevice { name: "Some GPU".into(), kind: DeviceKindName::Gpu, rates };
        let text = "void f(int n, int steps, double a[n], double b[n]) {
#pragma stencil
for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];
    for (int i = 1; i < n - 1; i++) a[i] = b[i];
}}";
        let mut found = Vec::new();
        with_recurrences(text, |nest, recurrences| {
            let reaches = compute_reaches(nest, recurrences, Order::Original).expect("no trouble with isl");
            let devices = std::slice::from_ref(&device);
            let plans = choose(nest, recurrences, reaches.as_ref(), &Tuning::default(), &[], devices).expect("plans");
            let rate = |plan| Estimate::new(plan, nest, recurrences, FpMode::Strict).rate.expect("a rate");
            found = plans.iter().map(|plan| (plan.name.clone(), plan.tiles[0].levels, rate(plan))).collect();
        });
        found
    };
    let [(name, slow, low), (_, usual, high), _] = &names_depths_and_rates(1e12)[..] else { panic!("three plans") };
    assert_eq!(name, "measured_1");
    assert!(slow < usual, "{slow} and {usual} steps");
    assert!(*low < 0.2 * high, "{low} and {high} cells a second");
    assert_eq!(names_depths_and_rates(31.5e12).len(), 2);
}

#[test]
fn slow_are_divisions_and_functions_of_what_a_cell_holds() {
    assert_eq!(slow(&format!("{SUM} / 5.0")), 1);
    assert_eq!(slow(&format!("sqrt({SUM}) / (1 + u[i][j])")), 2);
    assert_eq!(slow(&format!("exp({SUM})")), 1);
}

#[test]
fn fast_is_what_compilers_fold_hoist_or_turn_into_instructions() {
    assert_eq!(slow(&format!("{SUM} / 4")), 0);
    assert_eq!(slow(&format!("{SUM} / 0.125")), 0);
    assert_eq!(slow(&format!("(1.0 / 5.0) * {SUM}")), 0);
    assert_eq!(slow(&format!("h / k * {SUM}")), 0);
    assert_eq!(slow(&format!("fmax(fabs({SUM}), h)")), 0);
}

#[test]
fn slow_operations_make_streams_narrow_and_shallow() {
    for (value, columns, levels) in [
        (format!("h * {SUM}"), 4, 8),
        (format!("{SUM} / h"), 2, 6),
        (format!("sqrt({SUM}) / h"), 2, 3),
        (format!("sqrt({SUM} / h) + exp({SUM}) / k"), 2, 2),
    ] {
        let plan = gpu_plan(&star("double", &value));
        let TileStorage::Registers(shape) = plan.storage else { panic!("a stream") };
        assert_eq!((shape.columns, plan.tiles[0].levels), (columns, levels), "{value}");
    }
}

/// Ten steps would fit a work-item's registers, but with eight more work-groups run at once.
#[test]
fn a_stream_is_no_deeper_than_pays() {
    assert_eq!(gpu_plan(&star("float", &format!("h * {SUM}"))).tiles[0].levels, 8);
}

/// Three fields of four columns fill the registers after three steps, of two columns after six.
#[test]
fn many_fields_get_narrow_work_items_and_deep_tiles() {
    let (names, n, m) = ("double ex[n][m], double ey[n][m], double hz[n][m]", "i = 1; i < n; i++", "j = 1; j < m; j++");
    let text = format!(
        "void f(int n, int m, int steps, {names}) {{
#pragma stencil
    for (int t = 0; t < steps; t++) {{
        for (int {n}) for (int {m}) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int {n}) for (int {m}) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }}
}}"
    );
    let plan = gpu_plan(&text);
    let TileStorage::Registers(shape) = plan.storage else { panic!("a stream") };
    assert_eq!((shape.columns, plan.tiles[0].levels), (2, 6));
}

/// What two columns carry of three fields of eight bytes leaves room for few work-groups: not enough to hide what roots take.
#[test]
fn slow_operations_on_many_values_are_for_work_items_of_one_column() {
    let inside = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";
    let next = |a: &str, b: &str| {
        format!("{inside} {a}[i][j] = sqrt({b}[i - 1][j] + {b}[i + 1][j] + {b}[i][j - 1] + {b}[i][j + 1]) * {a}[i][j];")
    };
    let [first, second, third] = [("u", "v"), ("v", "w"), ("w", "u")].map(|(a, b)| next(a, b));
    for (element, columns) in [("double", 1), ("float", 2)] {
        let fields = ["u", "v", "w"].map(|name| format!("{element} {name}[n][m]")).join(", ");
        let text = format!(
            "#include <math.h>
void f(int n, int m, int steps, {fields}) {{
#pragma stencil
    for (int t = 0; t < steps; t++) {{
        {first}
        {second}
        {third}
    }}
}}"
        );
        let TileStorage::Registers(shape) = gpu_plan(&text).storage else { panic!("a stream") };
        assert_eq!(shape.columns, columns, "{element}");
    }
}

/// Every step reads the coefficients again, which makes deep tiles and wide work-items pay less: without them it is eight
/// steps and four columns.
#[test]
fn coefficients_are_read_by_narrow_work_items() {
    let text = star("double", &format!("w[i][j] * {SUM}"));
    let plan = gpu_plan(&text.replace("v[n][m], ", "v[n][m], double w[n][m], "));
    let TileStorage::Registers(shape) = plan.storage else { panic!("a stream") };
    assert_eq!((shape.columns, plan.tiles[0].levels), (2, 8));
}

#[test]
fn the_flags_of_a_stream_make_it_again() {
    let texts = [star("double", SUM), star("float", &format!("sqrt({SUM})")), coefficient_star("float", "c[i][j][k]")];
    for text in texts {
        let plan = gpu_plan(&text);
        let TileStorage::Registers(shape) = plan.storage else { panic!("a stream") };
        let flags = stream_shape::flags(&shape, &plan.tiles[0]);
        let again = plan_for(true, &text, &flags).0;
        let TileStorage::Registers(same) = again.storage else { panic!("a stream") };
        assert_eq!((same, &again.tiles[0].core), (shape, &plan.tiles[0].core), "{flags:?}");
    }
}

/// Nothing but the kernel's text grows with the depth of a tile whose cells know no neighbours.
#[test]
fn cells_without_neighbours_get_deep_tiles() {
    let inside = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)";
    let text = format!(
        "void f(int n, int steps, float u[n][n][n], float c[n][n][n]) {{
#pragma stencil
    for (int t = 0; t < steps; t++) {inside} u[i][j][k] += c[i][j - 1][k] - c[i][j + 1][k];
}}"
    );
    let plan = gpu_plan(&text);
    let TileStorage::Registers(shape) = plan.storage else { panic!("a stream") };
    assert_eq!((shape.rows, shape.sub_groups, plan.tiles[0].levels), (2, 16, 16));
}

/// A star in space with a coefficient field, which is read where `coefficient` says.
fn coefficient_star(element: &str, coefficient: &str) -> String {
    let fields = format!("{element} u[n][n][n], {element} v[n][n][n], {element} c[n][n][n]");
    let inside = ["i", "j", "k"].map(|x| format!("for (int {x} = 1; {x} < n - 1; {x}++) ")).concat();
    format!(
        "void f(int n, int steps, {fields}) {{
#pragma stencil
    for (int t = 0; t < steps; t++) {{
        {inside} v[i][j][k] = {coefficient} * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k]
                                             + u[i][j][k - 1] + u[i][j][k + 1]);
        {inside} u[i][j][k] = v[i][j][k];
    }}
}}"
    )
}

/// Five steps would spill registers.
#[test]
fn twelve_sub_groups_leave_registers_for_four_steps_of_a_star_in_space() {
    let plan = gpu_plan(&coefficient_star("float", "c[i][j][k]"));
    let TileStorage::Registers(shape) = plan.storage else { panic!("a stream") };
    assert_eq!((shape.columns, shape.sub_groups, plan.tiles[0].levels), (2, 12, 4));
}

#[test]
fn neighbours_of_constants_are_read_by_work_items_of_one_column() {
    for (coefficient, columns) in
        [("c[i][j - 1][k]", 2), ("(c[i][j][k] + c[i][j][k - 1])", 1), ("(c[i][j][k] + u[i][j][k])", 2)]
    {
        let TileStorage::Registers(shape) = gpu_plan(&coefficient_star("double", coefficient)).storage else {
            panic!("a stream")
        };
        assert_eq!(shape.columns, columns, "{coefficient}");
    }
}

#[test]
fn cpus_get_deep_tiles_of_rows_that_fit_the_cache() {
    let (plan, bytes) = plan_for(false, &star("double", &format!("h * {SUM}")), &Tuning::default());
    assert_eq!(plan.storage, TileStorage::RowWindows);
    assert!(plan.tiles[0].levels >= 8, "{} steps", plan.tiles[0].levels);
    assert!((1..=512 * 1024).contains(&bytes), "{bytes} bytes");
}

#[test]
fn rows_are_as_the_user_wants_them_even_beyond_the_cache() {
    let tuning =
        Tuning { strategy: Some(StrategyName::Rows), time_tile: Some(20), tile: vec![4000, 30], ..Tuning::default() };
    let (plan, bytes) = plan_for(false, &star("double", &format!("h * {SUM}")), &tuning);
    assert_eq!((plan.tiles[0].levels, &*plan.tiles[0].core), (20, &[30, 4000][..]));
    // Three rows for each level but the last, as wide as the first level, which has two columns more for each that follows.
    assert_eq!(bytes, 19 * 8 * 3 * (4000 + 2 * 19));
}
