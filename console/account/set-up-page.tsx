import { Button, Title } from "@mantine/core";
import { endSession, setupNeeded } from "../kit/session.ts";
import { t } from "../texts/index.ts";
import css from "./second-factor.module.css";
import { SecondFactor } from "./second-factor.tsx";

const texts = t.secondFactor;

/** For a person whose organization demands a second factor: nothing else opens before it is set up. */
export const SetUpPage = () => (
  <main className={css.page}>
    <Title order={1} size="h3">
      {texts.demandedTitle}
    </Title>
    <p>{texts.demandedHelp}</p>
    <SecondFactor onSetUp={() => setupNeeded.set({ isNeeded: false })} />
    <Button variant="subtle" onClick={() => void endSession()}>
      {t.account.signOut}
    </Button>
  </main>
);
