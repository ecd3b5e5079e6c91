//! Verifies a delivery of a webhook. In a project of its own, as `src/main.rs`:
//!
//!     cargo add base64@0.22 hmac@0.12 sha2@0.10
//!     WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
//!       cargo run < body
//!
//! Prints "valid", or why not with status 1.

use std::env;
use std::io::{Read, stdin};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, Mac};
use sha2::Sha256;

fn is_recent(timestamp: &str) -> bool {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    timestamp
        .parse::<u64>()
        .is_ok_and(|seconds| seconds.abs_diff(now) <= 300)
}

/// Why a delivery is refused, if it is. `body`: the bytes as they came, before they are parsed.
fn verify(
    secret: &str,
    id: &str,
    timestamp: &str,
    signature: &str,
    body: &[u8],
) -> Result<(), &'static str> {
    if id.is_empty() || timestamp.is_empty() || signature.is_empty() {
        return Err("a header is missing");
    }
    if !is_recent(timestamp) {
        return Err("the timestamp is not within five minutes");
    }
    let key = STANDARD
        .decode(secret.trim_start_matches("whsec_"))
        .map_err(|_| "the secret is not base64")?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| "the secret is no key")?;
    mac.update(format!("{id}.{timestamp}.").as_bytes());
    mac.update(body);
    // For a day after a new secret was made there are two signatures. `verify_slice` compares in constant time.
    let is_genuine = signature
        .split(' ')
        .filter_map(|one| STANDARD.decode(one.strip_prefix("v1,")?).ok())
        .any(|given| mac.clone().verify_slice(&given).is_ok());
    if is_genuine {
        Ok(())
    } else {
        Err("no signature matches")
    }
}

fn main() -> ExitCode {
    let variable = |name| env::var(name).unwrap_or_default();
    let mut body = Vec::new();
    let verified = stdin()
        .read_to_end(&mut body)
        .map_err(|_| "the body cannot be read")
        .and_then(|_| {
            verify(
                &variable("WEBHOOK_SECRET"),
                &variable("HTTP_WEBHOOK_ID"),
                &variable("HTTP_WEBHOOK_TIMESTAMP"),
                &variable("HTTP_WEBHOOK_SIGNATURE"),
                &body,
            )
        });
    println!("{}", verified.err().unwrap_or("valid"));
    if verified.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
