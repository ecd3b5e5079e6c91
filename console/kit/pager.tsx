import { NativeSelect } from "@mantine/core";
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
} from "@tabler/icons-react";
import { type Pagination, pageSizes } from "../../contract/kit/pages.ts";
import { t } from "../texts/index.ts";
import css from "./pager.module.css";
import { PageStep } from "./step.tsx";

interface PagerProps {
  readonly pagination: Pagination;
  /** A number of rows with its noun, such as "2 rooms". */
  readonly what: (count: number) => string;
  readonly onPage: (page: number) => void;
  readonly onLimit: (limit: number) => void;
  /** The list's name, if a page has several. */
  readonly of?: string;
}

const looks = { variant: "subtle", color: "gray" } as const;

/** The range of shown rows, and links to the other pages. */
export const Pager = ({ pagination, what, onPage, onLimit, of }: PagerProps) => {
  const { page, limit, total, totalPages } = pagination;
  const from = (page - 1) * limit + 1;
  const to = Math.min(page * limit, total);
  return (
    <div className={css.pager}>
      <span className="dimmed small figures" aria-live="polite">
        {from === to ? t.table.rangeOne(from, what(total)) : t.table.range(from, to, what(total))}
      </span>
      <div className={css.right}>
        <NativeSelect
          size="xs"
          aria-label={t.table.pageSize}
          value={limit}
          onChange={(event) => onLimit(Number(event.currentTarget.value))}
          data={pageSizes.map((size) => ({ value: String(size), label: t.table.perPage(size) }))}
        />
        <nav
          className={css.steps}
          aria-label={of === undefined ? t.table.pages : t.table.pagesOf(of)}
        >
          <PageStep
            {...looks}
            label={t.table.first}
            icon={IconChevronsLeft}
            off={page <= 1}
            onStep={() => onPage(1)}
          />
          <PageStep
            {...looks}
            label={t.table.previous}
            icon={IconChevronLeft}
            off={page <= 1}
            onStep={() => onPage(page - 1)}
          />
          <span className="small figures">{t.table.page(page, Math.max(totalPages, 1))}</span>
          <PageStep
            {...looks}
            label={t.table.next}
            icon={IconChevronRight}
            off={page >= totalPages}
            onStep={() => onPage(page + 1)}
          />
          <PageStep
            {...looks}
            label={t.table.last}
            icon={IconChevronsRight}
            off={page >= totalPages}
            onStep={() => onPage(totalPages)}
          />
        </nav>
      </div>
    </div>
  );
};
