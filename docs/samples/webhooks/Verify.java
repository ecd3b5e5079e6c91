/*
 * Verifies a delivery of a webhook, with nothing but Java 11 or later.
 *
 *     WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
 *       java Verify.java < body
 *
 * Prints "valid", or why not with status 1.
 */
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
    /** Why a delivery is refused; empty if it is genuine. The body has the bytes as they came, before they are parsed. */
    static Optional<String> refusal(
            String secret, String id, String timestamp, String signature, byte[] body)
            throws GeneralSecurityException {
        if (isMissing(id) || isMissing(timestamp) || isMissing(signature)) {
            return Optional.of("a header is missing");
        }
        if (!isRecent(timestamp)) {
            return Optional.of("the timestamp is not within five minutes");
        }
        byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        // For a day after a new secret was made there are two signatures.
        for (String given : signature.split(" ")) {
            if (MessageDigest.isEqual(
                    given.getBytes(StandardCharsets.UTF_8),
                    expected.getBytes(StandardCharsets.UTF_8))) {
                return Optional.empty();
            }
        }
        return Optional.of("no signature matches");
    }

    private static boolean isMissing(String header) {
        return header == null || header.isEmpty();
    }

    private static boolean isRecent(String timestamp) {
        try {
            long now = Instant.now().getEpochSecond();
            long seconds = Long.parseLong(timestamp);
            return seconds >= now - 300 && seconds <= now + 300;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] body = System.in.readAllBytes();
        Optional<String> why =
                refusal(
                        System.getenv("WEBHOOK_SECRET"),
                        System.getenv("HTTP_WEBHOOK_ID"),
                        System.getenv("HTTP_WEBHOOK_TIMESTAMP"),
                        System.getenv("HTTP_WEBHOOK_SIGNATURE"),
                        body);
        System.out.println(why.orElse("valid"));
        System.exit(why.isPresent() ? 1 : 0);
    }
}
