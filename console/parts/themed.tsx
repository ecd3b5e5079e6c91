import { type MantineColorSchemeManager, MantineProvider } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { language } from "../texts/index.ts";
import { theme } from "../theme.ts";

/** Light or dark follows the system's preference; nothing is stored. */
const bySystem: MantineColorSchemeManager = {
  get: (fallback) => fallback,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
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
      colorSchemeManager={bySystem}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
};
