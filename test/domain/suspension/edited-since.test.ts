import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import type { ProposedCall } from '../../../contracts/approval/approval.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { KEPT_EDIT_BYTES, editTrace } from '../../../domain/approval/proposal/edits.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import {
  editedSince,
  editsIn,
  type EditEntry,
} from '../../../domain/suspension/telling/proposal-edits.js';
import { partWith } from '../approval/wires.js';

const call = (id: string, args: JsonObject): ProposedCall => ({
  id,
  tool: 'wire',
  arguments: args,
});

/** The entry about an edit that leads from some calls to others. */
function edit(version: number, before: ProposedCall[], after: ProposedCall[]): EditEntry {
  const trace = editTrace(partWith({ calls: before }), partWith({ calls: after }), []);
  return { kind: 'proposal_edited', detail: { responded_by: 'ana', version, ...trace } };
}

/** What was edited, by a timeline alone. */
function editedIn(calls: ProposedCall[], timeline: readonly EditEntry[], version = 2) {
  return editedSince({ approval: partWith({ calls, version }) }, timeline);
}

describe('what was edited since a question was asked', () => {
  const [first, second] = [call('c1', { amount: 5 }), call('c2', { amount: 70, to: 'DE1' })];

  it('is the only call, with the arguments that the question names, whatever the timeline kept', () => {
    const context = { tool_call: { ...call('c1', { amount: 500 }) } };
    const approval = partWith({ calls: [first], version: 2 });
    const edited = [{ call: first, before: { amount: 500 } }];
    assert.deepEqual(editedSince({ approval, context }, []), edited);
    const known = edit(2, [call('c1', { amount: 600 })], [first]);
    assert.deepEqual(editedSince({ approval, context }, [known]), edited);
    for (const other of [{}, { tool_call: {} }, { tool_call: 'wire' }]) {
      assert.deepEqual(editedSince({ approval, context: other }, [known]), [
        { call: first, before: { amount: 600 } },
      ]);
    }
  });

  it('is each of several calls that were edited, in its place', () => {
    const asked = [call('c1', { amount: 5 }), call('c2', { to: 'DE2', memo: 'x' })];
    const timeline = [
      { kind: 'opened', detail: {} } as const,
      edit(2, asked, [first, call('c2', { to: 'DE3' })]),
      edit(3, [first, call('c2', { to: 'DE3' })], [first, second]),
    ];
    assert.deepEqual(editedIn([first, second], timeline, 3), [
      { call: second, position: 2, before: { to: 'DE2', memo: 'x' } },
    ]);
  });

  it('is nothing where nothing was edited, was edited back, or before the question was asked', () => {
    const other = call('c1', { amount: 9 });
    assert.deepEqual(editedIn([first, second], [edit(2, [other, second], [first, second])], 1), []);
    const back = [edit(2, [first], [other]), edit(3, [other], [first])];
    assert.deepEqual(editedIn([first], back, 3), []);
    const context = { tool_call: { ...first } };
    assert.deepEqual(
      editedSince({ approval: partWith({ calls: [first], version: 2 }), context }, []),
      [],
    );
    assert.deepEqual(editedIn([first, second], []), []);
    assert.deepEqual(editedSince({ context }, back), []);
  });

  it('is named without its arguments where the timeline had no room for them', () => {
    const large = call('c1', { memo: 'x'.repeat(KEPT_EDIT_BYTES) });
    const tooLarge = edit(2, [large, second], [first, second]);
    assert.deepEqual(editedIn([first, second], [tooLarge]), [{ call: first, position: 1 }]);
    const cut: EditEntry = { ...tooLarge, detail: { ...tooLarge.detail, left_out: 1, edits: [] } };
    assert.deepEqual(editsIn([cut])[0]?.isCut, true);
    const known = edit(3, [first, call('c2', { amount: 8 })], [first, second]);
    assert.deepEqual(editedIn([first, second], [cut, known], 3), [{ call: second, position: 2 }]);
  });

  it('are the arguments that were asked about, after any edits', () => {
    const args = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 2 }), {
      noNullPrototype: true,
    });
    const calls = fc.tuple(args, args).map(([one, two]) => [call('c1', one), call('c2', two)]);
    fc.assert(
      fc.property(fc.array(calls, { minLength: 2, maxLength: 5 }), (versions) => {
        const timeline = versions.slice(1).map((after, i) => edit(i + 2, versions[i] ?? [], after));
        const now = versions.at(-1) ?? [];
        const edited = editedIn(now, timeline, versions.length);
        for (const [index, { id, arguments: asked }] of (versions[0] ?? []).entries()) {
          const told = edited.find(({ call: { id: edited } }) => edited === id);
          const isSame = jsonEqual(asked, now[index]?.arguments ?? null);
          assert.deepEqual(told?.before, isSame ? undefined : asked);
        }
      }),
    );
  });
});
