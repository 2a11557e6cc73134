import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { before, describe, it } from 'mocha';
import * as workflows from '../../workflows/index.js';
import { replayAll, replayHistory } from '../workflows/support/histories.js';
import { frozenHistories, type FrozenHistory } from './histories.js';

const { version: current } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
};
const ALL = frozenHistories();

const idOf = ({ version, name }: FrozenHistory): string => `${version}/${name}`;

function broken({ version, name }: FrozenHistory, error: unknown): string {
  return (
    `Workflows of ${version} that are running (${name}) could not go on with this code. Keep the old ` +
    `order of commands behind patched(), or give the changed workflow a new type. ${String(error)}`
  );
}

describe('frozen histories', () => {
  let replayed: Awaited<ReturnType<typeof replayAll>>;
  before(async () => {
    const histories = ALL.map((frozen) => {
      const { workflowId, content } = frozen;
      return { name: idOf(frozen), workflowId, history: historyFromJSON(content) };
    });
    replayed = await replayAll(histories);
  });

  for (const frozen of ALL) {
    it(`replay ${frozen.name} of ${frozen.version}`, () => {
      assert.ok(replayed.has(idOf(frozen)));
      const error = replayed.get(idOf(frozen));
      assert.equal(error, undefined, error && broken(frozen, error));
    });
  }

  for (const type of Object.keys(workflows)) {
    it(`are there for ${type} of ${current}`, () => {
      const own = ALL.filter(({ version, name }) => version === current && name.startsWith(type));
      assert.ok(own.length > 3, `only ${own.length}: npm run record-histories`);
    });
  }

  it('that do not fit the code are found out', async () => {
    const frozen = ALL.find(({ name }) => name === 'suspension-answered') ?? assert.fail();
    const { workflowId, content } = frozen;
    const { events } = content;
    const without = events.filter(({ eventType }) => !eventType.endsWith('TIMER_STARTED'));
    assert.ok(without.length < events.length);
    const changed = historyFromJSON({ events: without });
    await assert.rejects(replayHistory(workflowId, changed), { name: 'ReplayError' });
  });

  it('with other content than the code issues are found out', async () => {
    const frozen = ALL.find(({ name }) => name === 'suspension-answered') ?? assert.fail();
    const { workflowId, content } = frozen;
    const { events = [] } = historyFromJSON(content);
    const written = events?.find((event) => event.activityTaskScheduledEventAttributes);
    const [payload] = written?.activityTaskScheduledEventAttributes?.input?.payloads ?? [];
    (payload ?? assert.fail()).data = Buffer.from('"other"');
    await assert.rejects(replayHistory(workflowId, { events }), /issues another activity/);
  });
});
