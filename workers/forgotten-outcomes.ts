import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { ForgottenOutcomes } from '../activities/ports/reconciliation.js';
import { workflowIdOf } from '../contracts/constants/names.js';
import type { EntityKey } from '../contracts/kernel/entity-key.js';
import { isSettled } from '../domain/suspension/record/state.js';
import { inSpace } from '../store/in-space.js';
import { knownOutcome } from '../store/queries/known-outcome.js';
import { contradicted } from '../store/queries/quarantine.js';
import { settledBetween, settledOf } from '../store/queries/unsettled.js';
import type { Store } from '../store/schema.js';
import { recordQuery, restoreSignal } from '../workflows/suspension/messages.js';
import { asked, signalIfOpen } from './calls.js';
import { runningOf } from './listed.js';
import { pagesFrom } from './placed-pages.js';

/** Outcomes in a store that a Temporal namespace may have forgotten. */
export function forgottenOutcomes(
  db: Store,
  client: () => Pick<Client, 'workflow'>,
): ForgottenOutcomes {
  return {
    settledIn: (range, place) =>
      pagesFrom((page) => settledBetween(db, { ...range, ...page }), place),
    settledOf: (page, until) => settledOf(db, page, until),
    runningOf: (page) => runningOf(client(), 'suspension', page),
    handIn: (question) => handIn(db, client(), question),
    contradicted: (range, place) =>
      pagesFrom((page) => contradicted(db, { range, ...page }), place),
  };
}

function workflowOf({ id, space }: EntityKey): string {
  return workflowIdOf('suspension', id, space);
}

async function handIn(
  db: Store,
  client: Pick<Client, 'workflow'>,
  question: EntityKey,
): Promise<boolean> {
  const { workflow } = client;
  const workflowId = workflowOf(question);
  try {
    const { record } = await asked(workflow, () =>
      workflow.getHandle(workflowId).query(recordQuery),
    );
    if (isSettled(record)) return false;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
  const known = await knownOutcome(inSpace(db, question.space), question.id);
  if (known === undefined) return false;
  if (known === 'erased') throw new Error('the stored outcome was erased, and cannot be handed in');
  return signalIfOpen(client, workflowId, restoreSignal, known);
}
