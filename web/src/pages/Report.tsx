import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/calls.js';
import {
  NARROWED_BY,
  isNarrowedBy,
  namesIn,
  reportOf,
  shareOf,
  writtenSpan,
  type NarrowedBy,
} from '../state/report.js';
import { Blank, Button, Choice, Section, cx, optionsOf } from '../parts/ui.js';
import type {
  EngagementDuration,
  EngagementFigures,
  EngagementGroup,
  EngagementGrouping,
  EngagementReport,
} from '../../../contracts/suspension/engagement.js';
import { visible } from '../state/list/visible.js';
import css from './Report.module.css';
import { useSearchParams } from 'wouter';
import { BackLink } from '../parts/Navigation.js';
import { Problem } from '../parts/Problem.js';

type Chosen = Pick<ReturnType<typeof reportOf>, 'narrowed' | 'span'>;
type Narrow = (name: string) => (value: string | undefined) => void;

/** Narrows the report to an agent, a tool, a group or a channel. The names are read when somebody opens a list. */
export function ReportFilters({
  chosen,
  narrow,
}: {
  readonly chosen: Chosen;
  readonly narrow: Narrow;
}) {
  const [isWanted, setWanted] = useState(false);
  const { narrowed, span } = chosen;
  if (!isWanted && Object.keys(narrowed).length === 0) {
    return (
      <Button
        onPress={() => {
          setWanted(true);
        }}
      >
        Filter…
      </Button>
    );
  }
  return NARROWED_BY.map(([name, label, none]) => (
    <NameChoice
      key={name}
      name={name}
      label={label}
      none={none}
      value={narrowed[name]}
      span={span}
      onChange={narrow(name)}
    />
  ));
}

interface NameChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly none: string;
  readonly value: string | undefined;
  readonly span: Chosen['span'];
  readonly onChange: (value: string | undefined) => void;
}

/** A choice among the names of these days. The address may name one without questions in these days. */
function NameChoice({ name, label, none, value, span, onChange }: NameChoiceProps) {
  const query = { group_by: name, ...span };
  const { data } = useQuery({
    queryKey: ['engagement', query],
    queryFn: ({ signal }) => api.engagement(query, signal),
  });
  const names = data === undefined ? [] : namesIn(data);
  return (
    <Choice
      label={label}
      value={value}
      none={none}
      options={optionsOf(names, value)}
      onChange={onChange}
    />
  );
}

const NAMES: Readonly<Record<EngagementGrouping, string>> = {
  day: 'Day',
  agent: 'Agent',
  tool: 'Tool',
  group: 'Group',
  channel: 'Channel',
};
/** The labels of questions without a key. */
const WITHOUT: Readonly<Partial<Record<EngagementGrouping, string>>> = {
  tool: 'No tool',
  group: 'No group',
};

interface ReportTableProps {
  readonly report: EngagementReport;
  /** Narrows the report to the questions of one group. */
  readonly showOnly: (name: NarrowedBy, value: string) => void;
}

