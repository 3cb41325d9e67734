//! An entropy coder for blocks of symbols that are arranged like the placements of a class: a symbol resembles
//! those at nearby squares of each unit.
//!
//! The coder mixes the predictions of several contexts and codes binary decisions with the mixed probability.
//! It relies on nothing but the block's symbols and on the strides of the class, and it computes with integers
//! only, so that every machine decodes the same. It knows nothing about chess. Where several symbols are
//! allowed, the encoder takes the one that it expects most, which costs nearly nothing.
//!
//! The method is that of context-mixing compressors (M. Mahoney, "Adaptive Weighing of Context Models for
//! Lossless Data Compression", 2005). Against the libraries that were measured on KQvKR, it needs a third of
//! the bytes; see the guide.

use std::sync::OnceLock;

/// Number of different symbols.
pub const SYMBOLS: usize = 5;

/// The distances between the indices of neighboring placements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strides {
    /// Squares of a rank.
    pub rank: usize,
    /// Placements of the units that are ranked last.
    pub last: usize,
    /// Placements of the units that are ranked last and last but one.
    pub last_two: usize,
}

/// Number of contexts.
const CONTEXTS: usize = 7;

/// Number of predictions that are mixed: one for each context, and a constant.
const INPUTS: usize = CONTEXTS + 1;

/// The logistic function at -12, -11, ..., 12, in units of 1/65536.
const LOGISTIC: [i32; 25] = [
    1, 1, 3, 8, 22, 60, 162, 439, 1179, 3108, 7812, 17625, 32768, 47911, 57724, 62428, 64357,
    65097, 65374, 65476, 65514, 65528, 65533, 65535, 65535,
];

/// Units of 1 in the domain of the logistic function.
const UNIT: i32 = 256;

/// The largest argument of the logistic function.
const MAX_ARGUMENT: i32 = 12 * UNIT - 1;

/// Returns the logistic function of `x / UNIT`, from 1 to 65535.
fn squash(x: i32) -> i32 {
    let x = x.clamp(-MAX_ARGUMENT, MAX_ARGUMENT) + 12 * UNIT;
    let (n, part) = ((x / UNIT) as usize, x % UNIT);
    (LOGISTIC[n] * (UNIT - part) + LOGISTIC[n + 1] * part) / UNIT
}

/// Returns the table of the inverse of [`squash`].
fn stretch_table() -> &'static [i16] {
    static TABLE: OnceLock<Vec<i16>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![0; 1 << 16];
        let mut next = 0;
        for x in -MAX_ARGUMENT..=MAX_ARGUMENT {
            let end = squash(x) as usize + 1;
            if end > next {
                table[next..end].fill(x as i16);
                next = end;
            }
        }
        table[next..].fill(MAX_ARGUMENT as i16);
        table
    })
}

/// An adaptive probability: 22 bits, then the number of updates in 10 bits.
#[derive(Clone, Copy)]
struct Slot(u32);

impl Slot {
    const NEW: Slot = Slot(1 << 31);
    /// Updates after which the probability adapts no slower.
    const MAX_UPDATES: u32 = 500;

    fn probability(self) -> usize {
        (self.0 >> 16) as usize
    }

    fn update(&mut self, bit: bool) {
        let (p, n) = (i64::from(self.0 >> 10), self.0 & 1023);
        let target = if bit { (1 << 22) - 1 } else { 0 };
        let p = p + (target - p) * 2 / (2 * i64::from(n) + 3);
        self.0 = (p as u32) << 10 | (n + 1).min(Slot::MAX_UPDATES);
    }
}

/// The state of the prediction, which encoder and decoder update in the same way.
struct Model {
    stretch: &'static [i16],
    /// Distances of the neighbors that each context reads.
    neighbors: [[usize; 5]; CONTEXTS],
    /// Number of symbols of the block.
    alphabet: usize,
    /// Placements of the units that are ranked last.
    last: usize,
    slots: [Vec<Slot>; CONTEXTS],
    /// For each context, the slot of the current symbol's first decision.
    at: [usize; CONTEXTS],
    weights: Vec<[i32; INPUTS]>,
    inputs: [i32; INPUTS],
    weight_set: usize,
    probability: i32,
}

