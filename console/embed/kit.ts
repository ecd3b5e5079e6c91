/*
 * The kit that shows a meeting in another page: `<parley-meeting>`, and the same as a function. It stands
 * alone: the service serves it as /embed.js, and the client package has it as parley-client/embed.
 */

import {
  type Appearance,
  type EmbedCode,
  type FromMeeting,
  type Hideable,
  hideable,
  type MeetingErrorCode,
  type MeetingEventName,
  type MeetingEvents,
  type MeetingLayout,
  type MeetingMethod,
  type MeetingMethods,
  PROTOCOL,
  type Theme,
  type ToMeeting,
  themes,
} from "./protocol.ts";

export type {
  EmbeddedPerson,
  Hideable,
  LeftReason,
  MeetingErrorCode,
  MeetingEventName,
  MeetingEvents,
  MeetingLayout,
  MeetingMethod,
  MeetingMethods,
  PersonEvent,
  Theme,
} from "./protocol.ts";

const TAG = "parley-meeting";
/** A loaded frame that has not answered for this long shows no meeting, in milliseconds. */
const PATIENCE = 15_000;
/** The permissions that a page in the frame gets, if the page around it has them. */
const ALLOW =
  "camera; microphone; display-capture; autoplay; fullscreen; clipboard-write; screen-wake-lock";

const texts = {
  invalid_address: "The address is not that of a meeting.",
  unreachable:
    "The frame does not answer: the service is away, or EMBED_ORIGINS does not name the origin of this page.",
  wrong_version: "The kit and the service do not fit together: use the service's own embed.js.",
  gone: "The frame was removed or loaded again.",
} as const satisfies { readonly [C in EmbedCode]?: string };
type OwnCode = keyof typeof texts;

/** Why a method of an embedded meeting has failed. */
export class MeetingError extends Error {
  override readonly name = "MeetingError";
  readonly code: MeetingErrorCode;

