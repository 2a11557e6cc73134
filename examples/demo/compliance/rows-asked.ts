import type { PhaseAgent } from './agents.js';
import { is, type Checker, type Row } from './checker.js';
import type { Reads } from './reads.js';
import { AT } from './story.js';

/** What the rows of one run are checked with. */
export interface Scene {
  readonly reads: Reads;
  readonly checker: Checker;
  readonly reviewer: PhaseAgent;
  readonly suspensionId: string;
}

/** What came before the question: TL-01. */
export function rowBefore({ reads }: Scene): Row {
  return {
    row: 'TL-01',
    says: 'phase 1 has completed; phase 3 depends on phase 2',
    async look() {
      is('task 1', (await reads.task('fetch_data')).status, 'completed');
      const { tasks, intents } = reads.ids;
      is('phase 3', (await reads.task('generate_report')).depends_on, [tasks.compliance_review]);
      const { depends_on } = await reads.intent('generate_report');
      is('intent 3', depends_on, [intents.compliance_review]);
      const done = await reads.event('fetch_data', 'status_changed', { status: 'completed' });
      return done.created_at;
    },
  };
}

/** T+0 for the intents and the task: TL-02 … TL-05. */
export function rowsOfQuestion({ reads, checker, suspensionId }: Scene): readonly Row[] {
  const time = AT.asked;
  return [
    {
      row: 'TL-02',
      time,
      says: 'the agent of phase 2 asks, 3 attempts an hour apart',
      async look() {
        const { payload, created_at } = await reads.event('compliance_review', 'intent.suspended');
        is('suspension_id', payload['suspension_id'], suspensionId);
        const { record } = await reads.suspension(suspensionId);
        is('max_attempts', record.retry_policy?.max_attempts, 3);
        is('interval_seconds', record.retry_policy?.interval_seconds, checker.intervalSeconds);
        return created_at;
      },
    },
    {
      row: 'TL-03',
      time,
      says: 'intent 2 is suspended_awaiting_input',
      async look() {
        const { status, updated_at } = await reads.intent('compliance_review');
        is('intent 2', status, 'suspended_awaiting_input');
        return updated_at;
      },
    },
    {
      row: 'TL-04',
      time,
      says: 'task 2 is blocked: intent_suspended',
      async look() {
        const task = await reads.task('compliance_review');
        const seen = [task.status, task.blocked_reason, task.suspended_intent_id];
        const id = reads.ids.intents.compliance_review;
        is('task 2', seen, ['blocked', 'intent_suspended', id]);
        return task.updated_at;
      },
    },
    {
      row: 'TL-05',
      time,
      says: 'intent 3 is blocked: its upstream is suspended',
      async look() {
        is('intent 3', (await reads.intent('generate_report')).status, 'blocked');
        const of = { status: 'blocked', reason: 'upstream_suspended' };
        return (await reads.event('generate_report', 'status_changed', of)).created_at;
      },
    },
  ];
}

/** T+0 for the message and for those who watch: TL-06, TL-07, TD-01 and the aggregate of R26-84. */
export function rowsOfWatchers(scene: Scene): readonly Row[] {
  const { reads } = scene;
  const time = AT.asked;
  return [
    messageRow(scene, { row: 'TL-06', time, attempt: 1, channel: 'slack', to: null }),
    {
      row: 'TL-07',
      time,
      says: 'the portfolio has one suspended member',
      async look() {
        const read = await reads.portfolio();
        is('has_suspended_members', read.has_suspended_members, true);
        is('suspended_member_count', read.suspended_member_count, 1);
        is('portfolio', read.aggregate_status.status, 'in_progress');
        return (await reads.portfolioEvent('portfolio.member_suspended')).created_at;
      },
    },
    progressRow(scene),
    waitingRow(scene, time),
  ];
}

/** A message of an attempt: the agent's hook was called, and the channel took it (TL-06, TL-09). */
export function messageRow(
  { reads, reviewer, suspensionId }: Scene,
  {
    row,
    time,
    attempt,
    channel,
    to,
  }: {
    readonly row: string;
    readonly time: number;
    readonly attempt: number;
    readonly channel: string;
    readonly to: string | null;
  },
): Row {
  return {
    row,
    time,
    says: `on_input_requested, attempt ${attempt}; the message goes to ${channel}`,
    async look() {
      const hooks = reviewer.reports.filter(({ what }) => what === 'onInputRequested');
      const heard = hooks.filter((one) => one['attempt'] === attempt);
      is(`hooks of attempt ${attempt}`, heard.length, 1);
      is('channel_hint of the hook', heard[0]?.['channel_hint'], channel);
      is('notify_to of the hook', heard[0]?.['notify_to'], to);
      const { timeline } = await reads.suspension(suspensionId);
      const sent = timeline.filter(
        ({ kind, detail }) => kind === 'delivered' && detail['attempt'] === attempt,
      );
      is(
        `channels of attempt ${attempt}`,
        sent.map(({ detail }) => detail['channel']),
        [channel],
      );
      return sent[0]?.at ?? '';
    },
  };
}

function progressRow({ reads, checker, suspensionId }: Scene): Row {
  return {
    row: 'TD-01',
    time: AT.asked,
    says: 'expires at T+10800; plan and workflow name who waits',
    async look() {
      const { record } = await reads.suspension(suspensionId);
      is('expires_at', record.expires_at, checker.instant(AT.expired));
      const waits = {
        intent_id: reads.ids.intents.compliance_review,
        suspended_since: record.suspended_at,
        expires_at: record.expires_at,
      };
      const phases = (await reads.workflow()).progress.suspended_phases;
      is(
        'suspended_phases',
        ordered(phases),
        ordered([{ phase_name: 'compliance_review', ...waits }]),
      );
      const tasks = (await reads.plan()).progress.suspended_tasks;
      const task_id = reads.ids.tasks.compliance_review;
      is('suspended_tasks', ordered(tasks), ordered([{ task_id, ...waits }]));
      return record.suspended_at;
    },
  };
}

/** What holds as long as phase 2 waits, looked at once more at an instant (R26-84). */
export function waitingRow({ reads }: Scene, time: number): Row {
  return {
    row: 'R26-84',
    time,
    says: 'the coordinator sees who waits; nobody has tried phase 3',
    lasting: true,
    async look() {
      const lookedAt = new Date().toISOString();
      const { status, suspension_policy } = await reads.coordinator();
      is('the coordinator', [status, suspension_policy], ['active', 'isolate']);
      const { by_status } = (await reads.portfolio()).aggregate_status;
      is('suspended in the aggregate', by_status.suspended_awaiting_input, 1);
      const task = await reads.task('generate_report');
      is('task 3', [task.status, task.waiting_claim, task.assigned_agent], ['pending', null, null]);
      const { created_at } = await reads.portfolioEvent('portfolio.member_suspended');
      return time === AT.asked ? created_at : lookedAt;
    },
  };
}

/** Objects with their fields in the order of their names. */
function ordered(objects: readonly object[]): unknown {
  return objects.map((one) => Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
}
