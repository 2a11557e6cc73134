import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { Caller } from '../../contracts/people/caller.js';
import { workflowIdOf } from '../../contracts/constants/names.js';
import {
  acquireLeaseUpdate,
  createChildUpdate,
  intentQuery,
  patchStateUpdate,
  suspendUpdate,
} from '../../workflows/intent/messages.js';
import {
  operatorResponseSignal,
  recordQuery,
  respondUpdate,
} from '../../workflows/suspension/messages.js';
import { lookUntil } from '../support/looks.js';
import { caller } from '../support/callers.js';
import { Agents } from './support/agents.js';
import { everythingOf, refusalOf, writeStatus, type IntentHandle } from './support/intents.js';
import { perSuite } from './support/world.js';

const SPACE_ATTRIBUTE = defineSearchAttributeKey('HoldpointSpace', 'KEYWORD');
const SPACE = 'team/b';
const inSpace = (by: Caller): Caller => ({ ...by, space: SPACE });
const AGENT = inSpace(caller('agent-1'));
const ALICE = inSpace(caller('alice', 'operator'));

describe('workflows of a space', () => {
  let agents: Agents;
  perSuite(Agents, (one) => (agents = one));

  async function openIntent(): Promise<IntentHandle> {
    const { world } = agents;
    const intent = await world.newIntent();
    return world.client.start('intent', {
      workflowId: workflowIdOf('intent', intent.id, SPACE),
      taskQueue: world.taskQueue,
      args: [{ log_key: randomUUID(), intent }],
    });
  }

  const draft = { question: 'Go?', response_type: 'text', context: {}, fallback_policy: 'fail' };

  async function ask(handle: IntentHandle): Promise<string> {
    const asked = { by: AGENT, actor: 'agent-1', draft } as never;
    const { suspension_id } = await handle.executeUpdate(suspendUpdate, { args: [asked] });
    await agents.world.delivered(suspension_id, SPACE);
    return suspension_id;
  }

  it('do not exist to callers of another space, whose writes leave no trace', async () => {
    const handle = await openIntent();
    const untouched = await everythingOf(agents.world, handle);
    const by = caller('agent-1', 'agent', 'operator', 'admin');
    const sender = { by, actor: 'agent-1' };
    const writes = [
      () => writeStatus(handle, 'completed', { by }),
      () =>
        handle.executeUpdate(patchStateUpdate, {
          args: [{ ...sender, if_match: 1, patches: [] }],
        }),
      () =>
        handle.executeUpdate(acquireLeaseUpdate, {
          args: [{ ...sender, scope: 'x', duration_seconds: 60 }],
        }),
      () => handle.executeUpdate(suspendUpdate, { args: [{ ...sender, draft } as never] }),
    ];
    for (const write of writes) {
      const { code, detail } = await refusalOf(write());
      assert.deepEqual([code, detail], ['intent_not_found', 'No intent has this id.']);
    }
    assert.deepEqual(await everythingOf(agents.world, handle), untouched);
  });

  it('ask in it, and are answered by its operators alone', async () => {
    const { world } = agents;
    const handle = await openIntent();
    const id = await ask(handle);
    const question = world.suspension(id, SPACE);
    const view = await question.query(recordQuery);
    const foreign = await world.answer(view, 'yes');
    const refusal = await refusalOf(question.executeUpdate(respondUpdate, { args: [foreign] }));
    assert.equal(refusal.code, 'suspension_not_found');
    await question.signal(operatorResponseSignal, foreign);
    assert.equal((await question.query(recordQuery)).state, 'pending');
    await question.executeUpdate(respondUpdate, { args: [{ ...foreign, by: ALICE }] });
    await lookUntil(
      async () => (await handle.query(intentQuery)).intent.status === 'active',
      'the intent does not go on',
    );
  });

  it('start their children in it', async () => {
    const { world } = agents;
    const handle = await openIntent();
    const parent = await handle.query(intentQuery);
    const child = await world.newIntent();
    const intent = { ...child, parent_intent_id: parent.intent.id };
    await handle.executeUpdate(createChildUpdate, { args: [{ by: AGENT, intent }] });
    const started = world.client.getHandle(workflowIdOf('intent', child.id, SPACE));
    const { typedSearchAttributes } = await started.describe();
    assert.equal(typedSearchAttributes.get(SPACE_ATTRIBUTE), SPACE);
  });

  it('are asked in by requestInput, which names it', async () => {
    const { world } = agents;
    const options = { question: 'Refund?', response_type: 'confirm', space: SPACE } as const;
    const agent = await agents.run('asks', options);
    const id = await lookUntil(async () => {
      const row = world.activities.rows.find(
        (one) => one.kind === 'suspension_opened' && one.asked_by === agent.workflowId,
      );
      return row?.kind === 'suspension_opened' && row.record.id;
    }, 'nothing was asked');
    await world.delivered(id, SPACE);
    const question = world.suspension(id, SPACE);
    const answer = await world.answer(await question.query(recordQuery), 'yes');
    await question.executeUpdate(respondUpdate, { args: [{ ...answer, by: ALICE }] });
    assert.equal(await agent.result(), 'yes');
  });
});
