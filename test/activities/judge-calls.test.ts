import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { judgeToolCalls } from '../../activities/agent-calls.js';
import { serverConfigSchema } from '../../contracts/server/config.js';
import type { Refusal } from '../../contracts/kernel/problem.js';
import { knownPeople } from '../../domain/directory/known-people.js';
import { TOKEN } from '../support/secrets.js';

const RULES = {
  rules: [
    { tool: 'read', verdict: 'allow', risk_class: 'low' },
    { tool: 'drop', verdict: 'deny', reason: 'Never.' },
    { tool: 'pay', verdict: 'escalate', risk_class: 'high', route: 'dual_approval' },
  ],
};
const call = (tool: string, rest: object = {}) => ({
  id: `c-${tool}`,
  tool,
  arguments: {},
  ...rest,
});
const judge = (calls: readonly object[], approvals: object = RULES, rest: object = {}) =>
  judgeToolCalls(serverConfigSchema.parse({ approvals }), { agent: 'bot', calls, ...rest });

describe('judging the tool calls of an agent on Temporal', () => {
  it('gives each its verdict, in the order of the calls [A54-04, A54-09, A54-10]', async () => {
    const judged = await judge([call('pay'), call('drop'), call('read'), call('mail')]);
    assert.deepEqual(
      judged.map(({ id, verdict, route, reason }) => [id, verdict, route, reason]),
      [
        ['c-pay', 'escalate', 'dual_approval', undefined],
        ['c-drop', 'deny', 'auto', 'Never.'],
        ['c-read', 'allow', 'auto', undefined],
        ['c-mail', 'escalate', 'human_required', undefined],
      ],
    );
  });

  it('warns of users who are named and do not decide', async () => {
    const warned = async (users: object) =>
      (await judge([call('pay'), call('mail')], RULES, users)).map(
        ({ plan }) => plan?.warnings?.join() ?? '',
      );
    const [pay, mail] = await warned({ decider: 'ursula' });
    assert.match(pay ?? '', /^ursula is named to decide and does not/);
    assert.equal(mail, '');
    for (const said of await warned({ on_behalf_of: 'ursula' })) {
      assert.match(said, /^ursula, for whom it is asked, does not decide/);
    }
  });

  it('refuses a call whose decider nobody here can be, without a word of the others', async () => {
    const ursula = { space: 'default', principal: 'ursula', groups: [] };
    const judgedBy = (decider: string, isComplete: boolean) =>
      judgeToolCalls(
        serverConfigSchema.parse({ approvals: RULES }),
        { agent: 'bot', decider, calls: [call('mail'), call('read')] },
        () => Promise.resolve(knownPeople('default', [ursula], {}, isComplete)),
      );
    const codes = async (decider: string, isComplete: boolean) =>
      (await judgedBy(decider, isComplete)).map(({ refused }) => refused?.code);
    assert.deepEqual(await codes('ursule', true), ['unknown_principal', undefined]);
    assert.deepEqual(await codes('ursule', false), [undefined, undefined]);
    assert.deepEqual(await codes('ursula', true), [undefined, undefined]);
    const [mail] = await judgedBy('ursule', false);
    assert.match(mail?.plan?.stages[0]?.tiers[0]?.warnings?.join() ?? '', /principal ursule/);
  });

  it('lets a call that nobody gates run, unless a rule matches it [JC-21, AM-63]', async () => {
    const unmarked = { unmarked: true };
    const judged = await judge([
      call('mail', unmarked),
      call('read', unmarked),
      call('pay', unmarked),
      call('drop', unmarked),
      call('mail'),
    ]);
    assert.deepEqual(
      judged.map(({ verdict }) => verdict),
      ['allow', 'allow', 'escalate', 'deny', 'escalate'],
    );
    assert.deepEqual(
      judged.map((one) => 'plan' in one),
      [false, false, true, false, true],
    );
  });

  it('asks nobody about a call that seems to contain a credential [R25-101]', async () => {
    const secret = { arguments: { header: { key: TOKEN } } };
    const judged = await judge([call('pay', secret), call('read', secret), call('mail')]);
    assert.deepEqual(
      judged.map(({ refused }) => [refused?.code, refused?.field]),
      [
        ['secret_refused', 'arguments.header.key'],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    assert.ok(!JSON.stringify(judged).includes(TOKEN));
  });

  for (const [what, claimed, field] of [
    ['a policy pack, which an agent does not choose', { route: 'policy_pack' }, 'route'],
    ['a misspelt claim', { requires_aproval: true }, 'requires_aproval'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const error: unknown = await judge([call('read', { claimed })]).catch(
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof ApplicationFailure);
      const [refusal] = error.details as [Refusal];
      assert.deepEqual(
        [error.type, error.nonRetryable, refusal.field],
        ['invalid_request', true, `calls[0].claimed.${field}`],
      );
    });
  }
});
