import { clockAhead, toInstant } from '../../../domain/kernel/time.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import type {
  EngagementFigures,
  EngagementFilter,
  EngagementGroup,
  EngagementGrouping,
  EngagementReport,
} from '../../../contracts/suspension/engagement.js';
import { engagementReport, type StoredGroup } from '../../../store/queries/engagement-report.js';
import { refused } from '../../parts/refusals.js';
import { useCase, type Call } from '../usecase.js';

const DAY_MS = 86_400_000;

/** Returns the days from one to another (`2026-11-28`), both included. */
export function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.round((last - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day) => dayOf(first + day * DAY_MS));
}

export function dayAfter(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}

/** Returns the local day in a time zone at an instant (ms). */
export function dayIn(zone: string, at: number): string {
  return dayOf(at + clockAhead(zone, at));
}

/**
 * Returns the instant at which a day begins in a time zone. Where the clock skips midnight, that is the first hour
 * that exists.
 */
export function beginOf(day: string, zone: string): string {
  const midnight = Date.parse(day);
  const guess = midnight - clockAhead(zone, midnight);
  return toInstant(Math.max(guess, midnight - clockAhead(zone, guess)));
}

function dayOf(ms: number): string {
  return toInstant(ms).slice(0, 10);
}

const USUAL_DAYS = 30;

export interface EngagementRequest extends EngagementFilter {
  /** The first day; by default 29 days before the last one. */
  readonly from?: string | undefined;
  /** The last day, which is included; by default today. */
  readonly to?: string | undefined;
  readonly time_zone: string;
  readonly group_by: EngagementGrouping;
}

/** Counts the outcomes of the questions of some days. Throws `invalid_request` for invalid days, or too many. */
export const reportEngagement = useCase({
  name: 'reportEngagement',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  async run({ parts }: Call, request: EngagementRequest): Promise<EngagementReport> {
    const { time_zone, group_by, from: first, to: last, ...filter } = request;
    const to = last ?? dayIn(time_zone, parts.clock.now());
    const from = first ?? dayAfter(to, 1 - USUAL_DAYS);
    const named = daysBetween(from, to);
    if (named.length === 0 || named.length > LIMITS.reportDays) {
      throw refused('invalid_request', 'The report cannot cover these days.', {
        field: first === undefined ? 'to' : 'from',
        accepted: `at least one day and at most ${LIMITS.reportDays}, the last one included`,
      });
    }
    const days = [...named, dayAfter(to, 1)].map((day) => beginOf(day, time_zone));
    const { total, groups, left_out } = await parts.fromStore(engagementReport, {
      ...filter,
      by: group_by,
      days,
      default_channel: parts.config.notifications.default_channel,
      limit: group_by === 'day' ? LIMITS.reportDays : LIMITS.reportGroups,
    });
    return {
      from,
      to,
      time_zone,
      group_by,
      total,
      groups: group_by === 'day' ? everyDay(named, groups) : groups.map(withName),
      left_out,
    };
  },
});

const NEVER = { count: 0, p50_seconds: null, p90_seconds: null };
const NOTHING: EngagementFigures = {
  asked: 0,
  open: 0,
  answered: 0,
  denied: 0,
  edited: 0,
  expired: 0,
  cancelled: 0,
  as_expected: 0,
  until_viewed: NEVER,
  until_claimed: NEVER,
  until_answered: NEVER,
};

/** Returns the figures of each day, also of days without questions. */
function everyDay(
  days: readonly string[],
  groups: readonly StoredGroup[],
): readonly EngagementGroup[] {
  const found = new Map(groups.map(({ key, ...figures }) => [key, figures]));
  return days.map((day, index) => ({ ...(found.get(index) ?? NOTHING), key: day }));
}

function withName({ key, ...figures }: StoredGroup): EngagementGroup {
  return { ...figures, key: key === null ? null : String(key) };
}
