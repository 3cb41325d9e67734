//! Whole numbers of variable length (LEB128): seven bits per byte, the lowest first. The highest bit of a
//! byte is set if another byte follows.
//!
//! Sorted runs on disk consist of such numbers, so the functions are inlined, and numbers of one byte have a
//! fast path.

/// Appends a number.
#[inline]
pub fn put(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

/// Reads the number at `at` and moves `at` past it. Returns `None` if the bytes end within the number, or if
/// the number does not fit in 64 bits.
#[inline(always)]
pub fn get(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(first.into());
    }
    let mut n = u64::from(first & 0x7f);
    let mut shift = 7;
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if shift == 63 && byte > 1 {
            return None;
        }
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(n);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_and_broken_ones_are_refused() {
        let numbers = [
            0,
            1,
            0x7f,
            0x80,
            0x3fff,
            0x4000,
            u64::from(u32::MAX),
            u64::MAX,
        ];
        let mut bytes = Vec::new();
        for n in numbers {
            put(&mut bytes, n);
        }
        let mut at = 0;
        for n in numbers {
            assert_eq!(get(&bytes, &mut at), Some(n));
        }
        assert_eq!(at, bytes.len());
        assert_eq!(get(&bytes, &mut at), None);
        assert_eq!(get(&[0x80], &mut 0), None, "it ends too early");
        assert_eq!(get(&[0xff; 11], &mut 0), None, "more than 64 bits");
    }
}
