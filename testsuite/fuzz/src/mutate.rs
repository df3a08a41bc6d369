//! Mutations that know what C tokens, pragma clauses and flags look like; libFuzzer's own know only bytes.

use crate::random::Random;

/// Words that stencil programs are made of, numbers at the edges of their types, and the tool's own clauses and flags.
const WORDS: [&str; 96] = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "&&",
    "||",
    "!",
    "~",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "=",
    "+=",
    "-=",
    "*=",
    "/=",
    "++",
    "--",
    "?",
    ":",
    ",",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "0",
    "1",
    "2",
    "-1",
    "3",
    "7",
    "64",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e308",
    "0x7fffffffffffffff",
    "0.5f",
    "1.0",
    "'a'",
    "\"s\"",
    "t % 2",
    "(t + 1) % 2",
    "t & 1",
    "i + 1",
    "i - 1",
    "2 * i",
    "i * m + j",
    "n - 1",
    "sizeof(double)",
    "int",
    "long",
    "unsigned",
    "char",
    "float",
    "double",
    "size_t",
    "const",
    "static",
    "restrict",
    "for",
    "while",
    "if",
    "else",
    "break",
    "return",
    "#pragma stencil\n",
    "time_tile(3)",
    "tile(4,1000000)",
    "per_item(2)",
    "strategy(local)",
    "scratch(a)",
    "restrict(a,b)",
    "extent(a[0:n][0:m])",
    "memcpy(a, b, n * sizeof(double));",
    "fmax(",
    "sqrt(",
    "// flags: --time-tile 1000000\n",
    "for (int k = 0; k < 3; k++)",
];

/// What libFuzzer offers to mutate `data[..size]` within `max_size`: the new size.
type ByteMutator = fn(data: &mut [u8], size: usize, max_size: usize) -> usize;

/// Mutates `data[..size]` in place and gives the new size, at most `max_size`.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, by_bytes: ByteMutator) -> usize {
    let mut random = Random::new(seed);
    if random.below(4) == 0 {
        return by_bytes(data, size, max_size);
    }
    let mut text = data[..size].to_vec();
    for _ in 0..=random.below(4) {
        text = change(&text, max_size, &mut random);
    }
    text.truncate(max_size);
    data[..text.len()].copy_from_slice(&text);
    text.len()
}

/// One change.
fn change(text: &[u8], max_size: usize, random: &mut Random) -> Vec<u8> {
    let tokens = split_tokens(text);
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    match random.below(10) {
        0 => replace_with_word(&tokens, random),
        1 => insert_word(&tokens, random),
        2 => remove(&tokens, 4, random),
        3 => copy(&tokens, 24, random),
        4 => swap(&tokens, random),
        5 => copy(&lines, 6, random),
        6 => remove(&lines, 3, random),
        7 => swap(&lines, random),
        8 => nest(&tokens, max_size.saturating_sub(text.len()), random),
        _ => repeat(&tokens, max_size.saturating_sub(text.len()), random),
    }
}

/// Words, numbers, single other characters, and runs of white space.
fn split_tokens(text: &[u8]) -> Vec<&[u8]> {
    let class = |byte: u8| match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.' | 0x80.. => 1,
        b' ' | b'\t' => 2,
        _ => 0,
    };
    text.chunk_by(|left, right| class(*left) != 0 && class(*left) == class(*right)).collect()
}

fn replace_with_word(tokens: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let mut tokens = tokens.to_vec();
    if !tokens.is_empty() {
        let at = random.below(tokens.len());
        tokens[at] = random.choose(&WORDS).as_bytes();
    }
    tokens.concat()
}

fn insert_word(tokens: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let mut tokens = tokens.to_vec();
    let word = random.choose(&WORDS).as_bytes();
    let at = random.below(tokens.len() + 1);
    tokens.splice(at..at, [b" ", word, b" "].map(|part: &[u8]| part));
    tokens.concat()
}

/// Removes up to `most` neighbours.
fn remove(parts: &[&[u8]], most: usize, random: &mut Random) -> Vec<u8> {
    let start = random.below(parts.len());
    let end = (start + 1 + random.below(most)).min(parts.len());
    [&parts[..start.min(end)], &parts[end..]].concat().concat()
}

/// Copies up to `most` neighbours to another place.
fn copy(parts: &[&[u8]], most: usize, random: &mut Random) -> Vec<u8> {
    let start = random.below(parts.len());
    let end = (start + 1 + random.below(most)).min(parts.len());
    let to = random.below(parts.len() + 1);
    [&parts[..to], &parts[start.min(end)..end], &parts[to..]].concat().concat()
}

fn swap(parts: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let mut parts = parts.to_vec();
    if !parts.is_empty() {
        let (left, right) = (random.below(parts.len()), random.below(parts.len()));
        parts.swap(left, right);
    }
    parts.concat()
}

/// Wraps a token into many brackets, operators, conditions or loops.
fn nest(tokens: &[&[u8]], room: usize, random: &mut Random) -> Vec<u8> {
    const PAIRS: [(&str, &str); 10] = [
        ("(", ")"),
        ("-", ""),
        ("!", ""),
        ("(1 ? ", " : 0)"),
        ("sqrt(", ")"),
        ("a[", "]"),
        ("{", "}"),
        ("if (i > 0) ", ""),
        ("for (int k = 0; k < n; k++) ", ""),
        ("(double)", ""),
    ];
    let (open, close) = *random.choose(&PAIRS.each_ref());
    let most = 1 << random.below(14);
    let count = random.below(most).min(room / (open.len() + close.len()));
    let at = random.below(tokens.len());
    let end = (at + 1).min(tokens.len());
    let (open, close) = (open.repeat(count), close.repeat(count));
    [&tokens[..at], &[open.as_bytes()], &tokens[at..end], &[close.as_bytes()], &tokens[end..]].concat().concat()
}

/// Repeats up to 16 neighbours many times.
fn repeat(tokens: &[&[u8]], room: usize, random: &mut Random) -> Vec<u8> {
    let start = random.below(tokens.len());
    let end = (start + 1 + random.below(16)).min(tokens.len());
    let part = tokens[start.min(end)..end].concat();
    let most = 1 << random.below(12);
    let count = random.below(most).min(room / part.len().max(1));
    let part = part.repeat(count);
    [&tokens[..end], &[&part], &tokens[end..]].concat().concat()
}
