import type { BesidesCosts } from './besides.js';
import { table } from './tables.js';
import { PATHS, type PathName } from './paths.js';
import { PROCESSES } from './foreign.js';
import type { Costs, PathCost, Spent } from './question-costs.js';
import { total, type Counts } from './server-metrics.js';

type Row = readonly [PathName, PathCost];
const COUNTERS = ['writes', 'visibility', 'others', 'tasks', 'activities', 'actions'] as const;
const DAY_SECONDS = 86_400;

/** What each path costs per question, and by which operations. */
export function costsAsMarkdown({ paths, idle, look, besides }: Costs): string {
  const rows = Object.entries(paths) as [PathName, PathCost][];
  const heads = [
    'writes',
    'visibility writes',
    'other writes',
    'workflow tasks',
    'activities',
    'billed actions',
  ];
  const totals = (spent: Spent): string[] =>
    COUNTERS.map((counter) => figure(total(spent[counter])));
  return [
    table(
      ['per question', ...heads],
      [
        ...rows.map(([name, cost]) => [PATHS[name], ...totals(cost)]),
        ['idle, a second', ...totals(idle)],
      ],
    ),
    table(
      ['CPU ms per question', ...PROCESSES],
      [
        ...rows.map(([name, { cpu }]) => [PATHS[name], ...cpuCells(cpu)]),
        ['idle, a second', ...cpuCells(idle.cpu)],
        [
          'one look of the bench (taken off)',
          '',
          milliseconds(look.server),
          '',
          milliseconds(look.store),
          '',
        ],
      ],
    ),
    ...(besides ? [besidesTable(besides, idle)] : []),
    measuring(rows, idle.foreign),
    ...rows.map(([name, cost]) => byOperation(PATHS[name], cost)),
  ].join('\n');
}

function besidesTable(besides: BesidesCosts, idle: Spent): string {
  return table(
    ['besides', 'billed actions'],
    [
      ['the first long poll of an agent that waits', figure(besides.firstPoll)],
      ['its further long polls, a day and question', figure(besides.waitingDay)],
      ['a reminder of a question of its own', figure(besides.reminder)],
      ['a reminder of a question of an intent', figure(besides.reminderOfIntent)],
      ['an idle day, no channel and no subscription', figure(total(idle.actions) * DAY_SECONDS)],
    ],
  );
}

function measuring(rows: readonly Row[], idle: number | undefined): string {
  const head = [
    'how it was measured',
    'questions',
    'looks per question',
    'state transitions of its workflows',
    'workflow tasks in their histories',
    'CPU of others',
  ];
  return table(head, [
    ...rows.map(([name, { rounds, looks, own, foreign }]) => [
      PATHS[name],
      String(rounds),
      figure(looks.server + looks.store),
      figure(own.writes),
      figure(own.tasks),
      percent(foreign),
    ]),
    ['idle', '', '', '', '', percent(idle)],
  ]);
}

function byOperation(title: string, cost: Spent): string {
  const rows = COUNTERS.flatMap((counter) =>
    operations(cost[counter]).map(([operation, value]) => [
      `${counter}: ${operation}`,
      figure(value),
    ]),
  );
  return table([`${title}, by operation`, 'per question'], rows);
}

function cpuCells(cpu: Counts): string[] {
  return PROCESSES.map((name) => milliseconds(cpu[name]));
}

/** A figure in milliseconds. */
export function milliseconds(ms: number | undefined): string {
  return ms === undefined || Number.isNaN(ms) ? 'unknown' : ms.toFixed(1);
}

/** The most frequent first; those that hardly ever happen are left out. */
function operations(counts: Counts): [string, number][] {
  return Object.entries(counts)
    .filter(([, value]) => Math.abs(value) >= 0.01)
    .sort(([, a], [, b]) => b - a);
}

function figure(value: number): string {
  return value.toFixed(2);
}

/** A share of 1. */
export function percent(share: number | undefined): string {
  return share === undefined ? 'unknown' : `${(share * 100).toFixed(0)} %`;
}
