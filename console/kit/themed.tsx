import { DirectionProvider, type MantineColorSchemeManager, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { directionOf } from "../../contract/kit/languages.ts";
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

/** Colors, sizes and direction of every page. */
export const Themed = ({ children, scheme }: ThemedProps) => {
  return (
    <DirectionProvider initialDirection={directionOf(language)} detectDirection={false}>
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
    </DirectionProvider>
  );
};
