//! Pseudorandom numbers that depend only on a seed, so that they are the same on every machine.

/// The maximum length of a random game in claims and reports, in plies.
pub const MAX_RANDOM_GAME_PLIES: u32 = 500;

/// The generator SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
/// OOPSLA 2014). It is fast, and different seeds give different sequences.
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the generator of computation `number` of many. It depends only on the seed and the number, so
    /// that the computations can be divided among threads.
    pub fn numbered(seed: u64, number: u64) -> Random {
        Random(Random(seed ^ number.rotate_left(32)).number())
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`. All numbers are equally likely, except for a bias of at most `n` in 2^64.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n as u64) as usize
    }

    /// Like [`below`](Random::below), but faster, because it does not divide (D. Lemire, "Fast random integer
    /// generation in an interval", 2019). The numbers differ from those of `below`. Returns 0 if `n` is 0.
    pub fn scaled_below(&mut self, n: usize) -> usize {
        ((u128::from(self.number()) * n as u128) >> 64) as usize
    }

    /// Returns true with probability one in `n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns a random element of a list.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Shuffles a list. Each order is equally likely (R. Durstenfeld, "Random permutation", 1964).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_paper() {
        // The first numbers of seed 1234567, as printed with the reference implementation.
        let mut random = Random(1_234_567);
        let numbers: [u64; 3] = std::array::from_fn(|_| random.number());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn every_number_below_is_drawn() {
        let mut random = Random::numbered(1, 2);
        let (mut below, mut scaled) = ([0; 6], [0; 6]);
        for _ in 0..6000 {
            below[random.below(6)] += 1;
            scaled[random.scaled_below(6)] += 1;
        }
        assert!(
            below.into_iter().chain(scaled).all(|n| n > 800),
            "{below:?} {scaled:?}"
        );
    }

    #[test]
    fn a_shuffled_list_has_the_same_elements() {
        let mut list: Vec<u32> = (0..50).collect();
        Random(3).shuffle(&mut list);
        assert!(list.windows(2).any(|pair| pair[0] > pair[1]));
        list.sort_unstable();
        assert_eq!(list, (0..50).collect::<Vec<_>>());
    }
}