/** The figures of each group, with a bar for how many questions it has. It scrolls sideways where it does not fit. */
export function ReportTable({ report, showOnly }: ReportTableProps) {
  const { group_by, groups } = report;
  const rows = group_by === 'day' ? [...groups].reverse() : groups;
  const most = mostOf(groups);
  return (
    <div className={css.scroller} role="region" aria-label="Figures" tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{NAMES[group_by]}</th>
            <th scope="col">Asked</th>
            <th scope="col">Answered</th>
            <th scope="col">Denied</th>
            <th scope="col">Edited</th>
            <th scope="col">Expired</th>
            <th scope="col">As expected</th>
            <th scope="col">Until viewed</th>
            <th scope="col">Until claimed</th>
            <th scope="col">Until answered</th>
            <th scope="col">Nine of ten within</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((group) => (
            <tr key={String(group.key)}>
              <th scope="row">
                <GroupName name={group.key} by={group_by} showOnly={showOnly} />
                <Bar share={group.asked / most} />
              </th>
              <td>{group.asked}</td>
              <td>{group.answered}</td>
              <td>{group.denied}</td>
              <td>{group.edited}</td>
              <td>{group.expired}</td>
              <td>{shareOf(group.as_expected, group.answered)}</td>
              <td>{writtenSpan(group.until_viewed.p50_seconds)}</td>
              <td>{writtenSpan(group.until_claimed.p50_seconds)}</td>
              <td>{writtenSpan(group.until_answered.p50_seconds)}</td>
              <td>{writtenSpan(group.until_answered.p90_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface GroupNameProps extends Pick<ReportTableProps, 'showOnly'> {
  readonly name: string | null;
  readonly by: EngagementGrouping;
}

/** The name of a group. Where its questions can be shown alone, a button does that. */
function GroupName({ name, by, showOnly }: GroupNameProps) {
  if (name === null || !isNarrowedBy(by)) return visible(name ?? WITHOUT[by] ?? 'None');
  return (
    <button
      type="button"
      className={css.name}
      title={`Only this ${by}`}
      onClick={() => {
        showOnly(by, name);
      }}
    >
      {visible(name)}
    </button>
  );
}

/** A bar in proportion to the longest one. The figure beside it says the same. */
function Bar({ share }: { readonly share: number }) {
  return (
    <svg className={css.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width={share * 100} height={4} />
    </svg>
  );
}

const HEIGHT = 100;
const STEP = 10;

/** Each day as a column: what was asked, and below it what was answered. The table has the figures. */
export function DayChart({ groups }: { readonly groups: readonly EngagementGroup[] }) {
  const most = mostOf(groups);
  const view = `0 0 ${groups.length * STEP} ${HEIGHT}`;
  return (
    <figure className={css.chart}>
      <svg viewBox={view} preserveAspectRatio="none" aria-hidden="true">
        {groups.map((day, index) => (
          <g key={day.key} transform={`translate(${index * STEP} 0)`}>
            <Column height={(day.asked / most) * HEIGHT} className={css.asked} />
            <Column height={(day.answered / most) * HEIGHT} className={css.answered} />
          </g>
        ))}
      </svg>
      <figcaption>
        <span className={css.asked}>Asked</span>
        <span className={css.answered}>Answered by now</span>
        <span>
          {groups[0]?.key} to {groups.at(-1)?.key}, at most {most} a day
        </span>
      </figcaption>
    </figure>
  );
}

function Column({
  height,
  className,
}: {
  readonly height: number;
  readonly className: string | undefined;
}) {
  return <rect x={1} width={STEP - 2} y={HEIGHT - height} height={height} className={className} />;
}

function mostOf(groups: readonly EngagementGroup[]): number {
  return Math.max(1, ...groups.map(({ asked }) => asked));
}

export function ReportTotals({ total }: { readonly total: EngagementFigures }) {
  const { asked, answered, denied, edited, expired, open, cancelled, as_expected } = total;
  return (
    <dl className={css.totals}>
      <Total name="Asked" value={asked} note={`${open} open, ${cancelled} withdrawn`} />
      <Total name="Answered" value={answered} note={`${shareOf(answered, asked)} of those asked`} />
      <Total name="Denied" value={denied} note={`${shareOf(denied, answered)} of the answers`} />
      <Total name="Edited" value={edited} note="Arguments changed by a person" />
      <Total name="Expired" value={expired} note={`${shareOf(expired, asked)} of those asked`} />
      <Total
        name="As expected"
        value={shareOf(as_expected, answered)}
        note={`${as_expected} answers changed nothing: these need not have been asked`}
      />
      <Time name="Until viewed" time={total.until_viewed} />
      <Time name="Until claimed" time={total.until_claimed} />
      <Time name="Until answered" time={total.until_answered} />
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly value: string | number;
  readonly note: string;
}

function Total({ name, value, note }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong>
        <span>{note}</span>
      </dd>
    </div>
  );
}

function Time({ name, time }: { readonly name: string; readonly time: EngagementDuration }) {
  const { p50_seconds, p90_seconds, count } = time;
  const note = count === 0 ? 'Not once' : `Nine of ten within ${writtenSpan(p90_seconds)}`;
  return <Total name={name} value={writtenSpan(p50_seconds)} note={note} />;
}

const SPANS = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 365 days'],
] as const;

const GROUPINGS = [
  ['day', 'By day'],
  ['agent', 'By agent'],
  ['tool', 'By tool'],
  ['group', 'By group'],
  ['channel', 'By channel'],
] as const;

/** Counts the outcomes of the questions of some days, for managers. The choices are in the address. */
export function Report() {
  const [search, setSearch] = useSearchParams();
  const chosen = reportOf(search);
  const { query } = chosen;
  const { data, error, refetch } = useQuery({
    queryKey: ['engagement', query],
    queryFn: ({ signal }) => api.engagement(query, signal),
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    document.title = 'Report · Holdpoint';
  }, []);
  const choose = (name: string) => (value: string | undefined) => {
    setSearch(
      (old) => {
        const { [name]: _former, ...others } = Object.fromEntries(old);
        return value === undefined ? others : { ...others, [name]: value };
      },
      { replace: true },
    );
  };
  const isNarrowed = Object.keys(chosen.narrowed).length > 0;
  return (
    <main id="main" className={cx('page', css.report)}>
      <BackLink />
      <h1>Report</h1>
      <div className={css.choices}>
        <Choice label="Days" options={SPANS} value={chosen.days} onChange={choose('days')} />
        <Choice label="Grouping" options={GROUPINGS} value={chosen.by} onChange={choose('by')} />
        <ReportFilters chosen={chosen} narrow={choose} />
        <a href={api.engagementTable(query)} download>
          Download as CSV
        </a>
      </div>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data && (
        <Shown
          report={data}
          isNarrowed={isNarrowed}
          showOnly={(name, value) => {
            setSearch((old) => ({ ...Object.fromEntries(old), by: 'day', [name]: value }));
          }}
        />
      )}
    </main>
  );
}

interface ShownProps {
  readonly report: EngagementReport;
  readonly isNarrowed: boolean;
  readonly showOnly: (name: NarrowedBy, value: string) => void;
}

function Shown({ report, isNarrowed, showOnly }: ShownProps) {
  const { total, groups, left_out, group_by } = report;
  if (total.asked === 0) {
    return (
      <Blank title={`No ${isNarrowed ? 'such ' : ''}question was asked on these days`}>
        <p>
          {isNarrowed
            ? 'Choose more days, or take a filter off.'
            : 'Choose more days to see how earlier ones went.'}
        </p>
      </Blank>
    );
  }
  return (
    <>
      <ReportTotals total={total} />
      <Section title={GROUPINGS.find(([name]) => name === group_by)?.[1] ?? ''}>
        {group_by === 'day' && <DayChart groups={groups} />}
        <ReportTable report={report} showOnly={showOnly} />
        {left_out > 0 && (
          <p className={css.hint}>
            {left_out} more with fewer questions are left out. They count in the sums above.
          </p>
        )}
      </Section>
    </>
  );
}
