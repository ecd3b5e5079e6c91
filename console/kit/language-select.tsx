import { NativeSelect } from "@mantine/core";
import type { Language } from "../../contract/kit/languages.ts";
import { language, t } from "../texts/index.ts";
import { parley } from "./client.ts";
import { chooseLanguage, nameOfLanguage, offeredLanguages } from "./language.ts";
import { useSession } from "./session.ts";

/** The languages to choose from, by their own names. */
export const languageChoices = offeredLanguages.map((value) => ({
  value,
  label: nameOfLanguage(value),
}));

/** The choice of the page's language, where there are several; somebody who is signed in chooses for the account. */
export const LanguageSelect = () => {
  const isSignedIn = useSession().state === "signed in";
  const choose = async (chosen: string) => {
    // Where the service does not answer, the choice is this browser's.
    const isOfAccount =
      isSignedIn &&
      (await parley.editAccount({ language: chosen as Language }).then(
        () => true,
        () => false,
      ));
    chooseLanguage(chosen, { isOfAccount });
  };
  return offeredLanguages.length < 2 ? null : (
    <NativeSelect
      size="xs"
      aria-label={t.guest.language}
      value={language}
      data={languageChoices}
      onChange={(event) => void choose(event.currentTarget.value)}
    />
  );
};
