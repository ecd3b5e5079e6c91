import { type MantineColorSchemeManager, MantineProvider } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { language } from "../texts/index.ts";
import { theme } from "../theme/theme.ts";
import { chosen } from "./account.ts";

let unsubscribe = (): void => {};

/** The scheme of the account that this browser remembers. */
const byAccount: MantineColorSchemeManager = {
  get: () => chosen.get().colorScheme,
  set: () => {},
  subscribe: (onUpdate) => {
    unsubscribe = chosen.subscribe(() => onUpdate(chosen.get().colorScheme));
  },
  unsubscribe: () => unsubscribe(),
  clear: () => {},
};

interface ThemedProps {
  readonly children: ReactNode;
  /** The scheme that the page has in any case; by default that of the account. */
  readonly scheme?: "light" | "dark" | undefined;
}

/** Colors, sizes and language of every page. */
export const Themed = ({ children, scheme }: ThemedProps) => {
  useEffect(() => {
    document.documentElement.lang = language;
  }, []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={byAccount}
      {...(scheme && { forceColorScheme: scheme })}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
};
