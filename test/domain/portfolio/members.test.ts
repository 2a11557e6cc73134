import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  isOverdue,
  observeMember,
  type MemberMove,
  type MemberSnapshot,
  type ObservedMember,
} from '../../../domain/portfolio/members.js';
import { plusSeconds, toMillis } from '../../../domain/kernel/time.js';
import { INTENT_ID, OPENED_AT } from '../samples.js';

type Resolution = NonNullable<NonNullable<MemberSnapshot['suspension']>['resolution']>;

/** A snapshot with what matters here: version, status, and a question with its end. */
function snapshot(
  version: number,
  status: MemberSnapshot['status'],
  suspension_id?: string,
  resolution: Resolution | null = null,
): MemberSnapshot {
  const question = { suspended_at: OPENED_AT, resolution };
  const suspension = suspension_id === undefined ? null : { suspension_id, ...question };
  return { intent_id: INTENT_ID, version, last_sequence: version, status, suspension };
}

/** Returns the member after some snapshots, and everything that happened to it. */
function observed(...snapshots: readonly MemberSnapshot[]) {
  let member: ObservedMember | undefined;
  const moves: MemberMove[] = [];
  for (const one of snapshots) {
    const observation = observeMember(member, one);
    member = observation.member;
    moves.push(...observation.moves);
  }
  return { member, told: moves.map(({ kind, suspension_id }) => `${kind} ${suspension_id}`) };
}

describe('observing a member', () => {
  it('tells that it waits, and that it goes on [R26-85]', () => {
    const { told } = observed(
      snapshot(1, 'active'),
      snapshot(3, 'suspended_awaiting_input', 'a'),
      snapshot(5, 'active', 'a', 'responded'),
    );
    assert.deepEqual(told, ['suspended a', 'resumed a']);
  });

  it('tells of a fallback that lets it go on by its status [AM-03]', () => {
    const open = snapshot(3, 'suspended_awaiting_input', 'a');
    assert.deepEqual(observed(open, snapshot(5, 'active', 'a', 'expired')).told, [
      'suspended a',
      'resumed a',
    ]);
  });

  it('tells both of a question that was asked and settled in between', () => {
    const { told } = observed(snapshot(1, 'active'), snapshot(5, 'active', 'a', 'responded'));
    assert.deepEqual(told, ['suspended a', 'resumed a']);
  });

  it('tells that one question ended where another is open', () => {
    const first = snapshot(3, 'suspended_awaiting_input', 'a');
    const { told } = observed(first, snapshot(7, 'suspended_awaiting_input', 'b'));
    assert.deepEqual(told, ['suspended a', 'resumed a', 'suspended b']);
  });

  it('tells nothing again while it waits for the record of its next question [R26-85]', () => {
    const { told } = observed(
      snapshot(3, 'suspended_awaiting_input', 'a'),
      snapshot(5, 'active', 'a', 'responded'),
      snapshot(6, 'suspended_awaiting_input', 'a', 'responded'),
      snapshot(7, 'suspended_awaiting_input', 'b'),
    );
    assert.deepEqual(told, ['suspended a', 'resumed a', 'suspended b']);
  });

  it('tells of a question that was answered before the next is waited for', () => {
    const { told, member } = observed(
      snapshot(3, 'suspended_awaiting_input', 'a'),
      snapshot(6, 'suspended_awaiting_input', 'a', 'responded'),
      snapshot(7, 'active', 'a', 'responded'),
    );
    assert.deepEqual(told, ['suspended a', 'resumed a']);
    assert.equal(member?.suspended_at, undefined);
  });

  it('says of none that was abandoned with its question that it goes on', () => {
    const open = snapshot(3, 'suspended_awaiting_input', 'a');
    for (const end of ['expired', 'cancelled'] as const) {
      assert.deepEqual(observed(open, snapshot(5, 'abandoned', 'a', end)).told, ['suspended a']);
    }
    const answered = snapshot(6, 'abandoned', 'a', 'responded');
    assert.deepEqual(observed(open, answered).told, ['suspended a', 'resumed a']);
  });

  it('tells of what is open when it becomes a member, and of nothing before', () => {
    const open = snapshot(3, 'suspended_awaiting_input', 'a');
    assert.deepEqual(observed(open).told, ['suspended a']);
    assert.deepEqual(observed(snapshot(5, 'active', 'a', 'responded')).told, []);
  });

  it('keeps of a member no more than it needs', () => {
    const open = snapshot(3, 'suspended_awaiting_input', 'a');
    assert.deepEqual(observed(open).member, {
      version: 3,
      last_sequence: 3,
      status: 'suspended_awaiting_input',
      suspension_id: 'a',
      suspended_at: OPENED_AT,
    });
    assert.deepEqual(observed(open, snapshot(5, 'active', 'a', 'responded')).member, {
      version: 5,
      last_sequence: 5,
      status: 'active',
      suspension_id: 'a',
    });
  });

  it('says nothing while the same question stays open', () => {
    const open = snapshot(3, 'suspended_awaiting_input', 'a');
    assert.deepEqual(observed(open, { ...open, version: 4 }).told, ['suspended a']);
  });

  it('takes a question for ended whose record is gone', () => {
    const open = snapshot(3, 'suspended_awaiting_input', 'a');
    assert.deepEqual(observed(open, snapshot(5, 'active')).told, ['suspended a', 'resumed a']);
  });
});

