import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Lease } from '../../../contracts/intent/intent.js';
import {
  acquireLease,
  expireDueLeases,
  leaseEnded,
  nextLeaseInstant,
  olderThan,
  releaseLease,
  renewLease,
  resumeLeases,
} from '../../../domain/intent/lease.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import { plusSeconds, toInstant, toMillis } from '../../../domain/kernel/time.js';
import { CLOCK_ACTOR } from '../../../domain/suspension/record/events.js';
import { granted, INTENT_ID, OPENED_AT, refused } from '../samples.js';
import { caller } from '../../support/callers.js';

const NOW = toMillis(OPENED_AT);
const LEASE_ID = '0e2a54f5-6a52-4a6c-8b0e-14a4c0b6f0aa';
const OTHER_ID = '5d1f8f0e-58a1-4a0e-9f5f-0b8c9c3c7e11';

/** A lease of one minute from `OPENED_AT`; `fields` replace. */
function leaseWith(fields: Partial<Lease> = {}): Lease {
  return {
    id: LEASE_ID,
    intent_id: INTENT_ID,
    agent_id: 'agent-1',
    holder: 'agent-1',
    scope: 'refund',
    status: 'active',
    duration_seconds: 60,
    acquired_at: OPENED_AT,
    expires_at: plusSeconds(OPENED_AT, 60),
    released_at: null,
    ...fields,
  };
}

const WANTED = {
  id: LEASE_ID,
  intent_id: INTENT_ID,
  holder: 'agent-1',
  scope: 'refund',
  duration_seconds: 60,
};
const OWN = { lease_id: LEASE_ID, by: caller('agent-1') };
const at = (seconds: number): number => NOW + seconds * 1000;

/** Room for so many leases. */
const most = (leasesPerIntent: number) => ({ leasesPerIntent, leasesBytes: 10_000 });

describe('acquiring a lease', () => {
  it('grants a free scope for the whole duration', () => {
    const { leases, lease } = granted(acquireLease([], WANTED, NOW, most(1)));
    assert.deepEqual(lease, leaseWith());
    assert.deepEqual(leases, [lease]);
  });

  it('leaves the leases on other scopes alone', () => {
    const other = leaseWith({ id: OTHER_ID, scope: 'mail' });
    const { leases, lease } = granted(acquireLease([other], WANTED, NOW, most(2)));
    assert.deepEqual(leases, [other, lease]);
  });

  it('refuses a held scope, also to its holder', () => {
    for (const holder of ['agent-1', 'agent-2']) {
      const wanted = { ...WANTED, id: OTHER_ID, holder };
      const { code, field, accepted } = refused(acquireLease([leaseWith()], wanted, NOW, most(9)));
      assert.deepEqual(
        [code, field, accepted],
        ['lease_held', 'scope', 'a scope that no lease holds'],
      );
    }
  });

  it('refuses a lease that takes more bytes than there may be', () => {
    const { leasesBytes } = most(9);
    const scoped = (length: number) => ({ ...WANTED, scope: 's'.repeat(length) });
    const room = leasesBytes - jsonBytes(granted(acquireLease([], scoped(0), NOW, most(9))).leases);
    granted(acquireLease([], scoped(room), NOW, most(9)));
    const refusal = refused(acquireLease([], scoped(room + 1), NOW, most(9)));
    assert.equal(refusal.code, 'too_many_leases');
  });

  it('refuses one lease more than the limit', () => {
    const other = leaseWith({ id: OTHER_ID, scope: 'mail' });
    assert.equal(refused(acquireLease([other], WANTED, NOW, most(1))).code, 'too_many_leases');
  });

  it('finds a scope held past its instant while suspended, free after it otherwise [R25-12]', () => {
    const wanted = { ...WANTED, id: OTHER_ID, holder: 'agent-2' };
    const ruleAt = (suspended: boolean): boolean => {
      const { leases } = expireDueLeases([leaseWith()], at(999), suspended);
      return acquireLease(leases, wanted, at(999), most(9)).ok;
    };
    assert.deepEqual([ruleAt(true), ruleAt(false)], [false, true]);
  });
});

describe('renewing a lease', () => {
  const claim = { ...OWN, duration_seconds: 120 };

  it('counts the new duration from now', () => {
    const other = leaseWith({ id: OTHER_ID, scope: 'mail' });
    const { leases, lease } = granted(renewLease([other, leaseWith()], claim, at(30), false));
    const expected = leaseWith({ duration_seconds: 120, expires_at: plusSeconds(OPENED_AT, 150) });
    assert.deepEqual(lease, expected);
    assert.deepEqual(leases, [other, expected]);
  });

  it('succeeds long past the instant while suspended [R25-11]', () => {
    const { lease } = granted(renewLease([leaseWith()], claim, at(86_400), true));
    assert.equal(lease.expires_at, plusSeconds(OPENED_AT, 86_400 + 120));
  });

  it('is refused from the very instant on while not suspended', () => {
    assert.ok(renewLease([leaseWith()], claim, at(60) - 1, false).ok);
    const refusal = refused(renewLease([leaseWith()], claim, at(60), false));
    assert.equal(refusal.code, 'lease_not_found');
  });

  it('is refused to anybody else, suspended or not, and for an unknown lease [R25-12]', () => {
    for (const suspended of [false, true]) {
      for (const wrong of [{ by: caller('agent-2', 'agent', 'admin') }, { lease_id: OTHER_ID }]) {
        const ruling = renewLease([leaseWith()], { ...claim, ...wrong }, NOW, suspended);
        assert.equal(refused(ruling).code, 'lease_not_found');
      }
    }
  });
});

