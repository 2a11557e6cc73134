import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'mocha';
import { operatorResponseSignal } from '../../../workflows/suspension/messages.js';
import { replay, replayHistory } from '../support/histories.js';
import { LADDER, openSuspension, respond } from '../support/suspensions.js';
import { testBundle } from '../../support/temporal-test-server.js';
import { World } from '../support/world.js';

describe('suspension replay', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('replays answers by Update and by Signal', async () => {
    const opened = await openSuspension(world, { retry_policy: LADDER });
    await world.sleep('3601 s');
    const invalid = await world.answer(opened.view, 'neither');
    await opened.handle.signal(operatorResponseSignal, invalid);
    await world.sleep('1 s');
    await respond(opened, await world.answer(opened.view));
    await opened.handle.result();
    await assert.doesNotReject(replay(opened.handle));
  });

  it('finds a history that does not fit', async () => {
    const opened = await openSuspension(world, { timeout_seconds: 600 });
    await world.sleep('601 s');
    await opened.handle.result();
    const history = await opened.handle.fetchHistory();
    const foreign = {
      events: history.events?.filter((event) => !event.timerStartedEventAttributes) ?? [],
    };
    await assert.rejects(replayHistory(opened.handle.workflowId, foreign), {
      name: 'ReplayError',
    });
  });
});

describe('workflow bundle', () => {
  it('holds neither zod nor a Node built-in', async () => {
    const code = await readFile((await testBundle()).codePath, 'utf8');
    assert.ok(code.includes('/workflows/suspension/workflow.ts'));
    const modules = [...code.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name]) => name ?? '');
    assert.ok(modules.length > 50);
    const unwanted = modules.filter(
      (name) => /node_modules\/zod|^node:/.test(name) || BUILT_INS.includes(name),
    );
    assert.deepEqual(unwanted, []);
  });
});

const BUILT_INS = ['fs', 'path', 'crypto', 'http', 'https', 'net', 'os', 'stream', 'zlib', 'util'];
