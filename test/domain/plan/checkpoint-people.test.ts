import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { CheckpointRequest } from '../../../contracts/plan/plan.js';
import { knownPeople } from '../../../domain/directory/known-people.js';
import { tellingHere } from '../../../domain/directory/audience.js';
import { judgedCheckpoints } from '../../../domain/plan/checkpoints.js';
import { granted, refused } from '../samples.js';

const KEYS = [
  { space: 'default', principal: 'bob', groups: ['finance'] },
  { space: 'default', principal: 'ann', groups: [] },
];
const ALL = knownPeople('default', KEYS);
const SOME = knownPeople('default', KEYS, {}, false);

const checkpoint = (fields: Partial<CheckpointRequest>): CheckpointRequest => ({
  after_task: 'review',
  name: null,
  requires_approval: true,
  approvers: [],
  timeout_hours: null,
  on_timeout: 'escalate',
  ...fields,
});
const HERE = tellingHere(serverConfigSchema.parse({}), 'default', undefined);
const judged = (
  fields: Partial<CheckpointRequest>,
  { people = ALL, askers = [] as readonly string[], isLenient = false } = {},
) =>
  judgedCheckpoints([checkpoint({}), checkpoint(fields)], {
    people,
    telling: HERE,
    askers,
    isLenient,
  });
const rule = (eligible: object, more: object = {}) => ({ decision_rule: { eligible, ...more } });

describe('whom the checkpoints of a plan let approve', () => {
  it('may be anybody who is known, or nobody by name', () => {
    for (const fields of [
      {},
      { approvers: ['bob', 'ann'] },
      rule({ groups: ['finance'] }),
      // The rule takes the place of the approvers, and without an approval nobody is asked.
      { approvers: ['bobb'], ...rule({ principals: ['bob'] }) },
      { approvers: ['bobb'], requires_approval: false },
    ]) {
      assert.deepEqual(granted(judged(fields)), [checkpoint({}), checkpoint(fields)]);
    }
  });

  for (const [fields, field] of [
    [{ approvers: ['bob', 'bobb'] }, 'checkpoints[1].approvers[1]'],
    [{ approvers: ['bobb'], decision_rule: { quorum: 1 } }, 'checkpoints[1].approvers[0]'],
    [rule({ principals: ['bobb'] }), 'checkpoints[1].decision_rule.eligible.principals[0]'],
    [rule({ groups: ['legal'] }), 'checkpoints[1].decision_rule.eligible.groups[0]'],
  ] as const) {
    it(`is nobody unknown in ${field}: refused where all are known, else warned of`, () => {
      const own = fields as Partial<CheckpointRequest>;
      const refusal = refused(judged(own));
      assert.deepEqual([refusal.code, refusal.field], ['unknown_principal', field]);
      for (const where of [{ people: SOME }, { isLenient: true }]) {
        const { warnings = [] } = granted(judged(own, where))[1] ?? {};
        assert.match(
          warnings.join(),
          /^No key and no entry of the directory lets the (principal|group) /,
        );
      }
    });
  }

  it('is somebody else than who asks, where duties are separate', () => {
    const { code, field } = refused(judged({ approvers: ['ann'] }, { askers: ['ann'] }));
    assert.deepEqual([code, field], ['invalid_decision_rule', 'checkpoints[1].approvers']);
    granted(judged({ approvers: ['ann'] }));
    const told = granted(judged({ approvers: ['ann'] }, { askers: ['ann'], isLenient: true }))[1];
    assert.match(told?.warnings?.join() ?? '', /Duties are separate/);
  });

  it('is told of in two sentences at most, for a plan carries them', () => {
    const approvers = Array.from({ length: 20 }, (_, index) => `nobody-${index}`);
    assert.equal(granted(judged({ approvers }, { people: SOME }))[1]?.warnings?.length, 2);
  });

  it('is not judged where nobody is looked for', () => {
    const where = { people: undefined, telling: HERE, askers: [], isLenient: false };
    granted(judgedCheckpoints([checkpoint({ approvers: ['bobb'] })], where));
  });
});
