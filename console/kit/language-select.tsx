import { NativeSelect } from "@mantine/core";
import { language, t } from "../texts/index.ts";
import { chooseLanguage, nameOfLanguage, offeredLanguages } from "./language.ts";

/** The choice of the page's language, where there are several; small without a label. */
export const LanguageSelect = ({ label }: { readonly label?: string }) =>
  offeredLanguages.length < 2 ? null : (
    <NativeSelect
      {...(label === undefined ? { size: "xs", "aria-label": t.guest.language } : { label })}
      value={language}
      data={offeredLanguages.map((value) => ({ value, label: nameOfLanguage(value) }))}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    />
  );
