import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import type { EngagementReport } from '../../../contracts/suspension/engagement-report.js';
import { api } from '../api/calls.js';
import { BackLink } from '../parts/BackLink.js';
import { Choice } from '../parts/Choice.js';
import { Problem } from '../parts/Problem.js';
import { ReportFilters } from '../parts/ReportFilters.js';
import { DayChart, ReportTable } from '../parts/ReportTable.js';
import { ReportTotals } from '../parts/ReportTotals.js';
import { Blank, Section, cx } from '../parts/ui.js';
import { reportOf } from '../state/report.js';
import type { NarrowedBy } from '../state/report.js';
import css from './Report.module.css';

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

/** How the questions of some days went, for managers. What is chosen stands in the address. */
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