impl Model {
    fn new(alphabet: usize, strides: Strides) -> Model {
        let Strides {
            rank: r,
            last: s,
            last_two: t,
        } = strides;
        let neighbors = [
            [1, 2, r, s, 0],
            [1, r, r + 1, r.saturating_sub(1).max(1), 2 * r],
            [s, s + 1, s.saturating_sub(1), s * r, 1],
            [s, 2 * s, t, 0, 0],
            [t, t + s, t + 1, s, 1],
            [1, r, s, s * r, t],
            [1, 2, 3, 4, r],
        ];
        let decisions = alphabet - 1;
        let all = alphabet.pow(5) * decisions;
        let mut slots: [Vec<Slot>; CONTEXTS] = std::array::from_fn(|_| vec![Slot::NEW; all]);
        slots[BY_SQUARE] = vec![Slot::NEW; s * alphabet.pow(3) * decisions];
        let mut first = [(1 << 16) * 2 / 5; INPUTS];
        first[CONTEXTS] = 0;
        Model {
            stretch: stretch_table(),
            neighbors,
            alphabet,
            last: s,
            slots,
            at: [0; CONTEXTS],
            weights: vec![first; decisions * alphabet * alphabet],
            inputs: [0; INPUTS],
            weight_set: 0,
            probability: 0,
        }
    }

    /// Prepares the contexts of the symbol that follows `before`, which are numbers within the alphabet.
    fn begin(&mut self, before: &[u8]) {
        let i = before.len();
        let decisions = self.alphabet - 1;
        let neighbor = |distance: usize| match distance {
            0 => 0,
            _ => i
                .checked_sub(distance)
                .map_or(0, |at| usize::from(before[at])),
        };
        for (context, distances) in self.neighbors.iter().enumerate() {
            let count = if context == BY_SQUARE { 3 } else { 5 };
            let mut number = if context == BY_SQUARE {
                i % self.last
            } else {
                0
            };
            for &distance in &distances[..count] {
                number = number * self.alphabet + neighbor(distance);
            }
            self.at[context] = number * decisions;
        }
        let (one, rank) = (
            neighbor(self.neighbors[1][0]),
            neighbor(self.neighbors[1][1]),
        );
        self.weight_set = (one * self.alphabet + rank) * decisions;
    }

    /// Returns the probability, in units of 1/65536, that a decision about the current symbol is yes.
    fn predict(&mut self, decision: usize) -> u32 {
        let mut sum = 0_i64;
        let weights = &self.weights[self.weight_set + decision];
        for context in 0..CONTEXTS {
            let slot = self.slots[context][self.at[context] + decision];
            self.inputs[context] = i32::from(self.stretch[slot.probability()]);
            sum += i64::from(self.inputs[context]) * i64::from(weights[context]);
        }
        self.inputs[CONTEXTS] = UNIT;
        sum += i64::from(UNIT) * i64::from(weights[CONTEXTS]);
        let limit = i64::from(MAX_ARGUMENT);
        self.probability = squash((sum >> 16).clamp(-limit, limit) as i32);
        self.probability as u32
    }

    /// Updates the model with the outcome of the decision that was predicted last.
    fn update(&mut self, decision: usize, bit: bool) {
        const RATE: i64 = 6;
        let error = i64::from((if bit { 1 << 16 } else { 0 }) - self.probability);
        let weights = &mut self.weights[self.weight_set + decision];
        for (weight, &input) in weights.iter_mut().zip(&self.inputs) {
            *weight += ((i64::from(input) * error * RATE + (1 << 19)) >> 20) as i32;
        }
        for context in 0..CONTEXTS {
            self.slots[context][self.at[context] + decision].update(bit);
        }
    }
}

/// The context that includes the place of the units that are ranked last.
const BY_SQUARE: usize = 3;

/// Splits an interval at a probability.
fn middle(low: u32, high: u32, probability: u32) -> u32 {
    low + (u64::from(high - low) * u64::from(probability) >> 16) as u32
}

/// Writes binary decisions with their probabilities.
struct Encoder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    fn write(&mut self, bit: bool, probability: u32) {
        let middle = middle(self.low, self.high, probability);
        match bit {
            true => self.high = middle,
            false => self.low = middle + 1,
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
    }

