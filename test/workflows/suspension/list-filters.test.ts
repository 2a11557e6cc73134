import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { describe, it } from 'mocha';
import { workflowIdOf } from '../../../contracts/constants/names.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import {
  askerAttributes,
  openingAttributes,
  statusAttributes,
} from '../../../workflows/engine/search-attributes.js';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { lookUntil } from '../../support/looks.js';
import { Agents } from '../support/agents.js';
import { planAtCheckpoint } from '../support/plans.js';
import { HOUR, openSuspension } from '../support/suspensions.js';
import { perSuite, type World } from '../support/world.js';

const SUBJECT = defineSearchAttributeKey('HoldpointSubject', 'KEYWORD');
const ASKED_BY = defineSearchAttributeKey('HoldpointAskedBy', 'KEYWORD');
/** The task queue of workflows that nobody runs. */
const NOBODYS = `nobody-${randomUUID()}`;
const CONFIRM = { question: 'Refund?', response_type: 'confirm' } as const;

const PAGE = path.resolve(import.meta.dirname, '../../../docs/watch-and-repair.md');
const TABLE = /\n\| +to find +\| filter [^]*?\n\n/;

/** The filters for the list of workflows in the documentation, in order. */
function documentedFilters(): readonly string[] {
  const [table] = TABLE.exec(readFileSync(PAGE, 'utf8')) ?? assert.fail('no table of filters');
  return [...table.matchAll(/`([^`]+)`/g)].map(([, filter]) => filter ?? '');
}

/** The workflow that waits, by its id, and who asked. */
async function askerOf(handle: Pick<WorkflowHandle, 'describe'>): Promise<unknown[]> {
  const { typedSearchAttributes } = await handle.describe();
  return [typedSearchAttributes.get(SUBJECT), typedSearchAttributes.get(ASKED_BY)];
}

describe('the list of workflows in Temporal', () => {
  let agents: Agents;
  let world: World;
  perSuite(Agents, (one) => ({ world } = agents = one), { on: 'dev server' });

  /** The ids of the workflows of this file that a filter finds, once they are those that it should find. */
  async function finds(query: string, ...expected: readonly string[]): Promise<void> {
    let found: string[] = [];
    await lookUntil(
      async () => {
        found = [];
        for await (const { workflowId, taskQueue } of world.client.list({ query })) {
          // The server may have served another file before.
          if ([world.taskQueue, NOBODYS].includes(taskQueue)) found.push(workflowId);
        }
        return found.length === expected.length && expected.every((id) => found.includes(id));
      },
      () => `${query} finds ${found.join(', ')} and not ${expected.join(', ')}`,
    );
  }

  /** A workflow that nobody runs, with what a question of this view has in the list. */
  async function listed(view: LiveView): Promise<WorkflowHandle> {
    return world.client.start('suspension', {
      workflowId: workflowIdOf('suspension', randomUUID()),
      taskQueue: NOBODYS,
      typedSearchAttributes: [
        ...openingAttributes(view),
        ...statusAttributes(view.record.resolution ?? 'pending'),
      ],
    });
  }

  it('names the workflow of an agent that waits, and who asked', async () => {
    const agent = await agents.run('asks', CONFIRM);
    const { id } = await agents.question(agent);
    const { workflowId } = agent;
    assert.deepEqual(await askerOf(world.suspension(id)), [workflowId, workflowId]);
    const other = await agents.run('asks', { ...CONFIRM, asked_by: 'refund-agent' });
    const question = world.suspension((await agents.question(other)).id);
    assert.deepEqual(await askerOf(question), [other.workflowId, 'refund-agent']);
  });

  it('names both of a question that goes on in another run', async () => {
    const asker = { subject_workflow_id: `agent-${randomUUID()}`, asked_by: 'refund-agent' };
    const opened = await openSuspension(
      world,
      {},
      { ...asker, intent_id: null, history_limit: 40 },
      askerAttributes(asker),
    );
    const { runId } = await opened.handle.describe();
    const invalid = await world.answer(opened.view, 'neither');
    await lookUntil(async () => {
      await opened.handle.signal(operatorResponseSignal, invalid);
      return (await opened.handle.describe()).runId !== runId;
    }, 'it stays in its run');
    assert.deepEqual(await askerOf(opened.handle), [asker.subject_workflow_id, asker.asked_by]);
  });

  it('is read by the filters in the documentation', async () => {
    const [ofSubject = '', ofAsker = '', expiring = '', escalated = '', expired = '', ...more] =
      documentedFilters();
    assert.deepEqual(more, []);
    const { handle, id } = await planAtCheckpoint(world);
    await planAtCheckpoint(world);
    await finds(
      ofSubject.replace('<workflow id>', handle.workflowId),
      workflowIdOf('suspension', id),
    );
    const asked_by = `agent ${randomUUID()}`;
    const agent = await agents.run('asksMany', [
      { ...CONFIRM, asked_by },
      { ...CONFIRM, asked_by },
    ]);
    const asked = await agents.questions(agent, 2);
    const ids = asked.map((view) => workflowIdOf('suspension', view.id));
    await finds(ofAsker.replace('<principal>', asked_by), ...ids);
    const [first] = asked;
    const view = first ?? assert.fail('nothing was asked');
    const now = await world.now();
    const inAnHour = new Date(now + HOUR).toISOString();
    const soon = new Date(now + HOUR / 2).toISOString();
    const due = await listed({ ...view, record: { ...view.record, expires_at: soon } });
    await finds(expiring.replace('<instant>', inAnHour), due.workflowId);
    const channel_hint = `pager-${randomUUID()}`;
    const paged = await listed({ ...view, record: { ...view.record, channel_hint } });
    await finds(escalated.replace('<channel>', channel_hint), paged.workflowId);
    const over = await listed({ ...view, record: { ...view.record, resolution: 'expired' } });
    await over.terminate();
    const today = new Date(now - HOUR).toISOString();
    await finds(expired.replace('<instant>', today), over.workflowId);
  });
});
