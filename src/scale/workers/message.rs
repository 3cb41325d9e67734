//! Messages between workers: a kind, a phase and words.

use serde::Serialize;
use serde::de::DeserializeOwned;
use timely_bytes::arc::Bytes;
use timely_communication::Bytesable;

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Kind {
    /// The number of the receiver's words that have been handled.
    Handled,
    /// The sender has nothing more to send in this phase.
    Done,
    /// The sender's share of the words that all workers gather.
    Share,
    /// Keys of states that the receiver owns.
    Keys,
    /// Turns to states that the receiver owns.
    Edges,
    /// States of the receiver with a turn to a state that is lost.
    Winners,
    /// States of the receiver with a turn to a state that is won.
    Yielders,
    /// Keys whose values are requested.
    Ask,
    /// The requested values.
    Values,
}

impl Kind {
    const ALL: [Kind; 9] = [
        Kind::Handled,
        Kind::Done,
        Kind::Share,
        Kind::Keys,
        Kind::Edges,
        Kind::Winners,
        Kind::Yielders,
        Kind::Ask,
        Kind::Values,
    ];
}

/// A message from a worker to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Message {
    pub kind: Kind,
    /// The sender.
    pub from: u32,
    /// The phase of the sender.
    pub phase: u32,
    pub words: Vec<u64>,
}

/// Bytes before the words: kind (4), sender (4), phase (8).
const HEAD: usize = 16;

impl Bytesable for Message {
    /// Reads a message. Every process that can send here has the same build, which the handshake has checked.
    fn from_bytes(bytes: Bytes) -> Message {
        let (head, words) = bytes.split_at(HEAD.min(bytes.len()));
        let number = |at: usize| {
            let mut four = [0; 4];
            if let Some(there) = head.get(at..at + 4) {
                four.copy_from_slice(there);
            }
            u32::from_le_bytes(four)
        };
        let kind = Kind::ALL.get(number(0) as usize).copied();
        Message {
            kind: kind.unwrap_or(Kind::Handled),
            from: number(4),
            phase: number(8),
            words: words
                .as_chunks()
                .0
                .iter()
                .map(|&word| u64::from_le_bytes(word))
                .collect(),
        }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + 8 * self.words.len()
    }

    fn into_bytes<W: std::io::Write>(&self, writer: &mut W) {
        let mut head = [0; HEAD];
        head[0] = self.kind as u8;
        head[4..8].copy_from_slice(&self.from.to_le_bytes());
        head[8..12].copy_from_slice(&self.phase.to_le_bytes());
        // The buffer has the measured length, so writing cannot fail.
        let _ = writer.write_all(&head);
        let mut block = [0u8; 8 * 128];
        for words in self.words.chunks(128) {
            for (bytes, word) in block.chunks_exact_mut(8).zip(words) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            let _ = writer.write_all(&block[..8 * words.len()]);
        }
    }
}

/// Appends 32-bit numbers, two in each word, after a word with their count.
pub(super) fn pack_pairs(numbers: &[u32], words: &mut Vec<u64>) {
    words.push(numbers.len() as u64);
    words.extend(numbers.chunks(2).map(|pair| {
        let high = pair.get(1).copied().unwrap_or(0);
        u64::from(pair[0]) | u64::from(high) << 32
    }));
}

/// Returns the numbers that [`pack_pairs`] appended, and the words after them.
pub(super) fn unpack_pairs(words: &[u64]) -> (impl Iterator<Item = u32> + '_, &[u64]) {
    let n = words.first().map_or(0, |&n| n as usize);
    let words = words.get(1..).unwrap_or_default();
    let (packed, rest) = words.split_at(n.div_ceil(2).min(words.len()));
    let numbers = packed
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32])
        .take(n);
    (numbers, rest)
}

/// Packs a value into words, as JSON that is padded with blanks.
pub(super) fn pack_json(value: &impl Serialize) -> serde_json::Result<Vec<u64>> {
    let mut text = serde_json::to_vec(value)?;
    text.resize(text.len().next_multiple_of(8), b' ');
    let words = text.as_chunks().0.iter();
    Ok(words.map(|&word| u64::from_le_bytes(word)).collect())
}

/// Returns a value that [`pack_json`] packed.
pub(super) fn unpack_json<T: DeserializeOwned>(words: &[u64]) -> serde_json::Result<T> {
    let text: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    serde_json::from_slice(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn what_is_packed_is_unpacked(pairs: Vec<u32>, text: String, last: u64) -> bool {
            let mut words = Vec::new();
            pack_pairs(&pairs, &mut words);
            words.extend(pack_json(&(&text, last)).expect("JSON"));
            let (read, rest) = unpack_pairs(&words);
            let read: Vec<u32> = read.collect();
            let rest: (String, u64) = unpack_json(rest).expect("JSON");
            read == pairs && rest == (text, last)
        }
    }

    #[test]
    fn a_message_goes_through_bytes() {
        let sent = Message {
            kind: Kind::Ask,
            from: 70_000,
            phase: 9,
            words: (0..300)
                .map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .collect(),
        };
        let mut bytes = Vec::new();
        sent.into_bytes(&mut bytes);
        assert_eq!(bytes.len(), sent.length_in_bytes());
        let mut shared = timely_bytes::arc::BytesMut::from(bytes);
        let length = shared.len();
        assert_eq!(Message::from_bytes(shared.extract_to(length)), sent);
    }
}
