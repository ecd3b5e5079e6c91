import { Button, Title } from "@mantine/core";
import { endSession, setupNeeded } from "../kit/session.ts";
import { t } from "../texts/index.ts";
import { Passkeys } from "./passkeys.tsx";
import css from "./second-factor.module.css";
import { SecondFactor } from "./second-factor.tsx";

const texts = t.secondFactor;
const goOn = () => setupNeeded.set({ isNeeded: false });

/** For a person whose organization demands a second factor: nothing else opens before it is set up. */
export const SetUpPage = () => (
  <main className={css.page}>
    <Title order={1} size="h3">
      {texts.demandedTitle}
    </Title>
    <p>{texts.demandedHelp}</p>
    <Passkeys onSetUp={goOn} />
    <SecondFactor onSetUp={goOn} />
    <Button variant="subtle" onClick={() => void endSession()}>
      {t.account.signOut}
    </Button>
  </main>
);
