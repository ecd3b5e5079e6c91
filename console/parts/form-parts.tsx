import { Alert, Button, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { sayFailure } from "../data/client.ts";
import css from "../styles/form.module.css";
import { t } from "../texts/index.ts";
import { useBarHeight } from "./use-bar-height.ts";

interface GroupProps {
  readonly id?: string;
  readonly title: string;
  readonly help?: string;
  readonly children: ReactNode;
}

/** Settings that belong together, with a title and help beside them. */
export const FormGroup = ({ id, title, help, children }: GroupProps) => (
  <section className={`card ${css.group}`} id={id} aria-labelledby={id && `${id}-title`}>
    <div className={css.about}>
      <Title order={2} size="h5" id={id && `${id}-title`}>
        {title}
      </Title>
      {help && <p className="dimmed small">{help}</p>}
    </div>
    <div className={css.fields}>{children}</div>
  </section>
);

interface SaveBarProps {
  readonly save: string;
  readonly cancelTo: string;
  readonly dirty: boolean;
  /** Whether the form creates something: nothing is unsaved before the first change. */
  readonly isNew: boolean;
  readonly busy: boolean;
  readonly errors: number;
  readonly failure: unknown;
}

/** The buttons of a form, always in sight, and whether there are unsaved changes. */
export const SaveBar = ({ save, cancelTo, dirty, isNew, busy, errors, failure }: SaveBarProps) => (
  <div className={css.bar} ref={useBarHeight<HTMLDivElement>()} data-save-bar>
    {failure !== undefined && (
      <Alert color="red" variant="light" role="alert" className={css.failure ?? ""}>
        {sayFailure(failure)}
      </Alert>
    )}
    <span className={`small ${errors > 0 ? css.wrong : "dimmed"}`} role="status">
      {errors > 0 ? t.form.fix(errors) : dirty ? t.form.unsaved : isNew ? "" : t.form.saved}
    </span>
    <div className={css.buttons}>
      <Button component={Link} to={cancelTo} variant="default">
        {t.actions.cancel}
      </Button>
      <Button type="submit" loading={busy}>
        {save}
      </Button>
    </div>
  </div>
);
