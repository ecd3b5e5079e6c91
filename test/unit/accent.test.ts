import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { accentOf } from "../../console/theme/accent.ts";

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

test("text in and on an organization's color is readable in both schemes, whatever the color", () => {
  const hex = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(hex, (color) => {
      const { light, dark } = accentOf(color);
      for (const { filled, hover } of [light, dark]) {
        assert.ok(contrast(filled, "#ffffff") >= 4.5, `white on ${filled}`);
        assert.ok(contrast(hover, "#ffffff") >= 4.5, `white on ${hover}`);
      }
      for (const page of ["#ffffff", "#f7f8fa", "#f4f6f9"]) {
        assert.ok(contrast(light.text, page) >= 4.5, `${light.text} on ${page}`);
      }
      for (const page of ["#14161a", "#1b1e24", "#22262d"]) {
        assert.ok(contrast(dark.text, page) >= 4.5, `${dark.text} on ${page}`);
      }
    }),
  );
});

test("a readable color stays as it is", () => {
  assert.equal(accentOf("#3b5bb5").light.filled, "#3b5bb5");
});
