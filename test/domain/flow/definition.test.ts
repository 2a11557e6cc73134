import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { InvalidFlowError, defineFlow } from '../../../domain/flow/checks.js';
import {
  action,
  diagramOf,
  humanNode,
  merged,
  nextState,
  type FlowDefinition,
  type HumanNodeFields,
} from '../../../domain/flow/definition.js';

const NODE = { name: 'gate', description: 'A gate', prompt: 'Go on?' };
const nothing = () => Promise.resolve(undefined);

function gated(fields: Partial<HumanNodeFields> = {}): FlowDefinition {
  return {
    name: 'gated',
    initial: 'work',
    nodes: { work: action(nothing), gate: humanNode({ ...NODE, ...fields }) },
    transitions: {
      work: { ok: 'gate' },
      gate: { approved: 'done', rejected: 'failed' },
      _: { error: 'failed' },
    },
  };
}

function faultsOf(flow: FlowDefinition): readonly string[] {
  try {
    defineFlow(flow);
  } catch (error) {
    assert.ok(error instanceof InvalidFlowError, String(error));
    return error.faults;
  }
  return [];
}

describe('a human node', () => {
  it('has the defaults of the specification [JC-14, JC-15, JC-16, JC-17, JC-18, JC-19, AM-19]', () => {
    assert.deepEqual(humanNode(NODE), {
      kind: 'human',
      ...NODE,
      allowed_responses: ['approved', 'rejected'],
      response_schema: null,
      context_keys: null,
      timeout: null,
      timeout_outcome: 'timeout',
      hibernate: false,
      hibernate_after: null,
      metadata: {},
    });
  });
});