/**
 * The life of an intent: questions with their ends, some asked in two writes, and other changes between them.
 */
const life = fc
  .array(fc.constantFrom('change', 'responded', 'expired', 'cancelled'), { maxLength: 8 })
  .chain((steps) => fc.tuple(fc.constant(steps), fc.constantFrom('completed', 'abandoned', 'on')))
  .map(([steps, end]) => {
    const snapshots = [snapshot(1, 'active')];
    let version = 1;
    let last: readonly [string?, Resolution?] = [];
    for (const [index, step] of steps.entries()) {
      if (step === 'change') snapshots.push(snapshot((version += 1), 'active', ...last));
      else {
        const id = `q${index}`;
        if (index % 2 === 1) {
          snapshots.push(snapshot((version += 1), 'suspended_awaiting_input', ...last));
        }
        snapshots.push(snapshot((version += 2), 'suspended_awaiting_input', id));
        last = [id, step];
        snapshots.push(snapshot((version += 2), 'active', ...last));
      }
    }
    if (end !== 'on') {
      snapshots.push(snapshot(version + 1, end, ...last));
    }
    return snapshots;
  });

/** The same life as it is delivered: repeated, out of order, some of it lost, but not the newest. */
const delivered = life.chain((snapshots) =>
  fc
    .array(fc.constantFrom(...snapshots), { maxLength: 20 })
    .chain((some) => fc.tuple(fc.constant(snapshots), shuffled([...some, newest(snapshots)]))),
);

function shuffled<T>(values: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...values], { minLength: values.length });
}

function newest(snapshots: readonly MemberSnapshot[]): MemberSnapshot {
  return snapshots.at(-1) ?? assert.fail();
}

describe('observing a member in any order, with repeats', () => {
  it('ends at the newest snapshot', () => {
    fc.assert(
      fc.property(delivered, ([snapshots, deliveries]) => {
        const { member } = observed(...deliveries);
        assert.deepEqual(member, observed(newest(snapshots)).member);
      }),
      { numRuns: 1_000 },
    );
  });

  it('tells of each question once at most, and first that it was asked', () => {
    fc.assert(
      fc.property(delivered, ([, deliveries]) => {
        const { told } = observed(...deliveries);
        assert.equal(new Set(told).size, told.length);
        for (const [index, text] of told.entries()) {
          const asked = text.replace('resumed', 'suspended');
          if (text.startsWith('resumed')) assert.ok(told.indexOf(asked) < index, told.join());
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves as many open as there are, however the snapshots came', () => {
    fc.assert(
      fc.property(delivered, ([snapshots, deliveries]) => {
        const { told } = observed(...deliveries);
        const open = told.filter(
          (text) =>
            text.startsWith('suspended') && !told.includes(text.replace('suspended', 'resumed')),
        );
        const last = newest(snapshots);
        const left = last.status === 'abandoned' && last.suspension !== null ? 1 : 0;
        assert.ok(open.length <= (last.status === 'suspended_awaiting_input' ? 1 : left));
      }),
      { numRuns: 1_000 },
    );
  });

  it('tells of every question where no snapshot is lost', () => {
    fc.assert(
      fc.property(life, (snapshots) => {
        const asked = snapshots.flatMap(({ status, suspension }) =>
          status === 'suspended_awaiting_input' && suspension?.resolution === null
            ? [suspension.suspension_id]
            : [],
        );
        const { told } = observed(...snapshots);
        assert.deepEqual(
          told,
          asked.flatMap((id) => [`suspended ${id}`, `resumed ${id}`]),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the deadline and a member', () => {
  const at = (seconds: number): number => toMillis(OPENED_AT) + seconds * 1_000;
  const open = observed(snapshot(3, 'suspended_awaiting_input', 'a')).member ?? assert.fail();
  const deadline = plusSeconds(OPENED_AT, 60);

  it('ends what is open when it comes [R26-27]', () => {
    assert.equal(isOverdue(open, deadline, at(59)), false);
    assert.equal(isOverdue(open, deadline, at(60)), true);
    assert.equal(isOverdue(open, OPENED_AT, at(0)), true);
  });

  it('ends a wait for a question that has not come [R26-27]', () => {
    const none = snapshot(3, 'suspended_awaiting_input', 'a', 'responded');
    const waits = observed({ ...none, suspended_since: OPENED_AT }).member ?? assert.fail();
    assert.equal(isOverdue(waits, deadline, at(59)), false);
    assert.equal(isOverdue(waits, deadline, at(60)), true);
    assert.equal(isOverdue(waits, plusSeconds(OPENED_AT, -1), at(60)), false);
  });

  it('leaves alone what does not wait, and what was asked afterwards', () => {
    const active = observed(snapshot(5, 'active', 'a', 'responded')).member ?? assert.fail();
    assert.equal(isOverdue(active, deadline, at(61)), false);
    assert.equal(isOverdue(open, plusSeconds(OPENED_AT, -1), at(61)), false);
  });
});
