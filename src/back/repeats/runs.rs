//! Equal runs in a sequence of symbols, by its suffix array.

/// Places where the same `length` symbols begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many symbols are equal.
    pub length: usize,
    /// At least two, in rising order; they may overlap.
    pub places: Vec<usize>,
}

/// All runs that occur twice, each with all its places and as long as all of them allow to both sides.
pub fn equal_runs(symbols: &[u32]) -> Vec<Run> {
    let order = sort_suffixes(symbols);
    let common = common_lengths(symbols, &order);
    let mut runs = Vec::new();
    // Intervals of `order` that are not closed yet, with the length that all their suffixes have in common.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (end, length) in common.iter().copied().chain([0]).enumerate() {
        let mut start = end.saturating_sub(1);
        while let Some((first, last_length)) = open.pop_if(|(_, open_length)| *open_length > length) {
            runs.extend(run(symbols, &order[first..end], last_length));
            start = first;
        }
        if length > 0 && open.last().is_none_or(|(_, open_length)| *open_length < length) {
            open.push((start, length));
        }
    }
    runs
}

/// The run of these places, unless it could begin earlier.
fn run(symbols: &[u32], places: &[usize], length: usize) -> Option<Run> {
    let before = |place: usize| place.checked_sub(1).map(|before| symbols[before]);
    if before(places[0]).is_some() && places.iter().all(|place| before(*place) == before(places[0])) {
        return None;
    }
    let mut places = places.to_vec();
    places.sort_unstable();
    Some(Run { length, places })
}

/// The suffixes in lexicographic order, by doubling the length that is compared.
fn sort_suffixes(symbols: &[u32]) -> Vec<usize> {
    let count = symbols.len();
    let mut order: Vec<usize> = (0..count).collect();
    let mut rank: Vec<usize> = symbols.iter().map(|symbol| *symbol as usize + 1).collect();
    let mut length = 1;
    loop {
        let key = |place: usize| (rank[place], rank.get(place + length).copied().unwrap_or(0));
        order.sort_by_cached_key(|place| key(*place));
        let mut next = vec![1; count];
        for pair in order.windows(2) {
            next[pair[1]] = next[pair[0]] + usize::from(key(pair[0]) != key(pair[1]));
        }
        let is_sorted = order.last().is_none_or(|last| next[*last] == count);
        rank = next;
        length *= 2;
        if is_sorted || length > count {
            return order;
        }
    }
}

/// How many symbols each suffix has in common with the one before it in the order (Kasai et al. 2001).
fn common_lengths(symbols: &[u32], order: &[usize]) -> Vec<usize> {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(i, place)| position[*place] = i);
    let mut common = vec![0; order.len()];
    let mut length = 0_usize;
    for place in 0..symbols.len() {
        length = length.saturating_sub(1);
        let Some(before) = position[place].checked_sub(1).map(|i| order[i]) else {
            length = 0;
            continue;
        };
        let pairs = symbols[place + length..].iter().zip(&symbols[before + length..]);
        length += pairs.take_while(|(a, b)| a == b).count();
        common[position[place]] = length;
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_with_all_their_places() {
        let symbols: Vec<u32> = "xabcyabczab".bytes().map(u32::from).collect();
        let mut runs = equal_runs(&symbols);
        runs.sort_by_key(|run| run.length);
        assert_eq!(runs, [Run { length: 2, places: vec![1, 5, 9] }, Run { length: 3, places: vec![1, 5] }]);
        assert_eq!(equal_runs(&[]), []);
    }

    #[test]
    fn periodic_runs_overlap() {
        let runs = equal_runs(&[7, 7, 7]);
        assert!(runs.contains(&Run { length: 1, places: vec![0, 1, 2] }), "{runs:?}");
        assert!(runs.contains(&Run { length: 2, places: vec![0, 1] }), "{runs:?}");
    }
}
