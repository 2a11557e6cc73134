import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TimelineEntry, TimelineKind } from '../../../contracts/suspension/suspension.js';
import { toInstant, toMillis } from '../../../domain/kernel/time.js';
import { isReleasing, judgeRelease } from '../../../domain/suspension/people/claim.js';
import { DEFAULT_RULE } from '../../../domain/suspension/answering/decision.js';
import {
  delegatesAfter,
  delegatesIn,
  delegationBy,
  delegationsIn,
} from '../../../domain/suspension/people/delegates.js';
import { erasedEntry } from '../../../domain/suspension/record/erasure.js';
import type { SuspensionState } from '../../../domain/suspension/record/state.js';
import { sent } from '../../support/callers.js';
import { OPENED_AT, granted, recordWith, refused, settledWith } from '../samples.js';

const OPENED = toMillis(OPENED_AT);
const RULE = { ...DEFAULT_RULE, eligible: { principals: ['alice', 'bob'] } };
const OPEN: SuspensionState = {
  intent_id: null,
  record: recordWith({ decision_rule: RULE }),
  attempt: 1,
};

type Told = readonly [kind: TimelineKind, detail: TimelineEntry['detail']];
const namesIn = (timeline: readonly TimelineEntry[]) => delegatesIn(timeline).delegates ?? [];
const passed = (delegated_by: string, to: string): Told => ['delegated', { delegated_by, to }];
const tookBack = (released_by: string): Told => ['released', { released_by, taken_back: true }];
const CHANGED: Told = ['eligibility_changed', {}];

function timelineOf(...told: readonly Told[]): readonly TimelineEntry[] {
  return told.map(([kind, detail], at) => ({ sequence: at + 1, at: OPENED_AT, kind, detail }));
}

/** A question after what its timeline tells, with a claim of a principal. */
function after(told: readonly Told[], holder?: string): SuspensionState {
  const expires_at = toInstant(OPENED + 60_000);
  return {
    ...OPEN,
    ...delegatesIn(timelineOf(...told)),
    ...(holder !== undefined && { claim: { holder, claimed_at: OPENED_AT, expires_at } }),
  };
}

const attended = { isAmendable: true, asker: 'agent-1', askers: ['agent-1'] };

function release(by: string, told: readonly Told[], holder?: string, state = after(told, holder)) {
  const timeline = timelineOf(...told);
  return judgeRelease({ ...attended, state, timeline }, sent(by, 'operator'), OPENED);
}