  constructor(code: MeetingErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const errorOf = (code: OwnCode): MeetingError => new MeetingError(code, texts[code]);

interface Call {
  readonly message: ToMeeting;
  readonly settle: (failure?: MeetingError) => void;
}

/** An element whose events have types. */
interface MeetingElement {
  new (): {
    addEventListener<K extends MeetingEventName>(
      type: K,
      listener: (event: CustomEvent<MeetingEvents[K]>) => void,
      options?: boolean | AddEventListenerOptions,
    ): void;
    removeEventListener<K extends MeetingEventName>(
      type: K,
      listener: (event: CustomEvent<MeetingEvents[K]>) => void,
      options?: boolean | EventListenerOptions,
    ): void;
  } & HTMLElement;
}

// On a server there are no elements, and this module is only imported.
const Base = (globalThis.HTMLElement ?? class {}) as MeetingElement;

/** Wide and high enough by itself; the page's own styles take precedence. */
const STYLE = `:host { display: block; width: 100%; height: 40rem }
:host([hidden]) { display: none }
iframe { display: block; width: 100%; height: 100%; border: 0 }`;

const address = new Set(["address", "invitation", "language"]);

/** A meeting in a frame: `<parley-meeting address="https://meet.example.org/m/CODE">`. */
export class ParleyMeeting extends Base implements MeetingMethods {
  static readonly observedAttributes = [...address, "name", "theme", "hide", "label"];

  #frame: HTMLIFrameElement | undefined;
  /** The origin of the meeting: nothing is sent to another one, and nothing heard from it. */
  #origin = "";
  #isOpen = false;
  #isGoing = false;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  /** Calls without an answer, and those that wait for the frame. */
  readonly #calls = new Map<number, Call>();

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    const frame = document.createElement("iframe");
    this.#frame = frame;
    frame.allow = ALLOW;
    frame.addEventListener("load", () => this.#wait());
    addEventListener("message", this.#hear);
    root.replaceChildren(frame);
    this.#name();
    this.#go();
  }

  /** `moveBefore` keeps the frame, and with it the meeting; any other move loads it again. */
  connectedMoveCallback(): void {}

  disconnectedCallback(): void {
    removeEventListener("message", this.#hear);
    this.#origin = "";
    this.#close("gone");
    this.#frame?.remove();
    this.#frame = undefined;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (this.#frame === undefined || before === now) return;
    if (name === "label") this.#name();
    else if (address.has(name)) this.#go();
    else if (this.#isOpen) this.#sendAppearance();
  }

  mute(): Promise<void> {
    return this.#call("mute");
  }
  unmute(): Promise<void> {
    return this.#call("unmute");
  }
  startCamera(): Promise<void> {
    return this.#call("startCamera");
  }
  stopCamera(): Promise<void> {
    return this.#call("stopCamera");
  }
  startShare(): Promise<void> {
    return this.#call("startShare");
  }
  stopShare(): Promise<void> {
    return this.#call("stopShare");
  }
  raiseHand(): Promise<void> {
    return this.#call("raiseHand");
  }
  lowerHand(): Promise<void> {
    return this.#call("lowerHand");
  }
  setLayout(layout: MeetingLayout): Promise<void> {
    return this.#call("setLayout", layout);
  }
  startRecording(): Promise<void> {
    return this.#call("startRecording");
  }
  stopRecording(): Promise<void> {
    return this.#call("stopRecording");
  }
  leave(): Promise<void> {
    return this.#call("leave");
  }
  end(): Promise<void> {
    return this.#call("end");
  }

  /** The name of the frame for screen readers. */
  #name(): void {
    if (this.#frame) this.#frame.title = this.getAttribute("label") ?? "Meeting";
  }

  /** Opens the address once the attributes that belong together are set. */
  #go(): void {
    if (this.#isGoing) return;
    this.#isGoing = true;
    queueMicrotask(() => {
      this.#isGoing = false;
      if (this.#frame) this.#open(this.#frame);
    });
  }

  #open(frame: HTMLIFrameElement): void {
    const given = this.getAttribute("address");
    const base = document.baseURI;
    const url = given && URL.canParse(given, base) ? new URL(given, base) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      this.#origin = "";
      // Without this the meeting would go on in the frame.
      frame.src = "about:blank";
      this.#fail("invalid_address");
      return;
    }
    const invitation = this.getAttribute("invitation");
    const language = this.getAttribute("language");
    if (invitation) url.hash = invitation;
    if (language) url.searchParams.set("lang", language);
    // Changed and changed back: the browser would not load it again.
    if (frame.src === url.href) return;
    // Calls that wait for the page are meant for the one that is opened now.
    if (this.#isOpen) this.#close("gone");
    this.#origin = url.origin;
    // Until the page knows how it is to look.
    frame.style.opacity = "0";
    frame.src = url.href;
  }

  /** A loaded page that is a meeting answers soon, also if the frame has gone to another page. */
  #wait(): void {
    clearTimeout(this.#patience);
    if (this.#origin === "") return;
    if (this.#isOpen) this.#sendAppearance();
    this.#patience = setTimeout(() => this.#fail("unreachable"), PATIENCE);
  }

  readonly #hear = ({ source, origin, data }: MessageEvent): void => {
    if (source === null || source !== this.#frame?.contentWindow) return;
    if (origin !== this.#origin || typeof data?.parley !== "number") return;
    const message = data as FromMeeting;
    if (message.parley !== PROTOCOL) {
      this.#fail("wrong_version");
      return;
    }
    switch (message.type) {
      case "ready":
        // The page in the frame was loaded again.
        if (this.#isOpen) this.#close("gone");
        this.#sendAppearance();
        break;
      case "welcome":
        this.#welcome();
        break;
      case "answer": {
        const { id, failure } = message;
        this.#calls.get(id)?.settle(failure && new MeetingError(failure.code, failure.message));
        break;
      }
      case "event":
        this.dispatchEvent(new CustomEvent(message.name, { detail: message.detail }));
        break;
    }
  };

  #welcome(): void {
    clearTimeout(this.#patience);
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#show();
    for (const { message } of this.#calls.values()) this.#post(message);
  }

  #show(): void {
    if (this.#frame) this.#frame.style.opacity = "";
  }

  /** Nothing more is to be heard from the page that was in the frame. */
  #close(code: OwnCode): void {
    clearTimeout(this.#patience);
    this.#isOpen = false;
    for (const { settle } of [...this.#calls.values()]) settle(errorOf(code));
  }

  #fail(code: OwnCode): void {
    this.#close(code);
    // The browser's answer in the frame.
    this.#show();
    const detail: MeetingEvents["error"] = { code, message: texts[code] };
    this.dispatchEvent(new CustomEvent("error", { detail }));
  }

  #call(method: MeetingMethod, input?: unknown): Promise<void> {
    if (this.#frame === undefined) return Promise.reject(errorOf("gone"));
    this.#lastId += 1;
    const id = this.#lastId;
    const message: ToMeeting = { parley: PROTOCOL, type: "call", id, method, input };
    return new Promise((resolve, reject) => {
      const settle = (failure?: MeetingError): void => {
        this.#calls.delete(id);
        if (failure) reject(failure);
        else resolve();
      };
      this.#calls.set(id, { message, settle });
      if (this.#isOpen) this.#post(message);
    });
  }

  #sendAppearance(): void {
    const asked = (this.getAttribute("hide") ?? "").split(/[\s,]+/);
    const theme = this.getAttribute("theme");
    const appearance: Appearance = {
      name: this.getAttribute("name") ?? "",
      theme: themes.find((one) => one === theme) ?? "auto",
      hide: hideable.filter((one) => asked.includes(one)),
    };
    this.#post({ parley: PROTOCOL, type: "appearance", appearance });
  }

  #post(message: ToMeeting): void {
    const target = this.#frame?.contentWindow;
    if (message.type === "call" && message.method === "startShare") {
      // The click was in this page, and the frame needs it: where the browser can, it is passed on.
      const options = { targetOrigin: this.#origin, delegate: "display-capture" };
      try {
        target?.postMessage(message, options);
        return;
      } catch {
        // There was no click.
      }
    }
    target?.postMessage(message, this.#origin);
  }
}

/** The options of `embedMeeting`: the attributes of the element, and listeners. */
export interface EmbedOptions {
  /** The link of the room, or the `joinUrl` of an invitation. */
  readonly address: string;
  /** The `sessionToken` of an invitation, unless it is in the address. */
  readonly invitation?: string;
  /** The name with which the entry form begins; an invitation names the person itself. */
  readonly name?: string;
  /** A language tag, such as "de"; by default the browser's language. */
  readonly language?: string;
  readonly theme?: Theme;
  readonly hide?: readonly Hideable[];
  /** The name of the frame for screen readers; "Meeting" by default. */
  readonly label?: string;
  readonly on?: { readonly [K in MeetingEventName]?: (detail: MeetingEvents[K]) => void };
}

/** Shows a meeting in an element of this page; `remove()` of what it returns takes it away. */
export const embedMeeting = (
  container: Element,
  { on = {}, hide = [], ...attributes }: EmbedOptions,
): ParleyMeeting => {
  const meeting = document.createElement(TAG) as ParleyMeeting;
  for (const [name, value] of Object.entries({ ...attributes, hide: hide.join(" ") })) {
    if (value !== undefined) meeting.setAttribute(name, value);
  }
  for (const [name, listener] of Object.entries(on)) {
    meeting.addEventListener(name, (event: Event) =>
      (listener as (detail: unknown) => void)((event as CustomEvent).detail),
    );
  }
  container.append(meeting);
  return meeting;
};

declare global {
  interface HTMLElementTagNameMap {
    "parley-meeting": ParleyMeeting;
  }
}

if (globalThis.customElements && !customElements.get(TAG))
  customElements.define(TAG, ParleyMeeting);
