import type { PhaseAgent } from './agents.js';
import { is, type Row } from './checker.js';
import type { Scene } from './rows-asked.js';
import { REPORT_SECONDS } from './story.js';

/** The answer and what follows at once: TL-11 … TL-14 and the first half of TD-03. */
export function rowsOfAnswer({ reads, suspensionId }: Scene, time: number): readonly Row[] {
  const changed = (phase: 'compliance_review' | 'generate_report', status: string) =>
    reads.event(phase, 'status_changed', { status });
  return [
    {
      row: 'TL-11',
      time,
      says: 'an operator answers over HTTP: intent.resumed',
      async look() {
        const of = { suspension_id: suspensionId, value: 'approve' };
        return (await reads.event('compliance_review', 'intent.resumed', of)).created_at;
      },
    },
    {
      row: 'TL-12',
      time,
      says: 'intent 2 is active, then completed',
      async look() {
        is('intent 2', (await reads.intent('compliance_review')).status, 'completed');
        return (await changed('compliance_review', 'completed')).created_at;
      },
    },
    {
      row: 'TL-13',
      time,
      says: 'task 2 runs again, then is completed',
      async look() {
        const types = (await reads.log('compliance_review')).map(({ event_type: type }) => type);
        const own = types.filter((type) => type.startsWith('task.')).slice(-3);
        is('the events of task 2', own, ['task.blocked', 'task.unblocked', 'task.completed']);
        const task = await reads.task('compliance_review');
        const seen = [task.status, task.blocked_reason, task.suspended_intent_id, task.attempt];
        is('task 2', seen, ['completed', null, null, 1]);
        return task.completed_at ?? '';
      },
    },
    {
      row: 'TL-14',
      time,
      says: 'intent 3 is active: its dependency is completed',
      async look() {
        const of = { status: 'active', reason: 'dependencies_completed' };
        return (await reads.event('generate_report', 'status_changed', of)).created_at;
      },
    },
    {
      row: 'TD-03',
      time,
      says: 'nobody waits any more, in portfolio and workflow',
      async look() {
        const { has_suspended_members, suspended_member_count } = await reads.portfolio();
        is('suspended members', [has_suspended_members, suspended_member_count], [false, 0]);
        is('suspended_phases', (await reads.workflow()).progress.suspended_phases, []);
        return (await reads.portfolioEvent('portfolio.member_resumed')).created_at;
      },
    },
  ];
}

/** Phase 3 takes over what phase 2 gave: TL-15, at the instant at which its agent got it. */
export function rowOfClaim({ reads }: Scene, reporter: PhaseAgent, time: number): Row {
  return {
    row: 'TL-15',
    time,
    says: 'task 3 claims its inputs, which phase 2 gave',
    async look() {
      const claims = reporter.reports.filter((one) => one.what === 'claimed');
      is(
        'what it got',
        claims.map(({ input }) => input),
        [{ verdict: 'approve' }],
      );
      is('its input', (await reads.task('generate_report')).input, { verdict: 'approve' });
      const active = await reads.event('generate_report', 'status_changed', { status: 'active' });
      const claimed = await reads.event('generate_report', 'task.claimed');
      is('claimed while it was blocked', claimed.sequence < active.sequence, false);
      return claims[0]?.at ?? '';
    },
  };
}

/** The end: TL-16, with the portfolio that made its deadline (R26-84). */
export function rowsOfEnd({ reads }: Scene, answered: number): readonly Row[] {
  const time = answered + REPORT_SECONDS;
  return [
    {
      row: 'TL-16',
      time,
      says: 'phase 3 is completed, and with it the workflow',
      async look() {
        is('the workflow', (await reads.workflow()).state, 'completed');
        const of = { status: 'completed' };
        return (await reads.event('generate_report', 'status_changed', of)).created_at;
      },
    },
    {
      row: 'R26-84',
      time,
      says: 'the portfolio is completed before its deadline',
      async look() {
        const { aggregate_status, governance_policy } = await reads.portfolio();
        is('the portfolio', aggregate_status.status, 'completed');
        const log = await reads.portfolioLog();
        const types = log.map(({ event_type }) => event_type);
        is('a deadline', types.includes('portfolio.deadline_reached'), false);
        const of = { status: 'completed' };
        const { created_at } = await reads.event('generate_report', 'status_changed', of);
        is('over in time', created_at < (governance_policy.deadline ?? ''), true);
        return created_at;
      },
    },
  ];
}