describe('releasing a lease', () => {
  it('drops it from the list and returns it for its event', () => {
    const other = leaseWith({ id: OTHER_ID, scope: 'mail' });
    const { leases, lease } = granted(releaseLease([leaseWith(), other], OWN, at(5), false));
    assert.deepEqual(leases, [other]);
    assert.deepEqual(lease, leaseWith({ status: 'released', released_at: toInstant(at(5)) }));
  });

  it('is refused to anybody else and once the lease is over', () => {
    const byOther = releaseLease([leaseWith()], { ...OWN, by: caller('agent-2') }, NOW, false);
    assert.equal(refused(byOther).code, 'lease_not_found');
    assert.equal(refused(releaseLease([leaseWith()], OWN, at(60), false)).code, 'lease_not_found');
    assert.ok(releaseLease([leaseWith()], OWN, at(60), true).ok);
  });
});

describe('the expiry of leases', () => {
  const long = leaseWith({ id: OTHER_ID, scope: 'mail', expires_at: plusSeconds(OPENED_AT, 90) });

  it('drops what is due and keeps the rest', () => {
    const before = [leaseWith(), long];
    assert.deepEqual(expireDueLeases(before, at(60) - 1, false), { leases: before, expired: [] });
    assert.deepEqual(expireDueLeases(before, at(60), false), {
      leases: [long],
      expired: [leaseWith({ status: 'expired' })],
    });
  });

  it('is recorded with the scope and the holder, apart from the end of the right to write', () => {
    for (const reason of ['expired', 'access_revoked'] as const) {
      assert.deepEqual(leaseEnded(leaseWith(), reason), {
        event_type: 'lease_released',
        actor: CLOCK_ACTOR,
        payload: { lease_id: LEASE_ID, agent_id: 'agent-1', scope: 'refund', reason },
      });
    }
  });

  it('passes over a suspended intent [R25-10]', () => {
    const before = [leaseWith(), long];
    assert.deepEqual(expireDueLeases(before, at(9_999), true), { leases: before, expired: [] });
  });

  it('comes next with the earliest lease, and never while suspended [R25-10]', () => {
    assert.equal(nextLeaseInstant([long, leaseWith()], false), leaseWith().expires_at);
    assert.equal(nextLeaseInstant([long, leaseWith()], true), undefined);
    assert.equal(nextLeaseInstant([], false), undefined);
  });
});

describe('the leases from before an instant', () => {
  it('are those that were acquired before it, and not at it', () => {
    const at = (seconds: number) => leaseWith({ acquired_at: plusSeconds(OPENED_AT, seconds) });
    const all = [at(-1), at(0), at(1)];
    assert.deepEqual(olderThan(all, OPENED_AT), [at(-1)]);
  });
});

describe('the leases of an intent that resumes', () => {
  const suspendedAt = plusSeconds(OPENED_AT, 20);

  it('have what was left when it suspended [R25-12]', () => {
    const settledAt = plusSeconds(OPENED_AT, 3_600);
    const [lease] = resumeLeases([leaseWith()], suspendedAt, settledAt);
    assert.deepEqual(lease, leaseWith({ expires_at: plusSeconds(settledAt, 40) }));
  });

  it('have at most one full duration when renewed meanwhile [R25-11, R25-12]', () => {
    const settledAt = plusSeconds(OPENED_AT, 3_600);
    const renewed = leaseWith({ expires_at: plusSeconds(OPENED_AT, 600) });
    const [lease] = resumeLeases([renewed], suspendedAt, settledAt);
    assert.equal(lease?.expires_at, plusSeconds(settledAt, 60));
  });

  it('end when they would have, where that is later', () => {
    const renewed = leaseWith({ expires_at: plusSeconds(OPENED_AT, 600) });
    const [lease] = resumeLeases([renewed], suspendedAt, plusSeconds(OPENED_AT, 30));
    assert.equal(lease?.expires_at, renewed.expires_at);
  });

  it('never end earlier, nor less than their rest after the answer [R25-12]', () => {
    const seconds = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(seconds, seconds, seconds, (duration, elapsed, waited) => {
        const used = Math.min(elapsed, duration);
        const granted = leaseWith({
          duration_seconds: duration,
          expires_at: plusSeconds(OPENED_AT, duration),
        });
        const suspended = plusSeconds(OPENED_AT, used);
        const settled = plusSeconds(suspended, waited);
        const [lease] = resumeLeases([granted], suspended, settled);
        assert.equal(lease?.expires_at, plusSeconds(settled, duration - used));
      }),
    );
  });
});
