/*
 * Verifies a delivery of a webhook, with nothing but .NET (10 or later runs a file as it is).
 *
 *     WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
 *       dotnet run Verify.cs < body
 *
 * Prints "valid", or why not with status 1.
 */
using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

static class Verify
{
    /// <summary>
    /// Why a delivery is refused; null if it is genuine. The body has the bytes as they came, before they are parsed.
    /// </summary>
    static string? Refusal(string secret, string? id, string? timestamp, string? signature, byte[] body)
    {
        if (string.IsNullOrEmpty(id) || string.IsNullOrEmpty(timestamp) || string.IsNullOrEmpty(signature))
            return "a header is missing";
        long now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, out long seconds) || seconds < now - 300 || seconds > now + 300)
            return "the timestamp is not within five minutes";
        byte[] key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
        byte[] signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
        using (var hmac = new HMACSHA256(key))
        {
            byte[] expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hmac.ComputeHash(signed)));
            // For a day after a new secret was made there are two signatures.
            bool isGenuine = signature.Split(' ').Any(given =>
                CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected));
            return isGenuine ? null : "no signature matches";
        }
    }

    static int Main()
    {
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        string? why = Refusal(
            Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? "",
            Environment.GetEnvironmentVariable("HTTP_WEBHOOK_ID"),
            Environment.GetEnvironmentVariable("HTTP_WEBHOOK_TIMESTAMP"),
            Environment.GetEnvironmentVariable("HTTP_WEBHOOK_SIGNATURE"),
            body.ToArray());
        Console.WriteLine(why ?? "valid");
        return why == null ? 0 : 1;
    }
}
