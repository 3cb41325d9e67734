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
    /// Reads the checksum that [`Summed::finish`] wrote, and checks that the stream ends after it.
    ///
    /// # Errors
    /// The reason why the stream is not what was written.
    pub fn verify(mut self) -> Result<(), &'static str> {
        let mut stored = [0; 4];
        let read = self.inner.read_exact(&mut stored);
        read.map_err(|_| "it is cut short")?;
        if u32::from_le_bytes(stored) != self.sum.finalize() {
            return Err("its checksum is wrong: it is damaged or was edited");
        }
        match self.inner.read(&mut [0]) {
            Ok(0) => Ok(()),
            _ => Err("extra bytes after the checksum"),
        }
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
    fn streams_that_are_changed_shortened_or_longer_are_recognized() {
        let mut stream = Summed::new(Vec::new());
        stream.write_all(b"some bytes").expect("written");
        let bytes = stream.finish().expect("written");
        let read = |bytes: &[u8]| {
            let mut stream = Summed::new(bytes);
            stream.read_exact(&mut [0; 10]).map_err(|_| "short")?;
            stream.verify()
        };
        assert_eq!(read(&bytes), Ok(()));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(read(&changed).is_err(), "byte {at}");
            assert!(read(&bytes[..at]).is_err(), "{at} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(read(&longer), Err("extra bytes after the checksum"));
    }
}
