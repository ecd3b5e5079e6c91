<?php
/*
 * Verifies a delivery of a webhook, with nothing but PHP 8.
 *
 *     WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
 *       php verify.php < body
 *
 * Prints "valid", or why not with status 1. In a web server, headers are in `$_SERVER` under the same names, and the
 * body is `php://input`.
 */
declare(strict_types=1);

/** Why a delivery is refused; null if it is genuine. `$body`: the bytes as they came, before they are parsed. */
function refusal(string $secret, string $id, string $timestamp, string $signature, string $body): ?string
{
    if ($id === '' || $timestamp === '' || $signature === '') {
        return 'a header is missing';
    }
    if (!preg_match('/^\d+$/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return 'the timestamp is not within five minutes';
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // For a day after a new secret was made there are two signatures.
    foreach (explode(' ', $signature) as $given) {
        if (hash_equals($expected, $given)) {
            return null;
        }
    }
    return 'no signature matches';
}

$why = refusal(
    (string) getenv('WEBHOOK_SECRET'),
    (string) getenv('HTTP_WEBHOOK_ID'),
    (string) getenv('HTTP_WEBHOOK_TIMESTAMP'),
    (string) getenv('HTTP_WEBHOOK_SIGNATURE'),
    file_get_contents('php://stdin'),
);
echo $why ?? 'valid', "\n";
exit($why === null ? 0 : 1);
