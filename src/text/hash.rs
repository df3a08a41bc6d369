//! A hash that is the same on every machine and in every version of the tool.

/// The 64-bit FNV-1a hash: short, and the same on every machine and in every version.
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// The hash of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field; the byte that ends it keeps neighbours apart.
    pub fn write(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xff]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The hash.
    pub fn value(&self) -> u64 {
        self.0
    }

    /// The hash in 32 bits.
    pub fn folded(&self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(fields: &[&[u8]]) -> u64 {
        let mut hash = Fnv::new();
        fields.iter().for_each(|field| hash.write(field));
        hash.0
    }

    #[test]
    fn the_border_between_fields_counts() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
        assert_eq!(hash(&[b"ab", b"c"]), hash(&[b"ab", b"c"]));
    }

    #[test]
    fn it_is_fnv_1a() {
        // The published value for "a" followed by the byte 0xff that ends a field.
        let a: u64 = 0xaf63_dc4c_8601_ec8c;
        assert_eq!(hash(&[b"a"]), (a ^ 0xff).wrapping_mul(0x0000_0100_0000_01b3));
    }
}
