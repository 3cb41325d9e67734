//! Parses text into a tree, by recursive descent over tokens in CEL's grammar.

use crate::error::{ExpressionError, NEGATION};
use crate::tokens::{Token, tokens};
use crate::tree::{Node, Operator, Span, Tree, Word};

/// The maximum length of an expression, in bytes.
pub const MAX_BYTES: usize = 64 << 10;
/// The maximum nesting depth of an expression, counting parentheses, calls and operators.
pub const MAX_LEVELS: usize = 200;

/// The description of the token that must follow a period, for messages.
const MEMBER: &str = "a name";

/// Words that CEL reserves.
const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "null",
    "return",
    "var",
    "void",
];

type Parsed<T = Tree> = Result<T, ExpressionError>;

/// Parses an expression.
///
/// # Errors
/// The first place where the text cannot be continued to a valid expression. Also if the text has more than
/// [`MAX_BYTES`] bytes or more than [`MAX_LEVELS`] levels.
pub fn parse(text: &str) -> Parsed {
    if text.len() > MAX_BYTES {
        let why = format!("it has {} bytes; at most {MAX_BYTES} are read", text.len());
        return Err(ExpressionError::new(0..0, why));
    }
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        end: text.trim_end().len(),
        open_levels: 0,
    };
    if parser.tokens.is_empty() {
        return Err(ExpressionError::new(0..0, "it is empty")
            .help("for example `check && size(turns) == 1`"));
    }
    let tree = parser.expression()?;
    match parser.tokens.get(parser.at) {
        None => Ok(tree),
        Some(_) => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    /// The byte offset after the last token.
    end: usize,
    /// The number of levels that the parser has entered and not left.
    open_levels: usize,
}

impl Parser {
    fn span(&self) -> Span {
        self.tokens
            .get(self.at)
            .map_or(self.end..self.end, |(_, span)| span.clone())
    }

    /// Returns whether the previous token is `not`, which other languages use for negation.
    fn is_behind_not(&self) -> bool {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        matches!(before, Some((Token::Name(name), _)) if name == "not")
    }

