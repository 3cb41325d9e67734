//! Streams with a checksum (CRC-32): the writer appends the checksum of all preceding bytes, and the reader
//! verifies it.
//!
//! A checksum shows that a file is complete and undamaged. It does not protect against deliberate changes.

use std::io::{self, Read, Write};

/// A stream, with the checksum of the bytes that have passed through it.
#[derive(Debug)]
pub struct Summed<T> {
    inner: T,
    sum: crc32fast::Hasher,
}

impl<T> Summed<T> {
    /// Returns a stream with the checksum of zero bytes.
    pub fn new(inner: T) -> Summed<T> {
        Summed {
            inner,
            sum: crc32fast::Hasher::new(),
        }
    }
}

impl<T: Write> Summed<T> {
    /// Writes the checksum of all bytes so far, as four bytes in little-endian order. Returns the stream
    /// without flushing it.
    ///
    /// # Errors
    /// If the stream cannot be written.
    pub fn finish(mut self) -> io::Result<T> {
        self.inner.write_all(&self.sum.finalize().to_le_bytes())?;
        Ok(self.inner)
    }
}

impl<T: Read> Summed<T> {
    /// Reads the checksum that [`Summed::finish`] wrote. Returns the stream, and whether the checksum matches
    /// the bytes so far.
    ///
    /// # Errors
    /// If the stream cannot be read, or ends within the checksum.
    pub fn verify(mut self) -> io::Result<(T, bool)> {
        let mut stored = [0; 4];
        self.inner.read_exact(&mut stored)?;
        let equal = u32::from_le_bytes(stored) == self.sum.finalize();
        Ok((self.inner, equal))
    }
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.inner.write(bytes)?;
        self.sum.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(bytes)?;
        self.sum.update(&bytes[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_and_shortened_streams_are_recognized() {
        let mut stream = Summed::new(Vec::new());
        stream.write_all(b"some bytes").expect("written");
        let bytes = stream.finish().expect("written");
        let read = |bytes: &[u8]| {
            let mut stream = Summed::new(bytes);
            stream.read_exact(&mut [0; 10])?;
            Ok::<bool, io::Error>(stream.verify()?.1)
        };
        assert!(read(&bytes).expect("complete"));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(!read(&changed).expect("complete"), "byte {at}");
            assert!(read(&bytes[..at]).is_err(), "{at} bytes");
        }
    }
}
