import { is, type Row } from './checker.js';
import type { Scene } from './rows-asked.js';

interface End {
  readonly row: string;
  readonly time: number;
  /** Why the question expired. */
  readonly expiry: string;
  /** Why the intent was abandoned. */
  readonly abandonment: string;
  /** What the agent that waits gets. */
  readonly error: string;
}

/** The question ends without an answer, and phase 2 with it: TD-05 and TD-06. */
export function rowsOfExpiry(scene: Scene, end: End): readonly Row[] {
  const { reads, reviewer } = scene;
  const { row, time, expiry, abandonment, error } = end;
  return [
    {
      row,
      time,
      says: `intent.suspension_expired, once: ${expiry}`,
      async look() {
        const { payload, created_at } = await reads.event(
          'compliance_review',
          'intent.suspension_expired',
        );
        is('its reason', payload['reason'], expiry);
        return created_at;
      },
    },
    {
      row,
      time,
      says: `intent 2 is abandoned: ${abandonment}`,
      async look() {
        const intent = await reads.intent('compliance_review');
        const seen = [intent.status, intent.abandonment_reason];
        is('intent 2', seen, ['abandoned', abandonment]);
        return intent.updated_at;
      },
    },
    {
      row,
      time,
      says: `on_suspension_expired; the agent gets ${error}`,
      look() {
        const hooks = reviewer.reports.filter(({ what }) => what === 'onSuspensionExpired');
        is('hooks', hooks.length, 1);
        const failed = reviewer.reports.find(({ what }) => what === 'failed');
        is('the error of the agent', failed?.['name'], error);
        return Promise.resolve(failed?.at ?? '');
      },
    },
    ...rowsOfOthers(scene, end),
  ];
}

function rowsOfOthers({ reads }: Scene, { row, time, abandonment }: End): readonly Row[] {
  return [
    {
      row,
      time,
      says: 'task 2 and the portfolio have failed',
      async look() {
        const task = await reads.task('compliance_review');
        is('task 2', [task.status, task.error], ['failed', abandonment]);
        const { status, aggregate_status, suspended_member_count } = await reads.portfolio();
        const seen = [status, aggregate_status.status, suspended_member_count];
        is('the portfolio', seen, ['active', 'failed', 0]);
        return task.updated_at;
      },
    },
    {
      row,
      time,
      says: 'intent 3 stays blocked, and its task is nobody’s',
      async look() {
        is('intent 3', (await reads.intent('generate_report')).status, 'blocked');
        const task = await reads.task('generate_report');
        is(
          'task 3',
          [task.status, task.waiting_claim, task.assigned_agent],
          ['pending', null, null],
        );
        return (await reads.event('generate_report', 'dependency_unsatisfiable')).created_at;
      },
    },
  ];
}

/** Looked at when all that might still have come has had its time. */
export function rowOfSilence(
  { reads, suspensionId }: Scene,
  {
    row,
    time,
    attempts,
  }: { readonly row: string; readonly time: number; readonly attempts: number },
): Row {
  return {
    row,
    time,
    says: `no reminder came any more: ${attempts} attempts in all`,
    lasting: true,
    async look() {
      const at = new Date().toISOString();
      const types = (await reads.log('compliance_review')).map(({ event_type: type }) => type);
      const reminders = types.filter((type) => type === 'intent.suspension_renotified').length;
      is('reminders', reminders, attempts - 1);
      const { timeline } = await reads.suspension(suspensionId);
      is('messages', timeline.filter(({ kind }) => kind === 'delivered').length, attempts);
      return at;
    },
  };
}