    fn unexpected(&self, wanted: &str) -> ExpressionError {
        let found = match self.tokens.get(self.at) {
            None => "the expression ends".to_owned(),
            Some((Token::Name(text) | Token::Digits(text), _)) => {
                format!("`{}`", diagnostics::shortened(text))
            }
            Some((Token::Sign(sign), _)) => format!("`{sign}`"),
            Some(_) => "a text".to_owned(),
        };
        let why = format!("{found} where {wanted} should follow");
        let error = ExpressionError::new(self.span(), why);
        match self.tokens.get(self.at) {
            Some((Token::Name(name), _)) if name == "and" => error.help("write `&&`"),
            Some((Token::Name(name), _)) if name == "or" => error.help("write `||`"),
            Some((Token::Digits(_), _)) if wanted == MEMBER => error.help("numbers are whole"),
            _ if self.is_behind_not() => error.help(NEGATION),
            _ => error,
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some((Token::Sign(s), _)) if *s == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{sign}`"))),
        }
    }

    /// Returns a tree whose number of levels is one more than that of its deepest part.
    fn tree(&self, node: Node, start: usize, deepest: usize) -> Parsed {
        let end = self.tokens[self.at - 1].1.end;
        let levels = deepest + 1;
        if levels > MAX_LEVELS {
            return Err(too_deep(start..end));
        }
        Ok(Tree {
            node,
            span: start..end,
            levels,
        })
    }

    /// Parses `or [ "?" or ":" expression ]`.
    fn expression(&mut self) -> Parsed {
        self.open_levels += 1;
        if self.open_levels > MAX_LEVELS {
            return Err(too_deep(self.span()));
        }
        let condition = self.or()?;
        let tree = if self.take("?") {
            let yes = self.or()?;
            self.expect(":")?;
            let no = self.expression()?;
            let (start, deepest) = (
                condition.span.start,
                condition.levels.max(yes.levels).max(no.levels),
            );
            self.tree(Node::Choice(Box::new([condition, yes, no])), start, deepest)?
        } else {
            condition
        };
        self.open_levels -= 1;
        Ok(tree)
    }

    fn or(&mut self) -> Parsed {
        self.joined("||", Parser::and, Node::Or)
    }

    fn and(&mut self) -> Parsed {
        self.joined("&&", Parser::relation, Node::And)
    }

    fn joined(
        &mut self,
        sign: &str,
        part: fn(&mut Parser) -> Parsed,
        node: fn(Vec<Tree>) -> Node,
    ) -> Parsed {
        let first = part(self)?;
        let mut parts = vec![first];
        while self.take(sign) {
            parts.push(part(self)?);
        }
        if parts.len() == 1 {
            return Ok(parts.swap_remove(0));
        }
        let start = parts[0].span.start;
        let deepest = parts.iter().map(|part| part.levels).max().unwrap_or(0);
        self.tree(node(parts), start, deepest)
    }

    fn relation(&mut self) -> Parsed {
        use Operator::{AtLeast, AtMost, Equal, Greater, In, Less, Unequal};
        let operators = [Equal, Unequal, AtMost, AtLeast, Less, Greater, In];
        self.binary(&operators, Parser::sum)
    }

    fn sum(&mut self) -> Parsed {
        self.binary(&[Operator::Plus, Operator::Minus], Parser::product)
    }

    fn product(&mut self) -> Parsed {
        let operators = [Operator::Times, Operator::Over, Operator::Modulo];
        self.binary(&operators, Parser::unary)
    }

    fn binary(&mut self, operators: &[Operator], part: fn(&mut Parser) -> Parsed) -> Parsed {
        let mut left = part(self)?;
        while let Some(operator) = self.operator(operators) {
            let right = part(self)?;
            let (start, deepest) = (left.span.start, left.levels.max(right.levels));
            left = self.tree(
                Node::Binary(operator, Box::new([left, right])),
                start,
                deepest,
            )?;
        }
        Ok(left)
    }

    fn operator(&mut self, operators: &[Operator]) -> Option<Operator> {
        let found = match self.tokens.get(self.at)? {
            (Token::Sign(sign), _) => operators.iter().find(|o| o.sign() == *sign),
            (Token::Name(name), _) => operators.iter().find(|o| o.sign() == name),
            _ => None,
        }?;
        self.at += 1;
        Some(*found)
    }

    /// Parses a member, or a member after signs of one sort: `!!a`, `--a`.
    fn unary(&mut self) -> Parsed {
        let start = self.span().start;
        let sign = ["!", "-"].into_iter().find(|sign| self.take(sign));
        let Some(sign) = sign else {
            return self.member();
        };
        let mut signs = 1;
        while self.take(sign) {
            signs += 1;
        }
        let mut tree = self.member()?;
        for _ in 0..signs {
            let deepest = tree.levels;
            let node = match sign {
                "!" => Node::Not(Box::new(tree)),
                _ => Node::Negative(Box::new(tree)),
            };
            tree = self.tree(node, start, deepest)?;
        }
        Ok(tree)
    }

    /// Parses a primary expression, then any number of `.name`, `.name(args)` and `[index]`.
    fn member(&mut self) -> Parsed {
        let mut tree = self.primary()?;
        loop {
            let start = tree.span.start;
            if self.take(".") {
                let name = self.selector()?;
                let mut deepest = tree.levels;
                let node = if self.take("(") {
                    let args = self.list(")")?;
                    deepest = args.iter().map(|arg| arg.levels).fold(deepest, usize::max);
                    Node::Call {
                        target: Some(Box::new(tree)),
                        name,
                        args,
                    }
                } else {
                    Node::Member(Box::new(tree), name)
                };
                tree = self.tree(node, start, deepest)?;
            } else if self.take("[") {
                let index = self.expression()?;
                self.expect("]")?;
                let deepest = tree.levels.max(index.levels);
                tree = self.tree(Node::Index(Box::new([tree, index])), start, deepest)?;
            } else {
                return Ok(tree);
            }
        }
    }

    /// Parses the name after a period. Words that CEL reserves as identifiers are allowed there:
    /// `state.return`.
    fn selector(&mut self) -> Parsed<Word> {
        match self.name(|name| RESERVED.contains(&name)) {
            Some(word) => Ok(word),
            None => self.word(),
        }
    }

    fn word(&mut self) -> Parsed<Word> {
        let is_free = |name: &str| !RESERVED.contains(&name) && !is_word_of_language(name);
        if let Some(word) = self.name(is_free) {
            return Ok(word);
        }
        let Some((Token::Name(name), span)) = self.tokens.get(self.at) else {
            return Err(self.unexpected(MEMBER));
        };
        let why = format!("`{name}` is a reserved word");
        let error = ExpressionError::new(span.clone(), why);
        Err(match name == "if" {
            true => error.help("write `condition ? a : b`"),
            false => error,
        })
    }

    /// Consumes and returns the next name if `is_wanted` holds for it.
    fn name(&mut self, is_wanted: impl Fn(&str) -> bool) -> Option<Word> {
        let (Token::Name(name), span) = self.tokens.get(self.at)? else {
            return None;
        };
        let word = is_wanted(name).then(|| Word {
            text: name.clone(),
            span: span.clone(),
        })?;
        self.at += 1;
        Some(word)
    }

    /// Parses expressions separated by commas, up to a closing sign.
    fn list(&mut self, close: &'static str) -> Parsed<Vec<Tree>> {
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(",") {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn primary(&mut self) -> Parsed {
        let Some((token, span)) = self.tokens.get(self.at).cloned() else {
            return Err(self.unexpected("a value"));
        };
        let start = span.start;
        let (node, deepest) = match token {
            Token::Digits(digits) => {
                self.at += 1;
                let number = digits.parse::<i64>().map_err(|_| {
                    let why = format!("the number is greater than {}", i64::MAX);
                    ExpressionError::new(span.clone(), why)
                })?;
                (Node::Int(number), 0)
            }
            Token::Text(text) => {
                self.at += 1;
                (Node::Text(text), 0)
            }
            Token::Name(name) if name == "true" || name == "false" => {
                self.at += 1;
                (Node::Bool(name == "true"), 0)
            }
            Token::Name(_) => {
                let name = self.word()?;
                if self.take("(") {
                    let args = self.list(")")?;
                    let deepest = args.iter().map(|arg| arg.levels).max().unwrap_or(0);
                    let target = None;
                    (Node::Call { target, name, args }, deepest)
                } else {
                    (Node::Name(name.text), 0)
                }
            }
            Token::Sign("(") => {
                self.at += 1;
                let mut tree = self.expression()?;
                self.expect(")")?;
                tree.span = start..self.tokens[self.at - 1].1.end;
                return Ok(tree);
            }
            Token::Sign("[") => {
                self.at += 1;
                let items = self.list("]")?;
                let deepest = items.iter().map(|item| item.levels).max().unwrap_or(0);
                (Node::List(items), deepest)
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.tree(node, start, deepest)
    }
}

fn is_word_of_language(name: &str) -> bool {
    matches!(name, "true" | "false" | "in" | "while")
}

fn too_deep(span: Span) -> ExpressionError {
    let why = format!("the expression is nested deeper than {MAX_LEVELS} levels");
    ExpressionError::new(span, why)
}
