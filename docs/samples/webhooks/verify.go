// Verifies a delivery of a webhook, with nothing but Go's standard library.
//
//	WEBHOOK_SECRET=whsec_… HTTP_WEBHOOK_ID=… HTTP_WEBHOOK_TIMESTAMP=… HTTP_WEBHOOK_SIGNATURE=… \
//	  go run verify.go < body
//
// Prints "valid", or why not with status 1.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// verify returns why a delivery is refused; nil if it is genuine. The body has the bytes as they came, before they
// are parsed.
func verify(secret, id, timestamp, signature string, body []byte) error {
	if id == "" || timestamp == "" || signature == "" {
		return errors.New("a header is missing")
	}
	now := time.Now().Unix()
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || seconds < now-300 || seconds > now+300 {
		return errors.New("the timestamp is not within five minutes")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// For a day after a new secret was made there are two signatures.
	for _, given := range strings.Split(signature, " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return nil
		}
	}
	return errors.New("no signature matches")
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = verify(
			os.Getenv("WEBHOOK_SECRET"),
			os.Getenv("HTTP_WEBHOOK_ID"),
			os.Getenv("HTTP_WEBHOOK_TIMESTAMP"),
			os.Getenv("HTTP_WEBHOOK_SIGNATURE"),
			body,
		)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("valid")
}
