import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { SuspensionRecord, TimelineKind } from '../../contracts/suspension/suspension.js';
import {
  SCHEDULE,
  SETTLEMENT,
  aRecord,
  instant,
  openedRow,
  progressRow,
  timelineRow,
} from './rows.js';

const DAY = 86_400;
/** The beginnings of three days, and the end of the last. */
export const DAYS = [0, DAY, 2 * DAY, 3 * DAY].map((seconds) =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString(),
);
/** The channel of attempts that name none. */
export const USUAL = 'console';

/** A question that was asked so many seconds after the first day began, and what happened to it. */
export interface Life {
  readonly asker: string;
  readonly asked: number;
  readonly record: Partial<SuspensionRecord>;
  readonly attempt: number;
  readonly claims: readonly number[];
  readonly edits: number;
  readonly seen: number | null;
  readonly end: readonly [SuspensionRecord['resolution'], number, string | null] | null;
}

const name = (...names: string[]) => fc.constantFrom(...names);
const VALUES = [
  'yes',
  'no',
  ' NO\u2028',
  'ｄｅｎｙ',
  'approved',
  'rejected',
  'later',
  'Abort ',
  'x'.repeat(120),
];
const tools = fc.array(name('refund', 'mail', '=cmd', 'drop'), { maxLength: 3 });
const denials = fc.option(fc.subarray(['no', 'rejected', 'later']), { nil: undefined });

const part = (calls: readonly string[], version: number) =>
  ({
    proposal: { version, calls: calls.map((tool, at) => ({ id: `c${at}`, tool, arguments: {} })) },
  }) as never;

const asked: fc.Arbitrary<Partial<SuspensionRecord>> = fc
  .record({
    response_type: name('choice', 'confirm', 'text') as fc.Arbitrary<
      SuspensionRecord['response_type']
    >,
    choices: fc.option(fc.subarray(VALUES, { minLength: 1 }), { nil: undefined }),
    denials,
    inRule: fc.option(fc.subarray(['no', 'deny', 'later']), { nil: undefined }),
    groups: fc.subarray(['finance', 'legal']),
    fallback: fc.option(name(...VALUES), { nil: undefined }),
    fails: fc.boolean(),
    tools: fc.option(tools, { nil: undefined }),
  })
  .map(
    ({ response_type, choices, denials: own, inRule, groups, fallback, fails, tools: calls }) => ({
      response_type,
      ...(choices && { choices: choices.map((value) => ({ value, label: value })) }),
      ...(own && { denials: own }),
      ...(inRule && {
        decision_rule: {
          eligible: groups.length > 0 ? { groups } : {},
          excluded: [],
          quorum: 1,
          denials: inRule,
          veto: true,
        },
      }),
      fallback_value: fallback as never,
      fallback_policy: fails ? 'fail' : 'use_default_and_continue',
      ...(calls && { approval: part(calls, 1) }),
    }),
  );

/** What may happen to a question. */
export const life: fc.Arbitrary<Life> = fc.record({
  asker: name('agent-a', 'agent-b', '\ud800 half'),
  asked: fc.integer({ min: -600, max: 3 * DAY + 600 }),
  record: asked,
  attempt: fc.integer({ min: 1, max: 3 }),
  claims: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 2 }),
  edits: fc.integer({ min: 0, max: 1 }),
  seen: fc.option(fc.integer({ min: -2, max: 900 }), { nil: null }),
  end: fc.option(
    fc.tuple(
      name('responded', 'responded', 'responded', 'expired', 'cancelled') as fc.Arbitrary<
        SuspensionRecord['resolution']
      >,
      fc.integer({ min: 1, max: 5_000 }),
      name(...VALUES),
    ),
    { nil: null },
  ),
});

/** All rows that the question of a life leaves, and its id. */
export function rowsOf({ asker, asked: at, record: own, attempt, claims, edits, end }: Life) {
  const record = aRecord({ ...own, suspended_at: instant(at) });
  if (own.fallback_value === undefined) delete record.fallback_value;
  const { id } = record;
  const kinds: (readonly [TimelineKind, number])[] = [
    ['opened', at],
    ...claims.map((after) => ['claimed', at + after] as const),
    ...Array.from({ length: edits }, () => ['proposal_edited', at + 5] as const),
  ];
  const hints = [null, 'slack', 'console'];
  const schedule = {
    ...SCHEDULE,
    attempts: SCHEDULE.attempts.map((one, index) => ({
      ...one,
      channel_hint: hints[index] ?? null,
    })),
  };
  const rows: JournalRow[] = [
    { ...openedRow(randomUUID(), record), asked_by: asker, schedule } as JournalRow,
    progressRow(id, 1, attempt),
    ...kinds.map(([kind, when], index) => {
      const row = timelineRow(id, index + 1) as Extract<JournalRow, { kind: 'timeline' }>;
      return { ...row, entry: { sequence: index + 1, at: instant(when), kind, detail: {} } };
    }),
  ];
  if (end) {
    const [resolution = 'responded', after, response] = end;
    const settled_at = instant(at + after);
    const settlement = {
      ...SETTLEMENT,
      resolution,
      settled_at,
      response,
      responded_at: settled_at,
    };
    rows.push({ kind: 'suspension_settled', suspension_id: id, revision: 2, settlement });
  }
  return { id, rows };
}
