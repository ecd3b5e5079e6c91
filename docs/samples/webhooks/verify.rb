# Verifies a delivery of a webhook, with nothing but Ruby's standard library.
#
#     WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
#       ruby verify.rb < body
#
# Prints "valid", or why not with status 1. In Rack, headers are in `env` under the same names.

require "openssl"

# Why a delivery is refused; nil if it is genuine. `body`: the bytes as they came, before they are parsed.
def refusal(secret, id, timestamp, signature, body)
  return "a header is missing" if [id, timestamp, signature].any? { |one| one.to_s.empty? }
  return "the timestamp is not within five minutes" if (Time.now.to_i - timestamp.to_i).abs > 300

  key = secret.delete_prefix("whsec_").unpack1("m")
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.".b + body)
  expected = "v1,#{[digest].pack("m0")}"
  # For a day after a new secret was made there are two signatures.
  is_genuine = signature.split(" ").any? { |given| OpenSSL.secure_compare(given, expected) }
  is_genuine ? nil : "no signature matches"
end

why = refusal(
  ENV.fetch("WEBHOOK_SECRET"),
  ENV["HTTP_WEBHOOK_ID"],
  ENV["HTTP_WEBHOOK_TIMESTAMP"],
  ENV["HTTP_WEBHOOK_SIGNATURE"],
  $stdin.binmode.read
)
puts why || "valid"
exit why.nil?
