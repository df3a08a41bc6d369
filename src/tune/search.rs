//! Methods of search in a space of plans.

use std::collections::HashMap;
use std::ops::ControlFlow;

use fastrand::Rng;

use super::space::{Point, Space};

/// A method of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All plans in order.
    Exhaustive,
    /// From the given plan, one value after the other as long as that helps; then again from the middle of each
    /// grid and from random plans.
    Greedy,
    /// Plans drawn evenly.
    Random,
    /// Generations of plans that mix and change those of the better half; the plan to start with is in the first.
    Genetic,
}

/// Returns the performance of a plan, `None` if the plan does not run; breaks when no more plans may be tried.
pub type Evaluate<'a> = dyn FnMut(&Point) -> ControlFlow<(), Option<f64>> + 'a;

/// Tries plans, each once, until all have been tried or `evaluate` breaks; `start` is a good one, if any is known. The same
/// seed tries the same plans as long as they perform alike.
pub fn search(method: Method, space: &Space, start: Option<Point>, seed: u64, evaluate: &mut Evaluate<'_>) {
    let mut run = Run { space, start, rng: Rng::with_seed(seed), known: HashMap::new(), evaluate };
    let _ = match method {
        Method::Exhaustive => run.exhaustive(),
        Method::Greedy => run.greedy(),
        Method::Random => run.random(),
        Method::Genetic => run.genetic(),
    };
}

struct Run<'a, 'b> {
    space: &'a Space,
    start: Option<Point>,
    rng: Rng,
    known: HashMap<Point, Option<f64>>,
    evaluate: &'a mut Evaluate<'b>,
}

/// Plans of a generation.
const POPULATION: usize = 12;

impl Run<'_, '_> {
    fn try_point(&mut self, point: &Point) -> ControlFlow<(), Option<f64>> {
        if let Some(known) = self.known.get(point) {
            return ControlFlow::Continue(*known);
        }
        if self.is_complete() {
            return ControlFlow::Break(());
        }
        let rate = (self.evaluate)(point)?;
        self.known.insert(point.clone(), rate);
        ControlFlow::Continue(rate)
    }

    fn is_complete(&self) -> bool {
        self.known.len() >= self.space.size()
    }

    fn draw(&mut self) -> Point {
        let grid = self.rng.usize(..self.space.grid_count());
        let at = self.space.extents(grid).into_iter().map(|extent| self.rng.usize(..extent)).collect();
        Point { grid, at }
    }

    /// A plan that has not been tried; the first in order if drawing does not find one soon.
    fn draw_new(&mut self) -> ControlFlow<(), Point> {
        for _ in 0..100 {
            let point = self.draw();
            if !self.known.contains_key(&point) {
                return ControlFlow::Continue(point);
            }
        }
        match all_points(self.space).find(|point| !self.known.contains_key(point)) {
            Some(point) => ControlFlow::Continue(point),
            None => ControlFlow::Break(()),
        }
    }

    fn exhaustive(&mut self) -> ControlFlow<()> {
        for point in all_points(self.space) {
            self.try_point(&point)?;
        }
        ControlFlow::Continue(())
    }

    fn random(&mut self) -> ControlFlow<()> {
        while !self.is_complete() {
            let point = self.draw_new()?;
            self.try_point(&point)?;
        }
        ControlFlow::Continue(())
    }

    fn greedy(&mut self) -> ControlFlow<()> {
        if let Some(start) = self.start.take() {
            self.climb(start)?;
        }
        for grid in 0..self.space.grid_count() {
            let at = self.space.extents(grid).into_iter().map(|extent| extent / 2).collect();
            self.climb(Point { grid, at })?;
        }
        while !self.is_complete() {
            let start = self.draw_new()?;
            self.climb(start)?;
        }
        ControlFlow::Continue(())
    }

    /// Moves along one axis after the other until no neighbour is better; any is better than a plan that does not run.
    fn climb(&mut self, start: Point) -> ControlFlow<()> {
        let mut rate = self.try_point(&start)?.unwrap_or(0.0);
        let mut best = start;
        loop {
            let before = rate;
            for axis in 0..best.at.len() {
                for forward in [true, false] {
                    while let Some(next) = self.neighbour(&best, axis, forward) {
                        match self.try_point(&next)? {
                            Some(other) if other > rate => (best, rate) = (next, other),
                            _ => break,
                        }
                    }
                }
            }
            if rate <= before {
                return ControlFlow::Continue(());
            }
        }
    }

    fn neighbour(&self, point: &Point, axis: usize, forward: bool) -> Option<Point> {
        let mut next = point.clone();
        next.at[axis] = if forward { point.at[axis] + 1 } else { point.at[axis].checked_sub(1)? };
        (next.at[axis] < self.space.extents(point.grid)[axis]).then_some(next)
    }