    /// Ends the code. A decoder reads zeros after the last byte.
    fn finish(mut self) -> Vec<u8> {
        if self.low > 0 {
            self.bytes.push((self.low >> 24) as u8 + 1);
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

/// Reads what an [`Encoder`] has written.
struct Decoder<'b> {
    low: u32,
    high: u32,
    code: u32,
    bytes: std::slice::Iter<'b, u8>,
    /// Bytes that were read after the last one.
    beyond: usize,
}

impl<'b> Decoder<'b> {
    fn new(bytes: &'b [u8]) -> Decoder<'b> {
        let mut decoder = Decoder {
            low: 0,
            high: u32::MAX,
            code: 0,
            bytes: bytes.iter(),
            beyond: 0,
        };
        for _ in 0..4 {
            decoder.next_byte();
        }
        decoder
    }

    fn next_byte(&mut self) {
        let byte = self.bytes.next().copied();
        self.beyond += usize::from(byte.is_none());
        self.code = self.code << 8 | u32::from(byte.unwrap_or(0));
    }

    fn read(&mut self, probability: u32) -> bool {
        let middle = middle(self.low, self.high, probability);
        let bit = self.code <= middle;
        match bit {
            true => self.high = middle,
            false => self.low = middle + 1,
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 255;
            self.next_byte();
        }
        bit
    }
}

/// Returns the smallest set of symbols, one bit for each, that has an allowed symbol for each index.
fn alphabet_of(allowed: &[u8]) -> u8 {
    let mut different = [false; 1 << SYMBOLS];
    for &set in allowed {
        different[usize::from(set)] = true;
    }
    let suffices = |symbols: u8| {
        (0..)
            .zip(different)
            .all(|(set, is)| !is || set & symbols != 0)
    };
    (1..1 << SYMBOLS)
        .filter(|&symbols| suffices(symbols))
        .min_by_key(|symbols| symbols.count_ones())
        .unwrap_or((1 << SYMBOLS) - 1)
}

/// Returns the symbols of a set in ascending order.
fn symbols_of(set: u8) -> Vec<u8> {
    (0..SYMBOLS as u8).filter(|s| set >> s & 1 == 1).collect()
}

/// Encodes a block. For each index, `allowed` has the symbols that may be stored, one bit for each; no set is
/// empty.
pub fn encode(allowed: &[u8], strides: Strides) -> Vec<u8> {
    let set = alphabet_of(allowed);
    let symbols = symbols_of(set);
    if symbols.len() == 1 {
        return vec![set];
    }
    let mut model = Model::new(symbols.len(), strides);
    let mut encoder = Encoder {
        low: 0,
        high: u32::MAX,
        bytes: vec![set],
    };
    let mut numbers: Vec<u8> = Vec::with_capacity(allowed.len());
    for &mask in allowed {
        model.begin(&numbers);
        // Whether each symbol of the alphabet is allowed.
        let fits = |number: usize| mask >> symbols[number] & 1 == 1;
        let mut number = symbols.len() - 1;
        for decision in 0..symbols.len() - 1 {
            let probability = model.predict(decision);
            let later = (decision + 1..symbols.len()).any(fits);
            let bit = fits(decision) && (!later || probability >= 1 << 15);
            encoder.write(bit, probability);
            model.update(decision, bit);
            if bit {
                number = decision;
                break;
            }
        }
        numbers.push(number as u8);
    }
    encoder.finish()
}

/// Decodes the `len` symbols of a block. Returns `None` if the block is damaged.
pub fn decode(block: &[u8], len: usize, strides: Strides) -> Option<Vec<u8>> {
    let (&set, code) = block.split_first()?;
    if set == 0 || set >> SYMBOLS != 0 {
        return None;
    }
    let symbols = symbols_of(set);
    if let [symbol] = symbols[..] {
        return code.is_empty().then(|| vec![symbol; len]);
    }
    let mut model = Model::new(symbols.len(), strides);
    let mut decoder = Decoder::new(code);
    let mut numbers: Vec<u8> = Vec::with_capacity(len);
    for _ in 0..len {
        model.begin(&numbers);
        let mut number = symbols.len() - 1;
        for decision in 0..symbols.len() - 1 {
            let probability = model.predict(decision);
            let bit = decoder.read(probability);
            model.update(decision, bit);
            if bit {
                number = decision;
                break;
            }
        }
        numbers.push(number as u8);
    }
    let is_whole = decoder.bytes.len() == 0;
    is_whole.then(|| numbers.iter().map(|&n| symbols[usize::from(n)]).collect())
}
