import type {
  EngagementGroup,
  EngagementGrouping,
  EngagementReport,
} from '../../../contracts/suspension/engagement-report.js';
import { isNarrowedBy, shareOf, writtenSpan } from '../state/report.js';
import type { NarrowedBy } from '../state/report.js';
import { visible } from '../state/visible.js';
import css from './Report.module.css';

const NAMES: Readonly<Record<EngagementGrouping, string>> = {
  day: 'Day',
  agent: 'Agent',
  tool: 'Tool',
  group: 'Group',
  channel: 'Channel',
};
/** What questions without a key are called. */
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
