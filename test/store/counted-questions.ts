import { isDenial } from '../../contracts/constants/denial.js';
import type {
  EngagementDuration,
  EngagementFigures,
  EngagementGrouping,
} from '../../contracts/suspension/engagement.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { jsonEqual } from '../../domain/kernel/json.js';
import { DAYS, USUAL } from './question-lives.js';

/** A question as it is read, and when it was first opened. */
export type Seen = readonly [SuspensionView, string | undefined];

function nearestRank(sorted: readonly number[], share: number): number | null {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? null;
}

function durationOf(all: readonly (number | undefined)[]): EngagementDuration {
  const sorted = all.filter((one) => one !== undefined).sort((a, b) => a - b);
  return {
    count: sorted.length,
    p50_seconds: nearestRank(sorted, 0.5),
    p90_seconds: nearestRank(sorted, 0.9),
  };
}

/** Counts what the views of questions say, without the store's help. */
export function counted(all: readonly Seen[]): EngagementFigures {
  const records = all.map(([{ record }]) => record);
  const isEdited = ({ timeline }: SuspensionView) =>
    timeline.some(({ kind }) => kind === 'proposal_edited');
  const answered = all.filter(([{ record }]) => record.resolution === 'responded');
  const after = ({ record }: SuspensionView, at?: string) =>
    at === undefined
      ? undefined
      : Math.max(0, Date.parse(at) - Date.parse(record.suspended_at)) / 1_000;
  const firstClaim = ({ timeline }: SuspensionView) =>
    timeline
      .filter(({ kind }) => kind === 'claimed')
      .map(({ at }) => at)
      .sort()[0];
  const answerOf = ({ record }: SuspensionView) =>
    record.resolution === 'responded' ? record.responded_at : undefined;
  const firstLook = ([view, seen]: Seen) =>
    [seen, firstClaim(view), answerOf(view)].filter((at) => at !== undefined).sort()[0];
  const count = (is: (record: SuspensionRecord) => boolean) => records.filter(is).length;
  return {
    asked: all.length,
    open: count(({ resolution }) => resolution === undefined),
    answered: answered.length,
    denied: answered.filter(([view]) => isDenial(view, view.record.response) === true).length,
    edited: all.filter(([view]) => isEdited(view)).length,
    expired: count(({ resolution }) => resolution === 'expired'),
    cancelled: count(({ resolution }) => resolution === 'cancelled'),
    as_expected: answered.filter(([view]) => {
      const { fallback_policy, fallback_value, response = null, approval } = view.record;
      const isFallback =
        fallback_policy !== 'fail' &&
        fallback_value !== undefined &&
        jsonEqual(response, fallback_value);
      return isFallback || (approval !== undefined && response === 'approved' && !isEdited(view));
    }).length,
    until_viewed: durationOf(all.map((one) => after(one[0], firstLook(one)))),
    until_claimed: durationOf(all.map(([view]) => after(view, firstClaim(view)))),
    until_answered: durationOf(all.map(([view]) => after(view, answerOf(view)))),
  };
}

/** The keys under which a question counts. */
export function keysOf(
  { asked_by, record, rule, schedule, attempt }: SuspensionView,
  by: EngagementGrouping,
): readonly (string | number | null)[] {
  const due = schedule.attempts.filter((one) => one.attempt <= attempt);
  const keys = {
    day: [DAYS.filter((day) => day <= record.suspended_at).length - 1],
    agent: [asked_by],
    tool: (record.approval?.proposal.calls ?? []).map(({ tool }) => tool),
    group: rule.eligible.groups ?? [],
    channel: due.map(({ channel_hint }) => channel_hint ?? USUAL),
  }[by];
  return keys.length === 0 ? [null] : [...new Set<string | number>(keys)];
}
