/** An address, and whether it is accepted. */
export interface EmailAddress {
  readonly address: string;
  readonly accepted: boolean;
}

/**
 * Addresses that the grammar of RFC 5322 distinguishes, and those that Parley refuses although it allows
 * them.
 */
export const emailAddresses = (): readonly EmailAddress[] => all;

const label = "d".repeat(63);

const plain = [
  ...["a@b.example", "first.last@example.org", "a.b.c.d.e@example.org", "1@example.org"],
  ...["_@example.org", "-@example.org", "a+b@example.org", "a+@example.org", "+@example.org"],
  ...["a/b@example.org", "a=b@example.org", "a%b@example.org", "a`b@example.org", "~@example.org"],
  ...["#!$%&'*+-/=?^_`{}|~@example.org", "a@1.example.org", "a@1a.example", "a@b-c.example"],
  ...["a@b--c.example", "a@example.co", "a@example.museum", "a@a.b.c.d.e.f.g.example"],
  ...[`a@${label}.example`, `a@${label}.${label}.example`, `${"a".repeat(64)}@example.org`],
  ...["b@xn--bcher-kva.example", "0123456789@example.org", "a--b@example.org", "A@EXAMPLE.ORG"],
];

const refused = [
  // Missing or surplus parts.
  ...["", " ", "@", "a", "a@", "@b", "@b.example", "a@b", "a@b@c.example", "a@@b.example"],
  ...[
    "a.example",
    "a@.example",
    "a@example.",
    "a@example.org.",
    "a@.",
    "a@..",
    "@@",
    "a@b.example@",
  ],
  // Dots.
  ...[
    ".a@b.example",
    "a.@b.example",
    "a..b@b.example",
    ".@b.example",
    "a@b..example",
    "..@b.example",
  ],
  // Special characters and blanks.
  ...[
    "a b@c.example",
    "a @c.example",
    "a@ c.example",
    "a@c .example",
    " a@c.example",
    "a@c.example ",
  ],
  ...["a,b@c.example", "a;b@c.example", "a:b@c.example", "a<b@c.example", "a>b@c.example"],
  ...["a[b@c.example", "a]b@c.example", "a(b@c.example", "a)b@c.example", "a\\b@c.example"],
  ...[
    'a"b@c.example',
    '"@c.example',
    '"a@c.example',
    'a"@c.example',
    '""a@c.example',
    'a""@c.example',
  ],
  ...[
    "a@b,c.example",
    "a@b;c.example",
    "a@b:c.example",
    "a@b<c.example",
    "a@b(c.example",
    "a@b\\c.example",
  ],
  ...[
    "a@b_c.example",
    "a@b!c.example",
    "a@b#c.example",
    "a@b&c.example",
    "a@b+c.example",
    "a@b*c.example",
  ],
  // Quoted parts, which are in the grammar but which mail servers do not support.
  ...['""@b.example', '"a"@b.example', '"a b"@c.example', '"a@b"@c.example', '"a\\"b"@c.example'],
  ...[
    '"a".b@c.example',
    'a."b"@c.example',
    '"a"."b"@c.example',
    '"\\a"@b.example',
    '"a\\\\"@b.example',
  ],
  // Comments and folding.
  ...["(x)a@b.example", "a(x)@b.example", "a@(x)b.example", "a@b.example(x)", "a@b(x).example"],
  ...["a.(x)b@c.example", "((x))a@b.example", "a@b.example (x)", "(a@b.example", "a@b.example)"],
  ...[
    "a\r\n @b.example",
    "a@\r\n b.example",
    "\r\n a@b.example",
    "a@b.example\r\n ",
    "a @ b . example",
  ],
  ...["a . b@c.example", "a\t.b@c.example", "a.\r\n b@c.example", "a@b\t.example", "a@b.example\t"],
  // Line ends, and text after them.
  ...["a@b.example\n", "a@b.example\r", "a@b.example\r\n", "\na@b.example", "a\nb@c.example"],
  ...[
    "a@b.example\r\nBcc: c@d.example",
    "a@b.example%0d%0aBcc:",
    "a@b.example\u2028",
    "a@b.example\u0085",
  ],
  // Control characters.
  ...[
    "a\0@b.example",
    "a@b\0.example",
    "a\x01@b.example",
    "a@b.example\x7f",
    '"\0"@b.example',
    "a\x1b@b.example",
  ],
  // Address literals, and texts that look like one.
  ...[
    "a@[192.0.2.1]",
    "a@[IPv6:2001:db8::1]",
    "a@[IPv6:::]",
    "a@[]",
    "a@[x]",
    "a@[192.0.2]",
    "a@192.0.2.1",
  ],
  ...[
    "a@[RFC-5322-domain-literal]",
    "a@[192.0.2.1",
    "a@192.0.2.1]",
    "a@[IPv6:1::2::3]",
    "a@2001:db8::1",
  ],
  // Domains.
  ...[
    "a@-b.example",
    "a@b-.example",
    "a@b.-example",
    "a@b.example-",
    "a@-.example",
    "a@b.1",
    "a@b.12",
  ],
  ...[`a@${label}d.example`, `${"a".repeat(65)}@b.example`, `a@${`${label}.`.repeat(4)}example`],
  ...["a@xn--.example", "a@xn--a-.example", "a@localhost", "a@example", "root@"],
  // More than an address.
  ...["Ann <a@b.example>", "<a@b.example>", "mailto:a@b.example", "a@b.example, c@d.example"],
  ...[
    "a@b.example;c@d.example",
    "a@b.example c@d.example",
    "Ann: a@b.example;",
    "@relay.example:a@b.example",
  ],
  ...["a%b.example@", "a@b.example?subject=x", "a@b.example/x", "a@b.example#x", "a@b.example:25"],
];

const all: readonly EmailAddress[] = [
  ...plain.map((address) => ({ address, accepted: true })),
  ...refused.map((address) => ({ address, accepted: false })),
];
