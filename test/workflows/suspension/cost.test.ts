import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { historyOf, respond } from '../support/suspensions.js';
import { World } from '../support/world.js';

describe('suspension cost', () => {
  let world: World;
  before(async () => {
    world = await World.start();
  });
  after(() => world.close());

  it('costs eight events beside its workflow tasks', async () => {
    const intent = await world.openIntent();
    const view = await world.ask(intent);
    const handle = world.suspension(view.id);
    await world.sleep('60 s');
    await respond({ handle }, await world.answer(view));
    await handle.result();
    const kinds = (await historyOf({ handle })).map((event) =>
      Object.keys(event).find((key) => key.endsWith('Attributes')),
    );
    assert.equal(kinds.length, 8, kinds.join());
  });
});
