import { NativeSelect } from "@mantine/core";
import { language, t } from "../texts/index.ts";
import { chooseLanguage, nameOfLanguage, offeredLanguages } from "./language.ts";

/** The choice of the page's language, where there are several. */
export const LanguageSelect = () =>
  offeredLanguages.length < 2 ? null : (
    <NativeSelect
      size="xs"
      aria-label={t.guest.language}
      value={language}
      data={offeredLanguages.map((value) => ({ value, label: nameOfLanguage(value) }))}
      onChange={(event) => chooseLanguage(event.currentTarget.value)}
    />
  );
