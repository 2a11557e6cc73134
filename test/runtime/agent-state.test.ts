import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createAgentStates, loadAgentStates } from '../../runtime/agent-state.js';
import { StartupError } from '../../runtime/program.js';

const KEY = Buffer.alloc(32, 1);
const OTHER = Buffer.alloc(32, 2);
const STATE = { messages: ['pay 500 to Ursula'], step: 3 };

describe('the state of an agent that is gone', () => {
  it('is sealed for its approval, and opens for no other one', () => {
    const states = createAgentStates([KEY]);
    const sealed = states.seal(STATE, 'approval-1');
    assert.doesNotMatch(sealed, /Ursula|messages/);
    assert.deepEqual(states.open(sealed, 'approval-1'), STATE);
    assert.equal(states.open(sealed, 'approval-2'), undefined);
  });

  it('is sealed anew each time', () => {
    const states = createAgentStates([KEY]);
    assert.notEqual(states.seal(STATE, 'a'), states.seal(STATE, 'a'));
  });

  it('opens with a key that sealed before, and not without it', () => {
    const sealed = createAgentStates([KEY]).seal(STATE, 'a');
    assert.deepEqual(createAgentStates([OTHER, KEY]).open(sealed, 'a'), STATE);
    assert.equal(createAgentStates([OTHER]).open(sealed, 'a'), undefined);
    assert.equal(createAgentStates([]).open(sealed, 'a'), undefined);
  });

  it('does not open once a byte of it has changed', () => {
    const states = createAgentStates([KEY]);
    const sealed = states.seal(STATE, 'a');
    const bytes = Buffer.from(sealed.slice('a256gcm:'.length), 'base64url');
    for (const at of [0, 20, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(states.open(`a256gcm:${changed.toString('base64url')}`, 'a'), undefined);
    }
    assert.equal(states.open('a256gcm:', 'a'), undefined);
  });

  it('stays in clear text without a key, and opens after one was added', () => {
    const clear = createAgentStates([]).seal(STATE, 'a');
    assert.deepEqual(createAgentStates([KEY]).open(clear, 'a'), STATE);
    assert.equal(createAgentStates([]).open(createAgentStates([]).seal(null, 'a'), 'a'), null);
  });
});

describe('the keys of these states', () => {
  it('come from the environment, the first one to seal with', () => {
    const text = [OTHER, KEY].map((key) => key.toString('base64')).join(' , ');
    const states = loadAgentStates({ HOLDPOINT_STATE_KEYS: text });
    assert.deepEqual(createAgentStates([OTHER]).open(states.seal(STATE, 'a'), 'a'), STATE);
    assert.deepEqual(states.open(createAgentStates([KEY]).seal(STATE, 'a'), 'a'), STATE);
    assert.match(loadAgentStates({}).seal(STATE, 'a'), /^json:/);
  });

  it('are refused with another length, and not repeated', () => {
    const short = Buffer.alloc(16, 3).toString('base64');
    assert.throws(
      () => loadAgentStates({ HOLDPOINT_STATE_KEYS: `${KEY.toString('base64')},${short}` }),
      (error: unknown) => {
        assert.ok(error instanceof StartupError);
        assert.match(error.message, /key 2 must be 32 bytes/);
        assert.ok(!error.message.includes(short));
        return true;
      },
    );
  });
});
