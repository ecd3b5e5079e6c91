import { createTheme, type MantineColorsTuple } from "@mantine/core";
import { fontFamily } from "./font.ts";

const ink: MantineColorsTuple = [
  "#eef2fc",
  "#dde5f8",
  "#bccbf0",
  "#98b0e8",
  "#7c9ae2",
  "#5f80d6",
  "#4b6cc6",
  "#3b5bb5",
  "#314d9d",
  "#263d80",
];

const dark: MantineColorsTuple = [
  "#e7e9ed",
  "#c8ccd4",
  "#a5abb7",
  "#838a97",
  "#3d434d",
  "#2e333b",
  "#22262d",
  "#191c21",
  "#121418",
  "#0b0d10",
];

/** Colors and sizes; the build reads them too, and theme-variables.ts writes them as a stylesheet. */
export const theme = createTheme({
  primaryColor: "ink",
  // White text on shade 7 has a contrast above 4.5:1; the library's own shades do not.
  primaryShade: { light: 7, dark: 7 },
  colors: { ink, dark },
  black: "#1a1f29",
  fontFamily,
  headings: { fontFamily, fontWeight: "650" },
  defaultRadius: "md",
  respectReducedMotion: true,
  components: {
    // Help below the fields: fields side by side stay aligned, however long their help is.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] },
    },
    // The scroll lock writes a <style> element, which the Content-Security-Policy forbids;
    // base.css locks the page instead.
    Modal: {
      defaultProps: { lockScroll: false, transitionProps: { duration: 120 }, centered: true },
    },
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 120 } } },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 80 },
        shadow: "md",
      },
    },
    Tooltip: {
      defaultProps: { openDelay: 400, events: { hover: true, focus: true, touch: false } },
    },
  },
});
