import assert from 'node:assert/strict';
import {
  cancelledResult,
  completedResult,
  deniedResult,
  erroredResult,
  mutatedResult,
  proposed,
  rejectedResult,
  undecidedResult,
} from '../../../domain/approval/running/tool-result.js';

const CALL = { id: 'c1', name: 'deploy', arguments: { env: 'prod' } };
const OWN = { arguments: CALL.arguments, edited: false };
const EDITED = { arguments: { env: 'staging' }, edited: true };
const ID = '0b6a4a3e-1f0e-4a55-9d0a-111111111111';
const DECIDED = { approval_id: ID, respondent: 'alice', comment: 'Too risky.' };
const BASE = { call_id: 'c1', name: 'deploy' };

describe('the result of a call', () => {
  it('that a person rejected tells the model so, in exactly these words [JC-31, JC-38]', () => {
    assert.deepEqual(rejectedResult(CALL, { ...DECIDED, data: { a: 1 } }, 'inject_result'), {
      ...BASE,
      ...DECIDED,
      data: { a: 1 },
      status: 'rejected',
      content:
        'Tool result for "deploy": REJECTED by human reviewer. Reason: "Too risky."\nChoose a different approach.',
      is_error: true,
    });
  });

  it('quotes the comment as it was given, and none if there is none [JC-31]', () => {
    const comment = 'Say "no"\nto prod';
    const { content } = rejectedResult(CALL, { ...DECIDED, comment }, 'cancel_task');
    assert.match(content, /Reason: "Say "no"\nto prod"\nChoose a different approach\.$/);
    const silent = rejectedResult(CALL, { approval_id: ID }, 'inject_result');
    assert.equal(
      silent.content,
      'Tool result for "deploy": REJECTED by human reviewer.\nChoose a different approach.',
    );
  });

  it('is that of a policy, if a rejection means that [A54-23, AM-50]', () => {
    const { status, code, content } = rejectedResult(CALL, DECIDED, 'policy_deny');
    assert.deepEqual([status, code], ['denied', 'policy_denied']);
    const byRule = deniedResult(CALL, 'Too risky.');
    assert.equal(content, byRule.content);
    assert.deepEqual(
      [byRule.status, byRule.code, byRule.is_error],
      ['denied', 'policy_denied', true],
    );
    assert.doesNotMatch(deniedResult(CALL, undefined).content, /Reason/);
  });

  it('never says that a person rejected what nobody decided', () => {
    const decided = { approval_id: ID, reason: 'found out' };
    const texts = (['expired', 'withdrawn', 'lost'] as const).map((why) => {
      const { status, content, is_error } = undecidedResult(CALL, why, decided);
      assert.deepEqual([status, is_error], ['not_approved', true]);
      assert.doesNotMatch(content, /REJECTED|human/);
      return content.split('\n')[0]?.replace('Tool result for "deploy": NOT APPROVED, ', '');
    });
    assert.deepEqual(texts, [
      'because nobody decided in time.',
      'because the request was withdrawn. Reason: "found out"',
      'because the request was lost.',
    ]);
  });

  it('is what the tool returned', () => {
    assert.deepEqual(completedResult(CALL, { url: 'x' }, OWN, DECIDED), {
      ...BASE,
      ...DECIDED,
      status: 'completed',
      content: '{"url":"x"}',
      is_error: false,
      value: { url: 'x' },
      arguments: { env: 'prod' },
    });
    assert.equal(completedResult(CALL, 'done', OWN).content, 'done');
    const nothing = completedResult(CALL, undefined, OWN);
    assert.deepEqual([nothing.content, nothing.value], ['null', null]);
  });

  it('tells the model which arguments ran, if a person edited them', () => {
    const result = completedResult(CALL, 'done', EDITED, DECIDED);
    assert.equal(
      result.content,
      'A human reviewer edited the arguments of "deploy". It ran with: {"env":"staging"}\ndone',
    );
    assert.deepEqual([result.arguments, result.edited], [{ env: 'staging' }, true]);
    const failed = erroredResult(CALL, 'no host', EDITED, DECIDED);
    assert.match(failed.content, /ran with: \{"env":"staging"\}\nTool result .* ERROR\. no host$/);
    assert.deepEqual([failed.arguments, failed.edited], [{ env: 'staging' }, true]);
  });

  it('is an error, with arguments only if the tool ran', () => {
    assert.deepEqual(erroredResult(CALL, 'no host'), {
      ...BASE,
      status: 'errored',
      content: 'Tool result for "deploy": ERROR. no host',
      is_error: true,
    });
    const ran = erroredResult(CALL, 'no host', OWN);
    assert.deepEqual(
      [ran.content, ran.arguments, ran.edited],
      ['Tool result for "deploy": ERROR. no host', { env: 'prod' }, undefined],
    );
  });

  it('names the call because of which it was cancelled [AM-62]', () => {
    assert.deepEqual(cancelledResult(CALL, 'delete', false), {
      ...BASE,
      status: 'cancelled',
      content: 'Tool result for "deploy": CANCELLED, because "delete" was not approved.',
      is_error: true,
    });
  });

  it('says of a cancelled call that had begun that it may have acted', () => {
    assert.equal(
      cancelledResult(CALL, 'delete', true).content,
      'Tool result for "deploy": CANCELLED, because "delete" was not approved. It had begun, and may have acted.',
    );
  });

  it('is an error if something else was about to run', () => {
    const { status, code, content, is_error } = mutatedResult(CALL, DECIDED);
    assert.deepEqual([status, code, is_error], ['mutated', 'proposal_mutation_detected', true]);
    assert.match(content, /NOT RUN \(proposal_mutation_detected\)/);
  });

  it('has the call as it is proposed', () => {
    assert.deepEqual(proposed(CALL), { id: 'c1', tool: 'deploy', arguments: { env: 'prod' } });
  });
});
