import assert from 'node:assert/strict';
import type { temporal } from '@temporalio/proto';
import { after, before, describe, it } from 'mocha';
import { calm } from '../support/intents.js';
import { World } from '../support/world.js';

type Metadata = temporal.api.sdk.v1.IWorkflowMetadata;

describe('what the Temporal UI shows of a workflow', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('says of each Update what it does', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    await calm(intent);
    for (const handle of [intent, world.suspension(view.id)]) {
      const { definition } = await handle.query<Metadata>('__temporal_workflow_metadata');
      const updates = definition?.updateDefinitions ?? [];
      assert.ok(updates.length > 3);
      for (const { name, description } of updates) assert.ok(description, `${name}`);
    }
  });

  it('names the open question and the version of an intent', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    await calm(intent);
    const { currentDetails } = await intent.query<Metadata>('__temporal_workflow_metadata');
    assert.match(currentDetails ?? '', new RegExp(`question ${view.id}`));
    const { version } = (await world.snapshot(intent)).intent;
    assert.match(currentDetails ?? '', new RegExp(`version ${version}`));
  });
});
