import type { Quality } from "../../../contract/kit/plain.ts";

/** The texts about connections, and about what people choose for a meeting and for themselves. */
export const meetControls = {
  enteredMuted: "Your microphone is off: in this meeting people enter with the microphone off.",
  muteOnEntry: "Turn microphones off on entry",
  allowOnEntry: "Let people enter with the microphone on",
  hideSelf: "Hide my own picture from me",
  showSelf: "Show my own picture to me",
  fullScreen: (name: string) => `Show ${name} on the full screen`,
  leaveFullScreen: "Leave the full screen",
  endMore: "Ways to end",
  leaveOnly: "Leave, and let the others go on",
  quality: {
    good: "good connection",
    fair: "fair connection",
    poor: "poor connection",
  } satisfies Record<Quality, string>,
  own: {
    loss: "Your connection is losing sound and video. Move closer to the router, use a cable, or turn your camera off.",
    delay:
      "Your connection is slow, so others hear you late. Stop downloads, turn off your VPN, or turn your camera off.",
    computer:
      "Your device is too busy to send a good picture. Close other programs, or turn your camera off.",
  },
  testSpeaker: "Test the speaker",
  testing: "You should hear three tones. If not, choose another speaker or turn up the volume.",
  untested: "The sound could not be played. Choose another speaker.",
  noLevel: "Turn the microphone on to see its level.",
  recordingKept: "The recording is saved. Hosts of the room find it in Parley under Recordings.",
  stream: {
    title: "Stream the meeting live?",
    help: "People who are not in the meeting can then see and hear it.",
    begins: "The live stream begins",
    link: "People watch at this link, with “Watch the live stream”. It takes some seconds to begin.",
    linkTitle: "The viewers’ link",
    sentBegins:
      "Viewers watch where the room’s streaming service shows it. It takes some seconds to begin.",
    copy: "Copy the link",
    close: "Close",
  },
  after: {
    rooms: "My rooms",
    recordings: "Recordings",
    rate: "How good was the connection?",
    stars: (count: number) => (count === 1 ? "1 star" : `${count} stars`),
    rated: "Thank you.",
    unrated: "Your rating could not be saved.",
  },
};
