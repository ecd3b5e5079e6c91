export const long = (length: number) => "x".repeat(length);
/** This many characters, twice as many UTF-16 units, four times as many bytes. */
const astral = (length: number) => "\u{1f3a5}".repeat(length);

/** The values that a kind of setting accepts, those that it refuses, and the phrase. */
interface Kind {
  readonly good: readonly unknown[];
  readonly bad: readonly (readonly [phrase: string, ...values: unknown[]])[];
}

const unstorable = [
  "must be text without U+0000 and unpaired surrogates",
  "a\0b",
  "a\ud800",
  "\udc00b",
] as const;

const text = (
  max: number,
  more: readonly unknown[] = ["", " ", "a\nb", "é", "e\u0301", null],
): Kind => ({
  good: [...more, long(max), astral(max)],
  bad: [
    [`must be text of at most ${max} characters`, long(max + 1), astral(max + 1), 1, true, [], {}],
    unstorable,
  ],
});
const word = (words: readonly string[], more: readonly unknown[] = []): Kind => ({
  good: [...words, ...more],
  bad: [
    [`must be one of ${words.join(", ")}`, "toString", words[0]?.toUpperCase(), `${words[0]} `],
  ],
});
const refusing = (phrase: string, ...values: unknown[]) => [phrase, ...values] as const;
const flag = (...bad: unknown[]): Kind => ({
  good: [true, false],
  bad: [refusing("must be true or false", 1, 0, null, "", "TRUE", "yes", [], {}, ...bad)],
});
const whole = (max: number): Kind => ({
  good: [0, 1, max],
  bad: [
    refusing(
      `must be a whole number from 0 to ${max}`,
      -1,
      0.5,
      max + 1,
      1e308,
      "1",
      "",
      null,
      true,
      [],
    ),
  ],
});
const list: Kind = {
  good: [[], [""], [long(200), astral(200)], Array(100).fill("x")],
  bad: [
    ["must be an array of text", "x", 1, null, {}],
    ["must have at most 100 entries", Array(101).fill("x")],
  ],
};

const url: Kind = {
  good: [
    ...[null, "", "rtmp://a/b", "RTMP://a/b", "rtmp://[::1]/app", `rtmp://a/${long(2039)}`],
    "rtmps://live.example.org:443/app?x=1",
  ],
  bad: [
    ["must be text of at most 2048 characters", `rtmp://a/${long(2040)}`, 1, false, []],
    [
      "must be an absolute URL, such as rtmps://live.example.org/app",
      ...["live", "//host/app", "http://", "javascript:alert(1)", "http://a b/", " rtmp://a"],
      ...["rtmp://a\r\nX: y", "http://a\tb/", "http://[::1/"],
    ],
    [
      "must begin with rtmp:// or rtmps:// and have a path, such as rtmps://live.example.org/app",
      ...["https://a/b", "srt://a/b", "rtmp://a", "rtmp://a/", "rtmp://a?x=1", "rtmps://a//"],
    ],
  ],
};

const date: Kind = {
  good: [
    null,
    "2026-01-31T09:30:00Z",
    "2024-02-29T00:00:00.123Z",
    "2026-01-31T09:30:00+05:45",
    "2026-12-31T23:59:59-11:00",
  ],
  bad: [
    [
      "must be a date and time with offset, such as 2026-01-31T09:30:00Z",
      "",
      "2026-01-31",
      "2026-01-31T09:30:00",
      "2026-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-01-31T25:00:00Z",
      "2026-01-31 09:30:00Z",
      "tomorrow",
      1769851800,
      true,
      [],
    ],
  ],
};

const flags = [
  "isStatic",
  "enableScreenSharing",
  "enableChatOption",
  "enableRecording",
  "recordModerator",
  "recordParticipant",
  "enableTranscription",
  "enableLiveStreaming",
  "enableRTMPStreaming",
  "authenticationRequired",
  "participantPrivacy",
  "roomPermaLink",
  "enablePresenters",
  "participantVideoPrivacy",
  "acceptIpCameras",
  "isParticipantAllowedToAddIpCam",
  "isViewerAllowedToAddIpCam",
];
const numbers = ["noOfModerators", "noOfParticipants", "noOfViewers", "noOfUpgradeRequests"];
const notes = [
  "participantType",
  "ipCam1",
  "ipCamAdderess1",
  "ipCamName2",
  "ipAdderess2",
  "camera",
  "mic",
  "speaker",
  "cameraMic",
];
const of = (fields: readonly string[], kind: Kind) => fields.map((field) => [field, kind] as const);

/** Every setting and the name of a room, according to interface.md and the length limits. */
export const settings: readonly (readonly [field: string, kind: Kind])[] = [
  [
    "name",
    {
      good: ["a", " a ", long(200), astral(200), "e\u0301", "\u{1f468}\u200d\u{1f469}"],
      bad: [
        ["must be text of 1 to 200 characters", long(201), astral(201), 1, true, [], {}],
        ["is required.", "", "  ", null],
        unstorable,
      ],
    },
  ],
  ["roomType", word(["p2p", "conferencing", "event"])],
  ["recordingFormat", word(["hls", "mp4"])],
  ["recordingStrategy", word(["mergedA", "mergedAV", "AmergedAV"], [null])],
  ["recordingResolutions", { good: [null, [], ["480p"], ["2160p", "1080p", "480p"]], bad: [] }],
  ["roomPassword", text(128)],
  ["liveStreamKey", text(512)],
  ["roomAgenda", text(4000)],
  ["liveStreamUrl", url],
  ["scheduledDateTime", date],
  ["noOfIpCam", whole(1000)],
  ...of(["audioStatus", "videoStatus"], flag()),
  ...of(["ipCamNames", "ipCamUrl"], list),
  ...of(flags, flag("true", "false")),
  ...of(numbers, whole(1_000_000)),
  ...of(notes, text(200)),
];
