import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from "@mantine/core";
import { theme } from "./theme.ts";

/** Text colors that the library makes too pale for 4.5:1, and field borders for 3:1. */
const contrast = {
  light: {
    "--mantine-color-body": "#f7f8fa",
    "--mantine-color-dimmed": "#58606e",
    "--mantine-color-placeholder": "#666e7c",
    "--mantine-color-error": "#b42323",
    "--mantine-color-anchor": "#314d9d",
    "--mantine-color-default-border": "#e2e5ea",
    "--mantine-color-disabled-color": "#666e7c",
    "--parley-card": "#ffffff",
    "--parley-rail": "#ffffff",
    "--parley-hover": "#f4f6f9",
    "--parley-field-border": "#8b93a1",
    "--parley-ok": "#1c7a44",
    "--parley-warn": "#965700",
    "--parley-bad": "#b42323",
    "--parley-track": "#e6e9ef",
    "--parley-person-0": "#3b5bb5",
    "--parley-person-1": "#1c7a44",
    "--parley-person-2": "#96490d",
    "--parley-person-3": "#8a3b8f",
    "--parley-person-4": "#0f6e7c",
    "--parley-person-5": "#a3324f",
  },
  dark: {
    "--mantine-color-body": "#14161a",
    "--mantine-color-dimmed": "#a5abb7",
    "--mantine-color-placeholder": "#959ca9",
    "--mantine-color-error": "#ff8f8f",
    "--mantine-color-anchor": "#98b0e8",
    "--mantine-color-default-border": "#2e333b",
    "--mantine-color-disabled-color": "#959ca9",
    "--parley-card": "#1b1e24",
    "--parley-rail": "#181b20",
    "--parley-hover": "#22262d",
    "--parley-field-border": "#6e7684",
    "--parley-ok": "#63cf8f",
    "--parley-warn": "#f0b35a",
    "--parley-bad": "#ff8f8f",
    "--parley-track": "#2e333b",
    "--parley-person-0": "#98b0e8",
    "--parley-person-1": "#63cf8f",
    "--parley-person-2": "#f0b35a",
    "--parley-person-3": "#dca0e2",
    "--parley-person-4": "#62c8d8",
    "--parley-person-5": "#ff9db3",
  },
};

/** The theme as a stylesheet. */
export const themeVariables = (): string => {
  const resolved = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  return convertCssVariables({
    variables: resolved.variables,
    light: { ...resolved.light, ...contrast.light },
    dark: { ...resolved.dark, ...contrast.dark },
  });
};
