import { Button, NativeSelect, Skeleton } from "@mantine/core";
import { IconChartBar, IconDownload } from "@tabler/icons-react";
import { usageSteps } from "../../contract/organization/usage.ts";
import { roomTypes } from "../../contract/rooms/settings.ts";
import { ownTimeZone, useUsage } from "../data/usage.ts";
import { parley } from "../kit/client.ts";
import { DayFilter } from "../kit/day-filter.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { useFileSave } from "../kit/save-file.ts";
import { SearchBox } from "../kit/search-box.tsx";
import { dayOf } from "../kit/show.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Toolbar } from "../kit/toolbar.tsx";
import { sayRoomWord } from "../kit/words.ts";
import { t } from "../texts/index.ts";
import { PeopleList, RoomList, type UsageFilter } from "./lists.tsx";
import { Plots } from "./plots.tsx";
import css from "./usage.module.css";

const texts = t.usage;
const NO_SORT = ["day"] as const;
const NO_FILTER = { tag: "", roomType: "", from: "", to: "" };
const isDay = (day: string): boolean => /^\d{4}-\d\d-\d\d$/.test(day);

/** How much the organization is used: plots by day, week or month, and the busiest rooms and people. */
export const UsagePage = () => {
  const { change, params } = useTableState(NO_SORT);
  const by = usageSteps.find((one) => one === params.get("by")) ?? "day";
  const roomType = roomTypes.find((one) => one === params.get("roomType"));
  const tag = params.get("tag") ?? "";
  const [from, to] = [params.get("from") ?? "", params.get("to") ?? ""];
  const filter: UsageFilter = {
    timeZone: ownTimeZone(),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(roomType && { roomType }),
    ...(tag && { tag }),
  };
  const { data, error, refetch, isPlaceholderData } = useUsage({ ...filter, by });
  const { busy, save } = useFileSave();
  const isFiltered = [roomType, tag, from, to].some(Boolean);
  const isEmpty = data && data.total.meetings + data.total.refused + data.total.bytes === 0;

  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={16} />}
            loading={busy}
            onClick={async () => {
              const ask = () => parley.downloadUsage({ ...filter, by });
              if (await save(`usage-${dayOf()}.csv`, ask)) notify({ text: texts.downloaded });
            }}
          >
            {texts.download}
          </Button>
        }
      />
      <div className={css.page}>
        <div className="card">
          <Toolbar
            search={
              <SearchBox
                label={texts.filters.tag}
                value={tag}
                onSearch={(next) => change({ tag: next }, { replace: true })}
              />
            }
          >
            <NativeSelect
              aria-label={texts.filters.by}
              value={by}
              onChange={({ currentTarget: { value } }) =>
                change({ by: value === "day" ? "" : value })
              }
              data={usageSteps.map((value) => ({ value, label: texts.filters.steps[value] }))}
            />
            <NativeSelect
              aria-label={texts.filters.type}
              value={roomType ?? ""}
              onChange={({ currentTarget: { value } }) => change({ roomType: value })}
              data={[
                { value: "", label: texts.filters.anyType },
                ...roomTypes.map((value) => ({ value, label: sayRoomWord(value) })),
              ]}
            />
            <DayFilter
              label={t.table.from}
              value={from}
              onChange={(day) => change({ from: day })}
            />
            <DayFilter label={t.table.to} value={to} onChange={(day) => change({ to: day })} />
          </Toolbar>
          <p className={`dimmed small ${css.note}`} role="status">
            {texts.zone(data?.timeZone ?? ownTimeZone())}
            {data?.filling && ` ${texts.filling}`}
          </p>
        </div>
        {error ? (
          <div className="card">
            <Failed failure={error} retry={() => void refetch()} />
          </div>
        ) : data === undefined ? (
          <Skeleton height={420} radius="md" />
        ) : isEmpty ? (
          <div className="card">
            {isFiltered ? (
              <NoMatch
                title={texts.noMatch}
                help={texts.noMatchHelp}
                clear={() => change(NO_FILTER)}
              />
            ) : (
              <Blank icon={IconChartBar} title={texts.empty}>
                {texts.emptyHelp}
              </Blank>
            )}
          </div>
        ) : (
          <div data-stale={isPlaceholderData || undefined}>
            <Plots usage={data} />
          </div>
        )}
        <div className={css.lists} key={JSON.stringify(filter)}>
          <RoomList filter={filter} />
          <PeopleList filter={filter} />
        </div>
      </div>
    </>
  );
};