    fn genetic(&mut self) -> ControlFlow<()> {
        let mut parents: Vec<(Point, f64)> = Vec::new();
        while !self.is_complete() {
            let mut generation = parents.clone();
            for _ in 0..POPULATION {
                let child = match (self.start.take(), parents.len()) {
                    (Some(start), _) => start,
                    (None, 0 | 1) => self.draw_new()?,
                    (None, _) => self.child(&parents)?,
                };
                if let Some(rate) = self.try_point(&child)? {
                    generation.push((child, rate));
                }
            }
            generation.sort_by(|a, b| b.1.total_cmp(&a.1));
            generation.dedup_by(|a, b| a.0 == b.0);
            generation.truncate(POPULATION / 2);
            parents = generation;
        }
        ControlFlow::Continue(())
    }

    /// Takes each value from one of two parents of one grid, and changes one value in three cases of four.
    fn child(&mut self, parents: &[(Point, f64)]) -> ControlFlow<(), Point> {
        let first = parents[self.rng.usize(..parents.len())].0.clone();
        let second = parents[self.rng.usize(..parents.len())].0.clone();
        let mut child = first;
        if child.grid == second.grid {
            for (own, other) in child.at.iter_mut().zip(&second.at) {
                if self.rng.bool() {
                    *own = *other;
                }
            }
        }
        if self.rng.u8(..4) > 0 {
            let extents = self.space.extents(child.grid);
            let axis = self.rng.usize(..extents.len());
            child.at[axis] = self.rng.usize(..extents[axis]);
        }
        if self.known.contains_key(&child) { self.draw_new() } else { ControlFlow::Continue(child) }
    }
}

fn all_points(space: &Space) -> impl Iterator<Item = Point> + '_ {
    (0..space.grid_count()).flat_map(|grid| {
        let extents = space.extents(grid);
        let count: usize = extents.iter().product();
        (0..count).map(move |index| {
            let mut rest = index;
            let position = |extent: &usize| {
                let at = rest % extent;
                rest /= extent;
                at
            };
            Point { grid, at: extents.iter().map(position).collect() }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Best in the third choice of every axis of the last grid; every eleventh plan does not run.
    fn rate(point: &Point, space: &Space) -> Option<f64> {
        let number: usize = point.at.iter().fold(point.grid, |number, at| number * 7 + at);
        let away: usize = point.at.iter().map(|at| at.abs_diff(2)).sum();
        let is_last = point.grid + 1 == space.grid_count();
        (number % 11 != 5).then_some(100.0 - away as f64 - if is_last { 0.0 } else { 50.0 })
    }

    fn tried(method: Method, seed: u64, budget: usize) -> Vec<Point> {
        let space = Space::new(2, true);
        let mut points = Vec::new();
        search(method, &space, None, seed, &mut |point| {
            if points.len() == budget {
                return ControlFlow::Break(());
            }
            points.push(point.clone());
            ControlFlow::Continue(rate(point, &space))
        });
        points
    }

    fn best(points: &[Point]) -> f64 {
        let space = Space::new(2, true);
        points.iter().filter_map(|point| rate(point, &space)).fold(0.0, f64::max)
    }

    #[test]
    fn every_method_ends_with_every_plan_tried_once() {
        let count = Space::new(2, true).size();
        for method in [Method::Exhaustive, Method::Greedy, Method::Random, Method::Genetic] {
            let mut points = tried(method, 7, usize::MAX);
            assert_eq!(points.len(), count, "{method:?}");
            points.sort();
            points.dedup();
            assert_eq!(points.len(), count, "{method:?}");
        }
    }

    #[test]
    fn a_seed_says_what_is_tried_and_the_budget_how_much() {
        for method in [Method::Greedy, Method::Random, Method::Genetic] {
            let points = tried(method, 3, 200);
            assert_eq!(points.len(), 200);
            assert_eq!(points, tried(method, 3, 200), "{method:?}");
            assert_ne!(points, tried(method, 4, 200), "{method:?}");
        }
    }

    #[test]
    fn a_start_that_does_not_run_leads_to_its_neighbours() {
        let space = Space::new(2, true);
        let start = Point { grid: 0, at: vec![3, 2, 1, 0, 1] };
        let mut points = Vec::new();
        search(Method::Greedy, &space, Some(start.clone()), 0, &mut |point| {
            points.push(point.clone());
            if points.len() == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(None) }
        });
        let beside = |at: usize| Point { at: [vec![at], start.at[1..].to_vec()].concat(), ..start.clone() };
        assert_eq!(points, [start.clone(), beside(4), beside(2)]);
    }

    #[test]
    fn greedy_and_genetic_search_find_the_best_soon() {
        let most = best(&tried(Method::Exhaustive, 0, usize::MAX));
        assert!(best(&tried(Method::Greedy, 1, 120)) >= most - 1.0);
        assert!(best(&tried(Method::Genetic, 1, 300)) >= most - 2.0);
    }
}
