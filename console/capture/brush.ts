import { isolated } from "../../contract/kit/plain.ts";
import type { PictureSize } from "../../contract/meetings/capture-socket.ts";
import { initialsOf } from "../kit/show.ts";
import { isShownWhole } from "../meet/call/fit.ts";
import { personFill } from "../meet/call/person-color.ts";
import { m } from "../texts/meet.ts";
import { fontFamily } from "../theme/font.ts";
import { type Box, fill, fit } from "./layout.ts";
import type { Scene, Shown } from "./scene.ts";

/** The colors of the meeting page in dark mode. */
const colors = {
  wall: ["#1a1e26", "#0d0f13"],
  tile: ["#2b313b", "#20252d"],
  screen: "#0b0d10",
  label: "rgb(11 13 16 / 74%)",
  text: "#ffffff",
  dimmed: "#a5abb7",
  speaking: "#98b0e8",
} as const;

/** A crossed-out microphone, in a 24-unit square. */
const MUTED = new Path2D(
  "M9 5a3 3 0 0 1 6 0v5a3 3 0 0 1-.2 1M12.6 12.9A3 3 0 0 1 9 10V8.5M5 10a7 7 0 0 0 10.8 5.9m2-2A7 7 0 0 0 19 10M12 17v4M8.5 21h7M3 3l18 18",
);

/** Paints one picture of the meeting. */
export const paint = (
  pen: CanvasRenderingContext2D,
  { width, height }: PictureSize,
  { shown, more, roomName }: Scene,
  elementOf: (key: string) => HTMLVideoElement | undefined,
): void => {
  const unit = height / 1080;
  /** Smaller letters are unreadable, however small the picture. */
  const letters = (size: number): number => Math.max(13, size * unit);
  const font = (size: number, weight = 500) => {
    pen.font = `${weight} ${size}px ${fontFamily}`;
  };

  const shade = ({ y, height: tall }: Box, [from, to]: readonly [string, string]) => {
    const gradient = pen.createLinearGradient(0, y, 0, y + tall);
    gradient.addColorStop(0, from);
    gradient.addColorStop(1, to);
    return gradient;
  };
  const rounded = ({ x, y, width: wide, height: tall }: Box, radius: number): Path2D => {
    const path = new Path2D();
    path.roundRect(x, y, wide, tall, radius);
    return path;
  };

  const shorten = (text: string, most: number): string => {
    if (pen.measureText(text).width <= most) return text;
    const kept = [...text];
    while (kept.length > 1 && pen.measureText(`${kept.join("")}…`).width > most) kept.pop();
    return `${kept.join("").trimEnd()}…`;
  };

  const paintMuted = (x: number, y: number, size: number): void => {
    pen.save();
    pen.translate(x, y);
    pen.scale(size / 24, size / 24);
    pen.strokeStyle = colors.text;
    pen.lineWidth = 1.8;
    pen.lineCap = "round";
    pen.lineJoin = "round";
    pen.stroke(MUTED);
    pen.restore();
  };

  const paintLabel = (box: Box, text: string, isMuted: boolean): void => {
    const size = letters(27);
    const [pad, high] = [size * 0.5, size * 1.6];
    const inset = size * 0.4;
    const icon = isMuted ? size * 1.05 : 0;
    font(size);
    const most = box.width - 2 * (inset + pad) - icon;
    const said = shorten(text, most);
    const wide = pen.measureText(said).width + 2 * pad + icon;
    const [x, y] = [box.x + inset, box.y + box.height - inset - high];
    pen.fillStyle = colors.label;
    pen.fill(rounded({ x, y, width: wide, height: high }, size * 0.4));
    if (isMuted) paintMuted(x + pad * 0.7, y + (high - size) / 2, size);
    pen.fillStyle = colors.text;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(said, x + pad + icon, y + high / 2 + size * 0.04);
  };

  const paintInitials = ({ peer }: Shown, { x, y, width: wide, height: tall }: Box): void => {
    const radius = Math.min(wide, tall) * 0.21;
    const [middle, center] = [x + wide / 2, y + tall / 2];
    pen.fillStyle = personFill(peer.peerId);
    pen.beginPath();
    pen.arc(middle, center, radius, 0, 2 * Math.PI);
    pen.fill();
    font(radius * 0.78, 600);
    pen.fillStyle = colors.text;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(isolated(initialsOf(peer.peerName)), middle, center + radius * 0.05);
  };

  const paintPicture = (element: HTMLVideoElement, box: Box, isScreen: boolean): void => {
    const size = { width: element.videoWidth, height: element.videoHeight };
    if (isScreen || isShownWhole(size, box)) {
      const to = fit(size, box);
      pen.drawImage(element, to.x, to.y, to.width, to.height);
    } else {
      const from = fill(size, box);
      const { x, y, width: wide, height: tall } = box;
      pen.drawImage(element, from.x, from.y, from.width, from.height, x, y, wide, tall);
    }
  };

  const paintShown = (one: Shown): void => {
    const { box, kind, peer, picture, isSpeaking } = one;
    const outline = rounded(box, 18 * unit);
    pen.fillStyle = kind === "screen" ? colors.screen : shade(box, colors.tile);
    pen.fill(outline);
    const element = picture && elementOf(picture.key);
    const hasPicture = element !== undefined && element.readyState >= 2 && element.videoWidth > 0;
    pen.save();
    pen.clip(outline);
    if (hasPicture) paintPicture(element, box, kind === "screen");
    else if (kind === "person") paintInitials(one, box);
    pen.restore();
    if (isSpeaking) {
      const line = Math.max(2, 5 * unit);
      const { x, y, width: wide, height: tall } = box;
      const ring = {
        x: x + line / 2,
        y: y + line / 2,
        width: wide - line,
        height: tall - line,
      };
      pen.strokeStyle = colors.speaking;
      pen.lineWidth = line;
      pen.stroke(rounded(ring, 18 * unit - line / 2));
    }
    const own = isolated(peer.peerName);
    const name = peer.away ? `${own} · ${m.stage.away}` : own;
    if (kind === "screen") paintLabel(box, m.stage.shareOf(peer.peerName), false);
    else paintLabel(box, name, !peer.audio);
  };

  const paintMore = (box: Box, count: number): void => {
    pen.fillStyle = shade(box, colors.tile);
    pen.fill(rounded(box, 18 * unit));
    font(letters(56), 600);
    pen.fillStyle = colors.text;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(m.capture.more(count), box.x + box.width / 2, box.y + box.height / 2);
  };

  const paintNobody = (): void => {
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    font(letters(64), 600);
    pen.fillStyle = colors.text;
    pen.fillText(shorten(isolated(roomName), width * 0.86), width / 2, height / 2 - letters(36));
    font(letters(32), 400);
    pen.fillStyle = colors.dimmed;
    pen.fillText(m.capture.nobody, width / 2, height / 2 + letters(36));
  };

  pen.fillStyle = shade({ x: 0, y: 0, width, height }, colors.wall);
  pen.fillRect(0, 0, width, height);
  for (const one of shown) paintShown(one);
  if (more) paintMore(more.box, more.count);
  if (shown.length === 0) paintNobody();
};
