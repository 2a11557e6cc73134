import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { describe, it } from 'mocha';
import { lookUntil } from '../../support/looks.js';
import { atRest } from '../support/histories.js';
import { snapshotOf } from '../support/intents.js';
import { openPlan, openTask, readPlan, readTask } from '../support/plans.js';
import { coordinate, leasesOf, openPortfolio } from '../support/portfolios.js';
import { perSuite, World } from '../support/world.js';

type Metadata = temporal.api.sdk.v1.IWorkflowMetadata;

describe('what the Temporal UI shows of a workflow', () => {
  let world: World;
  perSuite(World, (one) => (world = one));

  it('says of each Update what it does', async () => {
    const intent = await world.openIntent();
    const { id } = await world.ask(intent);
    const { handle: plan } = await openPlan(world, intent, { tasks: [{ name: 'build' }] });
    await readPlan(plan);
    const task = await openTask(world, intent);
    await readTask(task);
    const portfolio = await openPortfolio(world);
    await atRest(portfolio);
    const coordinator = await coordinate(world, intent);
    await lookUntil(
      async () => leasesOf(world, coordinator).length > 0,
      'the coordinator does not begin',
    );
    const handles: Record<string, Pick<WorkflowHandle, 'query'>> = {
      intent,
      suspension: world.suspension(id),
      plan,
      task,
      portfolio,
      coordinator,
    };
    for (const [type, handle] of Object.entries(handles)) {
      const { definition } = await handle.query<Metadata>('__temporal_workflow_metadata');
      const updates = definition?.updateDefinitions ?? [];
      assert.ok(updates.length > 0, type);
      for (const { name, description } of updates) assert.ok(description, `${type}: ${name}`);
    }
  });

  it('names the open question and the version of an intent', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const { currentDetails } = await intent.query<Metadata>('__temporal_workflow_metadata');
    assert.match(currentDetails ?? '', new RegExp(`question ${view.id}`));
    const { version } = (await snapshotOf(intent)).intent;
    assert.match(currentDetails ?? '', new RegExp(`version ${version}`));
  });
});
