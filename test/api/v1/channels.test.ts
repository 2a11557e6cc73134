import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { rigOver } from '../support/harness.js';

const AT = '2026-03-24T10:00:00.000Z';
const CONFIG = {
  directory: {},
  notifications: {
    default_channel: 'ops',
    channels: {
      ops: { type: 'webhook', url: 'https://ops.example', secrets: ['$OPS'] },
      chat: { type: 'slack', bot_token: '$BOT' },
      mail: { type: 'email', smtp: '$SMTP', from: 'hold@example.com' },
    },
  },
};

describe('GET /v1/server/channels', () => {
  const newestTries = () =>
    Promise.resolve({
      last_delivered: { at: AT, status_code: 204 },
      last_failed: { at: AT, status_code: 410, outcome: 'endpoint_gone' },
    });

  const REFUSED = {
    state: 'failed',
    at: AT,
    outcome: 'slack_login_refused',
    reason: 'Slack answered invalid_auth',
  } as const;
  // Of a webhook there is nothing to ask, whatever an older worker may have left.
  const channelChecks = () =>
    Promise.resolve(
      new Map([
        ['chat', REFUSED],
        ['ops', REFUSED],
      ]),
    );

  const store = { newestTries, channelChecks };

  it('has each channel by its newest tries and checks, and no address or secret', async () => {
    const rig = rigOver({ store, config: CONFIG });
    const tries = await newestTries();
    const never = { state: 'unknown', at: null, outcome: null, reason: null };
    for (const who of ['operator', 'admin', 'auditor'] as const) {
      const { status, body, text } = await rig.send(who, 'get', '/v1/server/channels');
      assert.equal(status, 200);
      assert.deepEqual(body, {
        channels: [
          { name: 'ops', type: 'webhook', ...tries, check: null },
          { name: 'chat', type: 'slack', ...tries, check: REFUSED },
          { name: 'mail', type: 'email', ...tries, check: never },
        ],
      });
      assert.doesNotMatch(text, /example|OPS|BOT|SMTP/);
    }
    const asked = rig.asked.filter(({ name }) => name === 'newestTries');
    assert.deepEqual(asked[1]?.args, ['chat']);
  });

  it('says whom the configuration lets approve and nobody can be', async () => {
    const approvals = { routes: { human_required: { approvers: { groups: ['financ'] } } } };
    const peopleIn = () => knownPeople('default', []);
    const rig = rigOver({ store, config: { ...CONFIG, approvals }, deps: { peopleIn } });
    const { body } = await rig.send('admin', 'get', '/v1/server/channels');
    assert.equal(body.unknown_approvers.length, 1);
    assert.match(body.unknown_approvers[0], /financ/);
  });
});
