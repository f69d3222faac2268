//! Numbers that only depend on the seed: xorshift.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // Seeds that are close must not begin alike, and 0 would stay 0.
        Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below that one.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.bits() >> 33) % end as u64) as usize
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A signed number of any length.
    pub fn int(&mut self) -> i64 {
        (self.bits() as i64) >> self.below(64)
    }
}
