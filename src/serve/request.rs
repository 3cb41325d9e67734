//! The fields of requests, from the address or from a JSON body, and refusals with a clear error.
//!
//! Axum decodes the fields. This module converts axum's rejections to the JSON form of all other errors.

use axum::Json;
use axum::extract::{FromRequest, Query, Request};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use diagnostics::Diagnostic;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

/// A refusal of a request. As JSON, it is the body of the reply.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Refusal {
    /// The HTTP status.
    #[serde(skip)]
    pub status: StatusCode,
    /// The fault in words.
    pub error: String,
    /// A correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The number of the wrong turn in the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
}

impl Refusal {
    /// Returns a refusal without help.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Refusal {
        Refusal {
            status,
            error: error.into(),
            help: None,
            turn: None,
        }
    }

    /// Returns a refusal with the status "bad request".
    pub fn bad(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error)
    }
}

impl From<Diagnostic> for Refusal {
    fn from(error: Diagnostic) -> Refusal {
        Refusal {
            help: error.help.clone(),
            ..Refusal::bad(error.to_string())
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}

/// The fields of a request: from the address for GET, from the JSON body for POST.
pub struct Fields<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Fields<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        if request.method() == Method::POST {
            let Json(fields) = Json::from_request(request, state)
                .await
                .map_err(|wrong| Refusal::new(wrong.status(), reason(&wrong.body_text())))
                .map_err(|refusal| match refusal.status {
                    // A field is missing or has the wrong type.
                    StatusCode::UNPROCESSABLE_ENTITY => Refusal::bad(refusal.error),
                    _ => refusal,
                })?;
            return Ok(Fields(fields));
        }
        let (head, _) = request.into_parts();
        let query = Query::try_from_uri(&head.uri);
        let Query(fields) = query.map_err(|wrong| Refusal::bad(reason(&wrong.body_text())))?;
        Ok(Fields(fields))
    }
}

/// Returns why fields could not be read, given axum's message.
fn reason(message: &str) -> String {
    let missing = message.split_once("missing field `");
    match missing.and_then(|(_, rest)| rest.split_once('`')) {
        Some((field, _)) => format!("the parameter `{field}` is missing"),
        None => message.to_owned(),
    }
}

/// Reads a whole number, which may be written as a JSON number or string.
///
/// # Errors
/// If the field is not a whole number that fits in 64 bits.
pub fn whole_number<'de, D: Deserializer<'de>>(field: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Number {
        Number(u64),
        Text(String),
    }
    let number = match Number::deserialize(field) {
        Ok(Number::Number(number)) => Some(number),
        Ok(Number::Text(text)) if diagnostics::whole_number(&text) => text.parse().ok(),
        _ => None,
    };
    number.ok_or_else(|| D::Error::custom("expected a whole number"))
}

/// Returns the text of a field, or `None` if the field is missing or empty.
pub fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::extract::rejection::QueryRejection;
    use axum::http::Uri;

    #[derive(Deserialize, Debug)]
    struct Example {
        fen: Option<String>,
        #[serde(deserialize_with = "whole_number")]
        depth: u64,
    }

    fn query(text: &str) -> Result<Example, QueryRejection> {
        let uri: Uri = format!("/api/x?{text}").parse().expect("an address");
        Query::try_from_uri(&uri).map(|Query(fields)| fields)
    }

    #[test]
    fn fields_of_addresses_are_decoded_or_refused() {
        let fields = query("fen=b%2Bc+%C3%A9&depth=3").expect("two fields");
        assert_eq!((given(&fields.fen), fields.depth), (Some("b+c é"), 3));
        assert_eq!(
            given(&query("fen=&depth=3").expect("an empty field").fen),
            None
        );
        for (text, why) in [
            ("fen=8", "the parameter `depth` is missing"),
            ("depth=1&depth=2", "duplicate field `depth`"),
            ("depth=", "depth: expected a whole number"),
            ("depth=-1", "depth: expected a whole number"),
            ("depth=%zz", "depth: expected a whole number"),
            (
                "depth=99999999999999999999",
                "depth: expected a whole number",
            ),
        ] {
            let error = reason(&query(text).expect_err(text).body_text());
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn json_numbers_may_be_text() {
        let depth = |body: &str| serde_json::from_str::<Example>(body).map(|fields| fields.depth);
        assert_eq!(depth("{\"depth\": 3}").ok(), Some(3));
        assert_eq!(depth("{\"depth\": \"3\", \"fen\": null}").ok(), Some(3));
        for wrong in ["[]", "{\"depth\": [1]}", "{\"depth\": 1.5}", "{}", ""] {
            assert!(depth(wrong).is_err(), "{wrong}");
        }
    }
}
