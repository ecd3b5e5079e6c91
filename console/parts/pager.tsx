import { ActionIcon, NativeSelect } from "@mantine/core";
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { type Pagination, pageSizes } from "../../contract/pages.ts";
import css from "../styles/pager.module.css";
import { t } from "../texts/index.ts";

interface PagerProps {
  readonly pagination: Pagination;
  /** A number of rows with its noun, such as "2 rooms". */
  readonly what: (count: number) => string;
  readonly onPage: (page: number) => void;
  readonly onLimit: (limit: number) => void;
}

interface StepProps {
  readonly label: string;
  readonly icon: ComponentType<{ readonly size?: number }>;
  readonly to: number;
  readonly off: boolean;
  readonly onPage: (page: number) => void;
}

/** Never `disabled`: on the last page the focus would be lost. */
const Step = ({ label, icon: Icon, to, off, onPage }: StepProps) => (
  <ActionIcon
    variant="subtle"
    color="gray"
    size="lg"
    aria-label={label}
    aria-disabled={off}
    className={css.step ?? ""}
    onClick={() => {
      if (!off) onPage(to);
    }}
  >
    <Icon size={18} />
  </ActionIcon>
);

/** Which rows are shown, and links to the other pages. */
export const Pager = ({ pagination, what, onPage, onLimit }: PagerProps) => {
  const { page, limit, total, totalPages } = pagination;
  const from = (page - 1) * limit + 1;
  const to = Math.min(page * limit, total);
  return (
    <div className={css.pager}>
      <span className="dimmed small figures" aria-live="polite">
        {t.table.range(from, to, what(total))}
      </span>
      <div className={css.right}>
        <NativeSelect
          size="xs"
          aria-label={t.table.pageSize}
          value={limit}
          onChange={(event) => onLimit(Number(event.currentTarget.value))}
          data={pageSizes.map((size) => ({ value: String(size), label: t.table.perPage(size) }))}
        />
        <nav className={css.steps} aria-label={t.table.pages}>
          <Step
            label={t.table.first}
            icon={IconChevronsLeft}
            to={1}
            off={page <= 1}
            onPage={onPage}
          />
          <Step
            label={t.table.previous}
            icon={IconChevronLeft}
            to={page - 1}
            off={page <= 1}
            onPage={onPage}
          />
          <span className="small figures">{t.table.page(page, Math.max(totalPages, 1))}</span>
          <Step
            label={t.table.next}
            icon={IconChevronRight}
            to={page + 1}
            off={page >= totalPages}
            onPage={onPage}
          />
          <Step
            label={t.table.last}
            icon={IconChevronsRight}
            to={totalPages}
            off={page >= totalPages}
            onPage={onPage}
          />
        </nav>
      </div>
    </div>
  );
};
