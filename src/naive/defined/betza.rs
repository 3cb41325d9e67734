//! Reads Betza notation: the movement of a piece as atoms with modifiers.

/// One atom with its modifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub quiet: bool,
    pub capture: bool,
    /// Whether the step starts only in the region of double steps.
    pub initial: bool,
    pub way: Way,
    /// The steps as (forward, right) from the owner's view.
    pub steps: Vec<(i32, i32)>,
}

/// The way in which an atom's steps reach their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One step, over any units between.
    Leap,
    /// One step, if all squares that it passes are vacant. The path is orthogonal first, then diagonal.
    Lame,
    /// Repeated steps over vacant squares, at most this number (0: no limit).
    Ride(u32),
    /// Repeated steps over exactly one unit to any square beyond it, up to the next unit. The total number of
    /// steps is at most this number (0: no limit).
    Hop(u32),
    /// Repeated steps to the square right after the first unit met.
    Grasshop,
}

/// Returns whether an atom's letter means a rider, and the lengths of its steps as (longer, shorter).
fn lengths(letter: char) -> Option<(bool, Vec<(i32, i32)>)> {
    let leaper = |list: &[(i32, i32)]| Some((false, list.to_vec()));
    let rider = |list: &[(i32, i32)]| Some((true, list.to_vec()));
    match letter {
        'W' => leaper(&[(1, 0)]),
        'F' => leaper(&[(1, 1)]),
        'D' => leaper(&[(2, 0)]),
        'N' => leaper(&[(2, 1)]),
        'A' => leaper(&[(2, 2)]),
        'H' => leaper(&[(3, 0)]),
        'L' | 'C' => leaper(&[(3, 1)]),
        'J' | 'Z' => leaper(&[(3, 2)]),
        'G' => leaper(&[(3, 3)]),
        'K' => leaper(&[(1, 0), (1, 1)]),
        'R' => rider(&[(1, 0)]),
        'B' => rider(&[(1, 1)]),
        'Q' => rider(&[(1, 0), (1, 1)]),
        _ => None,
    }
}

fn vertical(letter: char) -> bool {
    "fbvh".contains(letter)
}

fn horizontal(letter: char) -> bool {
    "rlsh".contains(letter)
}

/// Reads the atoms of a notation in their order.
///
/// # Errors
/// If the text does not follow the notation.
pub fn read(text: &str) -> Result<Vec<Atom>, String> {
    let letters: Vec<char> = text.chars().collect();
    let mut atoms = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let (mut quiet, mut capture, mut initial, mut lame) = (false, false, false, false);
        let mut hops = None;
        let mut directions: Vec<(char, char)> = Vec::new();
        let (rides, sizes) = loop {
            let letter = *letters
                .get(at)
                .ok_or(format!("{text}: ends after a modifier"))?;
            let next = letters.get(at + 1).copied();
            at += 1;
            if let Some(found) = lengths(letter) {
                break found;
            }
            match letter {
                'm' => quiet = true,
                'c' => capture = true,
                'i' => initial = true,
                'n' => lame = true,
                'p' => hops = Some(Way::Hop(0)),
                'g' => hops = Some(Way::Grasshop),
                // `e` is a property of the kind, which the keys of the definition handle.
                'e' => {}
                _ if vertical(letter) || horizontal(letter) => match next {
                    Some(next)
                        if next == letter
                            || vertical(letter) && horizontal(next)
                            || horizontal(letter) && vertical(next) =>
                    {
                        directions.push((letter, next));
                        at += 1;
                    }
                    _ => directions.push((letter, letter)),
                },
                _ => return Err(format!("{text}: no meaning of {letter}")),
            }
        };
        let letter = letters[at - 1];
        let mut way = match (hops, rides, lame) {
            (Some(way), ..) => way,
            (None, true, _) => Way::Ride(0),
            (None, false, true) => Way::Lame,
            (None, false, false) => Way::Leap,
        };
        let digits = letters[at..].iter().take_while(|c| c.is_ascii_digit());
        let digits: String = digits.collect();
        if !digits.is_empty() || letters.get(at) == Some(&letter) {
            let limit = match digits.as_str() {
                "" => 0,
                digits => digits.parse().map_err(|_| format!("a range of {digits}"))?,
            };
            way = match way {
                Way::Hop(_) => Way::Hop(limit),
                Way::Grasshop => Way::Grasshop,
                _ => Way::Ride(limit),
            };
            at += digits.len().max(1);
        }
        if !quiet && !capture {
            (quiet, capture) = (true, true);
        }
        let mut steps = Vec::new();
        for &(long, short) in &sizes {
            // For orthogonal atoms, `fs` means forward and sideways. For other atoms, it is one direction.
            let split = sizes.len() == 1 && short == 0;
            let wanted: Vec<(char, char)> = directions
                .iter()
                .flat_map(|&(a, b)| match split && a != b {
                    true => vec![(a, a), (b, b)],
                    false => vec![(a, b)],
                })
                .collect();
            for (step, names) in eight(long, short) {
                let named = |pair: &(char, char)| {
                    names
                        .split(' ')
                        .any(|name| name.chars().eq([pair.0, pair.1]))
                };
                if (wanted.is_empty() || wanted.iter().any(named)) && !steps.contains(&step) {
                    steps.push(step);
                }
            }
        }
        atoms.push(Atom {
            quiet,
            capture,
            initial,
            way,
            steps,
        });
    }
    Ok(atoms)
}

/// Returns the eight steps of these lengths as (forward, right), each with the pairs of modifiers that name
/// it.
fn eight(long: i32, short: i32) -> [((i32, i32), &'static str); 8] {
    [
        ((long, short), "ff vv rf rv fh rh hr"),
        ((-long, -short), "bb vv lb lv bh lh hr"),
        ((-short, long), "rr ss br bs bh rh hr"),
        ((short, -long), "ll ss fl fs fh lh hr"),
        ((short, long), "rr ss fr fs fh rh hl"),
        ((-short, -long), "ll ss bl bs bh lh hl"),
        ((-long, short), "bb vv rb rv bh rh hl"),
        ((long, -short), "ff vv lf lv fh lh hl"),
    ]
}
