import { Button, Title } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { t } from "../texts/index.ts";
import { FailureNote } from "./failure-note.tsx";
import css from "./form.module.css";
import type { useForm } from "./form.ts";
import { useBarHeight } from "./use-bar-height.ts";

type Form = ReturnType<typeof useForm<object>>;

interface GroupProps {
  readonly id?: string;
  readonly title: string;
  readonly help?: string;
  /** The values of a folded group in one line; its title unfolds it. */
  readonly folded?: string | undefined;
  /** The content that people must see in a folded group: it unfolds when this becomes another object. */
  readonly opens?: object | undefined;
  readonly children: ReactNode;
}

/** Related settings, under a title that shows their values. */
const FoldedGroup = ({ id, title, folded, opens, children }: GroupProps) => {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (opens !== undefined) setOpen(true);
  }, [opens]);
  return (
    <details
      className={`card ${css.folded}`}
      id={id}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Title order={2} size="h5">
          {title}
        </Title>
        <span className="dimmed small">{folded}</span>
      </summary>
      <div className={css.fields}>{children}</div>
    </details>
  );
};

/** Related settings, with title and help beside them, or folded. */
export const FormGroup = (props: GroupProps) =>
  props.folded === undefined ? <OpenGroup {...props} /> : <FoldedGroup {...props} />;

const OpenGroup = ({ id, title, help, children }: GroupProps) => (
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

interface EditFormProps {
  readonly form: Pick<Form, "element" | "dirty" | "errors" | "failure">;
  readonly save: string;
  readonly cancelTo: string;
  /** True if the form creates something: nothing is unsaved before the first change. */
  readonly isNew: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A page's form: its groups, and below them the bar with its buttons. */
export const EditForm = ({ form, isNew, onSubmit, children, ...bar }: EditFormProps) => (
  <form
    ref={form.element}
    className={css.form}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
    // Of a long text, browsers show only the line with the cursor.
    onKeyUp={({ key, target }) => {
      if (key === "Tab") (target as Element).scrollIntoView({ block: "nearest" });
    }}
  >
    {children}
    <SaveBar
      {...bar}
      dirty={form.dirty}
      isNew={isNew}
      errors={Object.keys(form.errors).length}
      failure={form.failure}
    />
  </form>
);

interface SaveBarProps extends Pick<EditFormProps, "save" | "cancelTo" | "isNew" | "busy"> {
  readonly dirty: boolean;
  readonly errors: number;
  readonly failure: unknown;
}

/**
 * A form's buttons, always in sight, and whether there are unsaved changes. base.css keeps the
 * focus from hiding behind it.
 */
const SaveBar = ({ save, cancelTo, dirty, isNew, busy, errors, failure }: SaveBarProps) => (
  <div className={css.bar} ref={useBarHeight<HTMLDivElement>()} data-save-bar>
    <FailureNote failure={failure} className={css.failure} />
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