describe('a delegation that is taken back', () => {
  it('makes nobody eligible any more, and ends the claim', () => {
    const { state, entry } = granted(release('alice', [passed('alice', 'carrol')], 'carrol'));
    assert.deepEqual(entry, [
      'released',
      { released_by: 'alice', holder: 'carrol', taken_back: true },
    ]);
    assert.deepEqual([state.delegates, state.claim], [undefined, undefined]);
  });

  it('is so also after its claim, and leaves that of others alone', () => {
    const told = [passed('alice', 'carrol')];
    assert.equal(granted(release('alice', told)).state.delegates, undefined);
    const { state } = granted(release('alice', told, 'dave'));
    assert.deepEqual([state.delegates, state.claim?.holder], [undefined, 'dave']);
  });

  it('is so by nobody but who made it, and once', () => {
    const told = [passed('alice', 'carrol')];
    assert.equal(refused(release('bob', told, 'carrol')).code, 'forbidden');
    assert.equal(refused(release('bob', told)).code, 'not_claimed');
    assert.equal(refused(release('alice', [...told, tookBack('alice')])).code, 'not_claimed');
    assert.equal(refused(release('alice', [...told, CHANGED])).code, 'not_claimed');
    const settled = { ...after(told), record: settledWith() };
    assert.equal(refused(release('alice', told, undefined, settled)).code, 'suspension_settled');
    const agent = sent('alice', 'agent');
    const timeline = timelineOf(...told);
    const byAgent = judgeRelease({ ...attended, state: after(told), timeline }, agent, OPENED);
    assert.equal(refused(byAgent).code, 'forbidden');
    const tooLate = judgeRelease({ ...attended, state: settled, timeline }, agent, OPENED);
    assert.equal(refused(tooLate).code, 'forbidden');
  });

  it('is so after the claim of who made it', () => {
    const told = [passed('alice', 'carrol')];
    const { state, entry } = granted(release('alice', told, 'alice'));
    assert.deepEqual(entry, ['released', { released_by: 'alice', holder: 'alice' }]);
    assert.deepEqual([state.delegates, state.claim], [['carrol'], undefined]);
    const ended: readonly Told[] = [...told, entry];
    assert.equal(granted(release('alice', ended)).state.delegates, undefined);
    assert.equal(refused(release('alice', [...ended, tookBack('alice')])).code, 'not_claimed');
  });

  it('is so alone, or left alone, where a release says what it is to end', () => {
    const told = [passed('alice', 'carrol')];
    const judged = (what: 'claim' | 'delegation', holder?: string) =>
      judgeRelease(
        { ...attended, state: after(told, holder), timeline: timelineOf(...told) },
        { ...sent('alice', 'operator'), what },
        OPENED,
      );
    const back = granted(judged('delegation', 'alice')).state;
    assert.deepEqual([back.delegates, back.claim?.holder], [undefined, 'alice']);
    const free = granted(judged('claim', 'alice')).state;
    assert.deepEqual([free.delegates, free.claim], [['carrol'], undefined]);
    assert.equal(refused(judged('claim')).detail, 'Nobody has claimed the question.');
    assert.equal(refused(judged('claim', 'carrol')).code, 'forbidden');
    const none = { ...attended, state: after([], 'alice'), timeline: [] };
    const message = { ...sent('alice', 'operator'), what: 'delegation' } as const;
    assert.match(refused(judgeRelease(none, message, OPENED)).detail, /passed the question on to/);
    assert.ok(isReleasing(message) && isReleasing(sent('alice', 'operator')));
    assert.ok(isReleasing({ ...message, what: 'claim' }));
    assert.ok(!isReleasing({ ...message, what: 'all' }) && !isReleasing({ what: 'claim' }));
  });

  it('ends what was passed on from there', () => {
    const told = [passed('alice', 'carrol'), passed('carrol', 'eve'), passed('bob', 'dave')];
    const { state } = granted(release('alice', told, 'eve'));
    assert.deepEqual([state.delegates, state.claim], [['dave'], undefined]);
  });

  it('ends also what two have passed on to each other from there', () => {
    const told = [passed('alice', 'carrol'), passed('carrol', 'eve'), passed('eve', 'carrol')];
    assert.deepEqual(granted(release('alice', told, 'carrol')).state.delegates, undefined);
    const back = [...told, passed('bob', 'eve')];
    assert.deepEqual(granted(release('alice', back)).state.delegates, ['eve', 'carrol']);
    const again = [passed('alice', 'bob'), passed('bob', 'alice'), passed('alice', 'bob')];
    assert.deepEqual(granted(release('bob', again)).state.delegates, ['bob']);
  });

  it('stands as long as another has passed it on to the same one', () => {
    const told = [passed('alice', 'carol'), passed('bob', 'carol'), passed('carol', 'dave')];
    const { state } = granted(release('alice', told, 'carol'));
    assert.deepEqual([state.delegates, state.claim?.holder], [['carol', 'dave'], 'carol']);
  });

  for (const [shape, ...rest] of [
    ['itself', passed('carrol', 'carrol')],
    ['another and back', passed('carrol', 'eve'), passed('eve', 'carrol')],
  ] as const) {
    it(`leaves nothing of a wrong name that passed it on to ${shape}`, () => {
      const told = [passed('alice', 'carrol'), ...rest];
      const { state } = granted(release('alice', told, 'carrol'));
      assert.deepEqual([state.delegates, state.claim], [undefined, undefined]);
      const other = delegatesAfter(timelineOf(...told), ['delegated', passed('alice', 'dave')[1]]);
      assert.deepEqual(other, { delegates: ['dave'] });
    });
  }

  it('ends what came later alone, not what was given by a right of its own', () => {
    const [own, wrong] = [passed('bob', 'dave'), passed('alice', 'bob')];
    const before = granted(release('alice', [own, wrong], 'bob')).state;
    assert.deepEqual([before.delegates, before.claim], [['dave'], undefined]);
    assert.equal(granted(release('alice', [wrong, own], 'dave')).state.delegates, undefined);
    const again = [own, wrong, own];
    assert.deepEqual(granted(release('alice', again)).state.delegates, ['dave']);
  });

  it('ends what rests on both that were taken back, in either order', () => {
    const told = [passed('alice', 'carol'), passed('carol', 'dave'), passed('bob', 'carol')];
    for (const [first, second] of [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ] as const) {
      const once = [...told, tookBack(first)];
      assert.deepEqual(new Set(namesIn(timelineOf(...once))), new Set(['carol', 'dave']));
      assert.deepEqual(namesIn(timelineOf(...once, tookBack(second))), []);
    }
  });
});

