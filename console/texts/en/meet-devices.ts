/** The texts about this person's devices. */
export const meetDevices = {
  title: "Devices",
  microphone: "Microphone",
  camera: "Camera",
  speaker: "Speaker",
  usual: "Default",
  unnamed: (index: number) => `Device ${index}`,
  level: "Level of your microphone",
  silent: {
    audio: {
      muted:
        "Nobody hears you: your microphone is muted outside this page, by a key on a headset, a privacy switch or a call. Unmute it there.",
      empty:
        "Nobody hears you: nothing comes from your microphone. Check its switch, or choose another one.",
    },
    video: {
      muted:
        "Nobody sees you: nothing comes from your camera. Check its switch, and whether another program uses it.",
    },
  },
  problems: {
    both: {
      denied:
        "Your browser is blocking the microphone and the camera. Allow them in the address bar, then turn them on.",
      missing: "No microphone and no camera were found.",
      insecure:
        "Browsers allow the microphone and the camera only on pages with https. Tell the person who invited you.",
    },
    audio: {
      denied:
        "Your browser is blocking the microphone. Allow it in the address bar, then turn it on.",
      missing: "No microphone was found.",
      busy: "The microphone cannot be opened. Another program may be using it.",
      insecure:
        "Browsers allow the microphone only on pages with https. Tell the person who invited you.",
      unplugged: "The microphone was unplugged.",
      unsent:
        "The others cannot hear you: sending sound failed. Turn your microphone on to try again.",
    },
    video: {
      denied: "Your browser is blocking the camera. Allow it in the address bar, then turn it on.",
      missing: "No camera was found.",
      busy: "The camera cannot be opened. Another program may be using it.",
      insecure:
        "Browsers allow the camera only on pages with https. Tell the person who invited you.",
      unplugged: "The camera was unplugged.",
      unsent: "The others cannot see you: sending video failed. Turn your camera on to try again.",
    },
  },
};
