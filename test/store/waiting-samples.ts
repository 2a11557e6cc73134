import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Intent } from '../../contracts/intent/intent.js';
import type { JournalRow, RowOf } from '../../contracts/log/journal.js';
import type { Plan } from '../../contracts/plan/plan.js';
import { approvalWith, hashOfProposal, proposalWith } from '../domain/approval/samples.js';
import { aTask } from '../domain/plan/task-samples.js';
import { EXAMPLES } from '../support/examples.js';
import { aPortfolio, aRecord, anIntent, memberRow, openedRow, portfolioRow } from './rows.js';

/** An intent that depends on others, with its edges. */
export function intentOn(
  title: string,
  depends_on: readonly string[] = [],
  changes: Partial<Intent> = {},
) {
  const intent = anIntent({ title, depends_on: [...depends_on], ...changes });
  const edges = depends_on.map((dependency_id): JournalRow => ({
    kind: 'dependency',
    intent_id: intent.id,
    dependency_id,
    revision: intent.version,
    present: true,
  }));
  const rows: JournalRow[] = [...edges, { kind: 'intent', intent, last_sequence: intent.version }];
  return { id: intent.id, intent, rows };
}

/** A question of an intent, or of nobody, that never expires. */
export function questionOf(
  intent_id: string | null,
  context = {},
  changes: Partial<RowOf<'suspension_opened'>> = {},
) {
  const record = aRecord({ context, expires_at: undefined });
  const opened = { ...openedRow('', record), intent_id, ...changes } as RowOf<'suspension_opened'>;
  return { id: record.id, opened };
}

/** The question of an approval, with the row of the approval, which may be that of an intent. */
export function approvalOf(intent_id: string | null, run_id: string) {
  const proposal = proposalWith({ approval_id: randomUUID(), run_id, agent: 'Billing bot' });
  const record = aRecord({
    expires_at: undefined,
    approval: { proposal, proposal_hash: hashOfProposal(proposal), stage: 0, tier: 0 },
  });
  const opened = { ...openedRow('', record), intent_id: null } as JournalRow;
  const approval: JournalRow = {
    kind: 'approval',
    approval: { ...approvalWith(proposal), intent_id, suspension_id: record.id },
    proposed: proposal,
    revision: 1,
  };
  return { id: record.id, opened, approval };
}

/** An active portfolio with one intent. */
export function portfolioOf(intent_id: string) {
  const portfolio = aPortfolio({ name: 'Refunds' });
  const rows = [portfolioRow(portfolio, 0), memberRow(portfolio.id, intent_id)];
  return { id: portfolio.id, rows };
}

/** A plan with one task after the other, the first of which is that of an intent. */
export function planOf(intent_id: string, names: readonly string[], changes: Partial<Plan> = {}) {
  const plan: Plan = { ...EXAMPLES.plan, id: randomUUID(), intent_id, state: 'active', ...changes };
  const ids = names.map(() => randomUUID());
  const tasks = names.map((name, index) =>
    aTask({
      id: ids[index] ?? assert.fail(),
      name,
      plan_id: plan.id,
      intent_id: index === 0 ? intent_id : randomUUID(),
      depends_on: ids.slice(Math.max(0, index - 1), index),
      status: index === 0 ? 'running' : 'pending',
    }),
  );
  const rows: JournalRow[] = [
    { kind: 'plan', plan, revision: 1 },
    ...tasks.map((task): JournalRow => ({ kind: 'task', task, revision: 1 })),
  ];
  return { plan, ids, tasks, rows };
}
