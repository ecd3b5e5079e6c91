import assert from "node:assert/strict";
import { test } from "node:test";
import { countedAddress } from "../../server/access/throttle.ts";

test("addresses of one household are counted together, however they are written", () => {
  for (const [address, counted] of [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:FFFF:192.0.2.7", "192.0.2.7"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8:0:0:9:9:9:9", "2001:db8:0:0"],
    ["2001:DB8:0:1::", "2001:db8:0:1"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["fe80::1%", "fe80::1%"],
    ["not an address", "not an address"],
  ] as const) {
    assert.equal(countedAddress(address), counted, address);
  }
});
