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

/** Colors, sizes and language of every page. */
export const Themed = ({ children }: { readonly children: ReactNode }) => {
  useEffect(() => {
    document.documentElement.lang = language;
  }, []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={byAccount}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
};