describe('the delegations of a timeline', () => {
  const inForce = (...told: readonly Told[]) =>
    delegationsIn(timelineOf(...told)).map(({ by, to, in_force }) => `${by} ${to} ${in_force}`);

  it('are in force, the last of each person, until they are taken back', () => {
    const both = [passed('alice', 'carrol'), passed('alice', 'carol'), passed('bob', 'dave')];
    assert.deepEqual(inForce(...both), ['alice carrol false', 'alice carol true', 'bob dave true']);
    assert.deepEqual(inForce(...both, tookBack('alice')).slice(1), [
      'alice carol false',
      'bob dave true',
    ]);
    assert.deepEqual(inForce(...both, CHANGED).slice(1), ['alice carol false', 'bob dave false']);
    assert.deepEqual(inForce(passed('alice', 'carol'), CHANGED, passed('alice', 'carol')), [
      'alice carol false',
      'alice carol true',
    ]);
  });

  it('keep what was passed on, where the same is said again', () => {
    const told = [passed('alice', 'carol'), passed('carol', 'dave'), passed('alice', 'carol')];
    assert.deepEqual(namesIn(timelineOf(...told)), ['carol', 'dave']);
    const other = [...told, passed('alice', 'eve')];
    assert.deepEqual(namesIn(timelineOf(...other)), ['eve']);
  });

  it('are left alone by the end of a claim, and by comments', () => {
    const told = [
      passed('alice', 'carol'),
      ['released', { released_by: 'alice', holder: 'alice' }],
      ['released', { taken_back: true }],
      ['commented', { released_by: 'alice', taken_back: true }],
      ['commented', { delegated_by: 'alice', to: 'eve' }],
    ] as const;
    const timeline = timelineOf(...told);
    assert.deepEqual(namesIn(timeline), ['carol']);
    assert.deepEqual(namesIn(timelineOf(...told, tookBack('bob'))), ['carol']);
    assert.equal(delegationBy(timeline, 'alice')?.to, 'carol');
    assert.equal(delegationBy(timeline, 'carol')?.to, undefined);
    assert.deepEqual(namesIn(timeline.map(erasedEntry)), []);
    const halves = [
      ['delegated', { delegated_by: 'alice' }],
      ['delegated', { to: 'eve' }],
    ] as const;
    assert.deepEqual(delegationsIn(timelineOf(...halves)), []);
    const [whole] = delegationsIn(timelineOf(passed('alice', 'carol')));
    assert.equal(whole?.reason, '');
  });

  it('say who may answer besides after one more, each once', () => {
    const timeline = timelineOf(passed('alice', 'carol'));
    assert.deepEqual(delegatesAfter(timeline, ['delegated', passed('bob', 'carol')[1]]), {
      delegates: ['carol'],
    });
    assert.deepEqual(delegatesAfter(timeline, ['released', tookBack('alice')[1]]), {});
    assert.deepEqual(delegatesAfter([], ['delegated', passed('bob', 'dave')[1]]), {
      delegates: ['dave'],
    });
  });
});
