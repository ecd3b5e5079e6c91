import { Loader } from "@mantine/core";
import css from "../../styles/message.module.css";
import { m } from "../../texts/meet.ts";
import { useMeeting } from "../connection.ts";
import { Heading } from "../parts/heading.tsx";

/** After a reload: the page returns to its meeting by itself. */
export const ReturningPage = () => {
  const { invitation } = useMeeting();
  return (
    <main className={css.page}>
      <div className={css.box}>
        <Loader size="3rem" className={css.mark ?? ""} aria-hidden />
        <p className="dimmed small">
          <bdi>{invitation?.name}</bdi>
        </p>
        <Heading>{m.returning.title}</Heading>
        <p className="dimmed" role="status">
          {m.returning.help}
        </p>
      </div>
    </main>
  );
};
