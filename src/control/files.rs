//! Reading files that a user names, within a limit.
//!
//! The limit holds for whatever the path leads to: a device or a pipe that never ends is refused once it
//! has delivered more than the limit. Never reads more than that.

use diagnostics::InputError;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a file of at most `max_bytes` bytes.
///
/// # Errors
/// If the file cannot be read, is a folder, or is longer than `max_bytes`. The message names the file.
pub fn read_limited(path: &Path, max_bytes: u64) -> Result<Vec<u8>, InputError> {
    let wrong = |why: String| InputError::new(format!("file `{}`", path.display()), why);
    let unreadable = |e: std::io::Error| wrong(format!("it cannot be read: {e}"));
    let too_long = |bytes: String| {
        wrong(format!(
            "it has {bytes} bytes; at most {max_bytes} are read"
        ))
    };
    let file = File::open(path).map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if about.is_file() && about.len() > max_bytes {
        return Err(too_long(about.len().to_string()));
    }
    read_stream(file, max_bytes)
        .map_err(unreadable)?
        .ok_or_else(|| too_long(format!("more than {max_bytes}")))
}

/// Reads at most `max_bytes` bytes from the standard input.
///
/// # Errors
/// If it cannot be read or is longer than `max_bytes`.
pub fn read_standard_input(max_bytes: u64) -> Result<Vec<u8>, InputError> {
    let wrong = |why: String| InputError::new("standard input", why);
    read_stream(std::io::stdin().lock(), max_bytes)
        .map_err(|e| wrong(format!("it cannot be read: {e}")))?
        .ok_or_else(|| {
            wrong(format!(
                "it has more than {max_bytes} bytes; at most {max_bytes} are read"
            ))
        })
}

/// Reads a stream to its end, or returns `None` once it has delivered more than `max_bytes`.
fn read_stream(stream: impl Read, max_bytes: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    stream
        .take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= max_bytes).then_some(bytes))
}

/// Like [`read_limited`], for a text in UTF-8.
///
/// # Errors
/// As [`read_limited`], and if the file is not UTF-8; the message gives the line and the byte.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, InputError> {
    String::from_utf8(read_limited(path, max_bytes)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let why = format!("it is not UTF-8 (byte {:#04x})", bytes[at]);
        InputError::new(format!("file `{}`", path.display()), why).at(format!("line {line}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_up_to_the_limit_are_read_and_longer_ones_refused() {
        let path = std::env::temp_dir().join(format!("fairyproof-files-{}", std::process::id()));
        std::fs::write(&path, b"12345").expect("a file");
        assert_eq!(read_limited(&path, 5), Ok(b"12345".to_vec()));
        let error = read_limited(&path, 4).expect_err("too long").to_string();
        assert!(error.contains("5 bytes; at most 4"), "{error}");
        std::fs::write(&path, b"a\nb\xe9").expect("a file");
        let error = read_text(&path, 9).expect_err("not UTF-8").to_string();
        assert!(
            error.contains("line 2") && error.contains("0xe9"),
            "{error}"
        );
        std::fs::remove_file(&path).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn devices_without_end_are_refused() {
        let error = read_limited(Path::new("/dev/zero"), 1000).expect_err("no end");
        assert!(
            error.to_string().contains("more than 1000 bytes"),
            "{error}"
        );
    }
}