describe('a flow', () => {
  it('is refused with a schema that cannot be judged by [JC-15]', () => {
    const [fault, ...others] = faultsOf(gated({ response_schema: { items: { type: 'text' } } }));
    assert.match(fault ?? '', /at response_schema\.items\.type: .* Accepted: array,/);
    assert.deepEqual(others, []);
  });

  it('is refused with a threshold of hibernation that is no time', () => {
    for (const hibernate_after of [0, -1, 1.5, Infinity]) {
      assert.match(
        faultsOf(gated({ hibernate_after })).join(),
        /a hibernate_after that is no number/,
      );
    }
  });

  it('is refused with the first of many faults, and the beginning of long ones', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `${index} ${'x'.repeat(2_000)}`);
    const many = Object.fromEntries(names.map((name) => [name, action(nothing)]));
    const flow = { ...gated(), name: '?'.repeat(100_000), nodes: { ...gated().nodes, ...many } };
    assert.throws(
      () => defineFlow(flow),
      (error: Error) => {
        assert.ok(error instanceof InvalidFlowError);
        assert.equal(error.faults.length, 20);
        assert.ok(error.message.length < 20_000, `${error.message.length}`);
        assert.match(error.message, / And \d{4} more\.$/);
        return true;
      },
    );
  });

  it('is taken if every outcome leads somewhere', () => {
    assert.deepEqual(faultsOf(gated()), []);
  });

  const { nodes, transitions } = gated();
  for (const [what, change, fault] of [
    [
      'an outcome that nothing follows',
      { transitions: { ...transitions, gate: { approved: 'done' } } },
      'Nothing follows "gate" with the outcome "rejected".',
    ],
    [
      'an error that nothing follows',
      { transitions: { work: { ok: 'gate' }, gate: { approved: 'done', rejected: 'failed' } } },
      'Nothing follows "work" with the outcome "error".',
    ],
    [
      'a state that nothing leads to',
      {
        nodes: { ...nodes, lonely: action(nothing) },
        transitions: { ...transitions, lonely: { ok: 'done' } },
      },
      'Nothing leads to "lonely".',
    ],
    [
      'a final state that nothing leads to',
      { final: ['done', 'failed', 'gone'] },
      'Nothing leads to "gone".',
    ],
    [
      'a transition to no state',
      { transitions: { ...transitions, work: { ok: 'nowhere' } } },
      '"work" leads to "nowhere", which is no state.',
    ],
    [
      'a transition from no state',
      { transitions: { ...transitions, nowhere: { ok: 'done' } } },
      'Transitions leave "nowhere", which has no node.',
    ],
    [
      'an outcome that its node does not have',
      { transitions: { ...transitions, work: { ok: 'gate', maybe: 'done' } } },
      '"maybe" is no outcome of "work".',
    ],
    [
      'a beginning that is no state',
      { initial: 'start' },
      'It begins in "start", which has no node.',
    ],
    [
      'a final state with a node',
      { final: ['done', 'failed', 'gate'] },
      'The final state "gate" has a node.',
    ],
    [
      'a name that Mermaid takes for another word',
      { final: ['done', 'failed', 'end'] },
      /"end" is no name/,
    ],
    ['a name with a line break', { name: 'a\nb' }, /is no name/],
    ['a name that is inherited', { name: 'constructor' }, /is no name/],
    [
      'two nodes that write to one place',
      {
        nodes: { ...nodes, again: humanNode(NODE) },
        transitions: {
          ...transitions,
          gate: { approved: 'again', rejected: 'failed' },
          again: { approved: 'done', rejected: 'failed' },
        },
      },
      'Two nodes write to "gate" of the context.',
    ],
  ] as const satisfies readonly (readonly [string, Partial<FlowDefinition>, string | RegExp])[]) {
    it(`is refused with ${what}`, () => {
      const faults = faultsOf({ ...gated(), ...change });
      const isThere = faults.some((one) =>
        typeof fault === 'string' ? one === fault : fault.test(one),
      );
      assert.ok(isThere, faults.join('\n'));
    });
  }

  for (const [what, change] of [
    ['a decision', gated({ allowed_responses: ['approved', 'suspend'] })],
    ['the outcome of a timeout', gated({ timeout: 1_000, timeout_outcome: 'suspend' })],
    [
      'a transition',
      { ...gated(), transitions: { ...transitions, _: { error: 'failed', suspend: 'failed' } } },
    ],
    [
      'an outcome of an action',
      { ...gated(), nodes: { ...nodes, work: action(nothing, ['ok', 'suspend']) } },
    ],
    ['a state', { ...gated(), final: ['done', 'failed', 'suspend'] }],
  ] as const) {
    it(`is refused with the reserved word as ${what} [JC-03]`, () => {
      assert.ok(faultsOf(change).some((one) => one.endsWith('is the reserved word "suspend".')));
    });
  }

  for (const [what, fields] of [
    ['no response', { allowed_responses: [] }],
    ['a response twice', { allowed_responses: ['approved', 'approved'] }],
    ['the response error', { allowed_responses: ['approved', 'error'] }],
    ['a response that means that nobody answered', { timeout: 1, timeout_outcome: 'approved' }],
    ['a timeout of nothing', { timeout: 0 }],
    ['a timeout that is no number', { timeout: Number.NaN }],
    ['a timeout of over a hundred years', { timeout: 4e12 }],
    ['no question', { prompt: '' }],
    ['no description', { description: '' }],
  ] as const) {
    it(`is refused with a human node that has ${what}`, () => {
      assert.match(
        faultsOf(gated(fields)).join('\n'),
        /The human node of "gate" (allows|has|asks)/,
      );
    });
  }

  it('needs a transition for a timeout only where there is one [JC-08]', () => {
    const fault = 'Nothing follows "gate" with the outcome "late".';
    assert.deepEqual(faultsOf(gated({ timeout_outcome: 'late' })), []);
    assert.deepEqual(faultsOf(gated({ timeout_outcome: 'late', timeout: 1_000 })), [fault]);
    const gate = { approved: 'done', rejected: 'failed', late: 'failed' };
    const kept = { ...gated({ timeout_outcome: 'late' }), transitions: { ...transitions, gate } };
    assert.deepEqual(faultsOf(kept), []);
  });

  it('tells all that is wrong at once, by its name', () => {
    const flow = { ...gated({ prompt: '' }), initial: 'start' };
    assert.throws(() => defineFlow(flow), {
      name: 'InvalidFlowError',
      message:
        'The flow gated is not in order: It begins in "start", which has no node. The human node of "gate" asks nothing.',
    });
  });

  it('prefers the transition of a state to that of all [JC-07, JC-09]', () => {
    const flow = { transitions: { work: { error: 'again' }, _: { error: 'failed' } } };
    assert.equal(nextState(flow, 'work', 'error'), 'again');
    assert.equal(nextState(flow, 'gate', 'error'), 'failed');
    assert.equal(nextState(flow, 'gate', 'toString'), undefined);
    assert.equal(nextState(flow, 'valueOf', 'ok'), undefined);
  });

  it('is drawn with the state that it is in', () => {
    assert.equal(
      diagramOf(
        gated({
          timeout: 1_000,
          timeout_outcome: 'rejected_late',
          allowed_responses: ['approved'],
        }),
        'work',
      ),
      [
        'stateDiagram-v2',
        '  [*] --> work',
        '  work --> gate: ok',
        '  work --> failed: error',
        '  gate --> done: approved',
        '  gate --> failed: error',
        '  done --> [*]',
        '  failed --> [*]',
        '  classDef human stroke-dasharray: 4 3',
        '  class gate human',
        '  classDef current stroke-width: 3px',
        '  class work current',
      ].join('\n'),
    );
  });
});

describe('the context of a flow', () => {
  it('takes what a node gives under its name, beside what it gave before [JC-44]', () => {
    const once = merged({ input: 1 }, 'build', { version: 1, size: 5 });
    assert.deepEqual(merged(once, 'build', { version: 2 }), {
      input: 1,
      build: { version: 2, size: 5 },
    });
  });

  it('replaces what is no object, and never what is inherited', () => {
    assert.deepEqual(merged({ build: [1] }, 'build', { version: 1 }), { build: { version: 1 } });
    assert.deepEqual(merged({}, 'toString', { a: 1 }), { toString: { a: 1 } });
  });
});
