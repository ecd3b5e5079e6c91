"""Verifies a delivery of a webhook, with nothing but Python's standard library.

    WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \\
      python verify.py < body

Prints "valid", or why not with status 1.
"""

import base64
import hashlib
import hmac
import os
import sys
import time


def refusal(secret: str, id: str, timestamp: str, signature: str, body: bytes) -> str | None:
    """Why a delivery is refused; None if it is genuine. `body`: the bytes as they came, before they are parsed."""
    if not (id and timestamp and signature):
        return "a header is missing"
    try:
        is_recent = abs(time.time() - int(timestamp)) <= 300
    except ValueError:
        is_recent = False
    if not is_recent:
        return "the timestamp is not within five minutes"
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # For a day after a new secret was made there are two signatures.
    if any(hmac.compare_digest(given.encode(), expected) for given in signature.split(" ")):
        return None
    return "no signature matches"


if __name__ == "__main__":
    why = refusal(
        os.environ["WEBHOOK_SECRET"],
        os.environ.get("HTTP_WEBHOOK_ID", ""),
        os.environ.get("HTTP_WEBHOOK_TIMESTAMP", ""),
        os.environ.get("HTTP_WEBHOOK_SIGNATURE", ""),
        sys.stdin.buffer.read(),
    )
    print(why or "valid")
    sys.exit(1 if why else 0)
