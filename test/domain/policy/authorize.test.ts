import assert from 'node:assert/strict';
import { SERVER } from '../../../contracts/constants/callers.js';
import type { Caller } from '../../../contracts/people/caller.js';
import {
  ROLES,
  actionsOf,
  authorize,
  existsFor,
  mayAll,
  rolesFor,
  type Related,
} from '../../../domain/policy/authorize.js';
import {
  RULES,
  rowOf,
  type Action,
  type Relation,
  type Rule,
} from '../../../domain/policy/rules.js';
import { caller } from '../../support/callers.js';
import { refused } from '../samples.js';

const ACTIONS = Object.keys(RULES) as readonly Action[];
const RELATIONS: readonly Relation[] = [
  'owner',
  'owners',
  'asker',
  'holder',
  'maker',
  'assignee',
  'initiator',
];

/** Each rule of the table: its action, and its case if it has one. */
const EVERY: readonly (readonly [Action, string | undefined, Rule])[] = ACTIONS.flatMap(
  (action) => {
    const row = rowOf(action);
    if (row.isPublic) return [];
    const cases = Object.entries(row.cases ?? {});
    return [
      [action, undefined, row] as const,
      ...cases.map(([when, rule]) => [action, when, rule] as const),
    ];
  },
);

function may(by: Caller, action: Action, when: string | undefined, related: Related): boolean {
  return authorize(by, action, { ...related, ...(when && { when }) } as never).ok;
}

describe('who may do something', () => {
  for (const role of ROLES) {
    it(`is, with the role ${role}, whom the table names`, () => {
      const by = caller('me', role);
      for (const [action, when, rule] of EVERY) {
        const grant = rule[role] ?? [];
        const about = `${action} ${when ?? ''}`;
        assert.equal(may(by, action, when, {}), grant === 'any', about);
        for (const relation of RELATIONS) {
          const isGranted = grant === 'any' || grant.includes(relation);
          assert.equal(may(by, action, when, { [relation]: 'me' }), isGranted, about);
          const theirs = may(by, action, when, { [relation]: 'another' });
          assert.equal(theirs, grant === 'any', about);
        }
      }
    });
  }

  it('is whoever has one role of several that may', () => {
    assert.ok(authorize(caller('me', 'auditor', 'operator'), 'respond', {}).ok);
    assert.ok(authorize(caller('me', 'agent', 'operator'), 'createIntent', {}).ok);
  });

  it('is nobody of another space, where all spaces show', () => {
    const elsewhere = { ...caller('me', 'admin', 'auditor'), space: 'team-b' };
    const whole = [
      'requestCheckpoint',
      'listCheckpoints',
      'latestCheckpoint',
      'exportLogs',
    ] as const;
    for (const action of whole) {
      assert.equal(authorize(caller('me', 'admin'), action).ok, true, action);
      assert.equal(refused(authorize(elsewhere, action)).code, 'forbidden', action);
    }
    assert.equal(authorize(elsewhere, 'listIntents').ok, true);
  });

  it('finds only what is in its space', () => {
    const by = { ...caller('me', 'admin'), space: 'team-b' };
    assert.ok(existsFor(by, 'intent', 'team-b').ok);
    const { code, detail } = refused(existsFor(by, 'intent', 'default'));
    assert.deepEqual([code, detail], ['intent_not_found', 'No intent has this id.']);
    assert.ok(existsFor(SERVER, 'intent', 'team-b').ok);
  });

  it('is nobody without a role, but for what needs no key', () => {
    const nobody = { ...caller('me'), roles: [] };
    for (const action of ACTIONS) {
      const isOpen = rowOf(action).isPublic === true;
      assert.equal(authorize(nobody, action).ok, isOpen, action);
      assert.equal(authorize(nobody, action, {}).ok, isOpen, action);
    }
  });

  it('is the server itself, in every case', () => {
    const server = caller('holdpoint', 'system');
    for (const [action, when] of EVERY) assert.ok(may(server, action, when, {}), action);
  });

  it('is not judged by groups', () => {
    const member = { ...caller('me', 'auditor'), groups: ['operator', 'admin'] };
    assert.equal(authorize(member, 'respond', {}).ok, false);
  });

  it('compares each of several names, and none that is not known', () => {
    const mine = { when: 'abandonsSuspended' } as const;
    const by = caller('me');
    assert.ok(authorize(by, 'setStatus', { ...mine, holder: ['another', 'me'] }).ok);
    assert.equal(authorize(by, 'setStatus', { ...mine, holder: [] }).ok, false);
    assert.equal(authorize(by, 'setStatus', { ...mine, owner: undefined }).ok, false);
  });

  it('owns all only if every one is known and its own', () => {
    const reaches = { when: 'withDeadline' } as const;
    const owns = (...owners: (string | undefined)[]) =>
      authorize(caller('me'), 'addMember', { ...reaches, owners }).ok;
    assert.deepEqual(
      [owns('me'), owns('me', 'me'), owns('me', 'another'), owns('me', undefined), owns()],
      [true, true, false, false, false],
    );
  });
});

describe('who may do something at all', () => {
  it('is whoever may do it to anything in some case', () => {
    for (const action of ACTIONS) {
      for (const role of ROLES) {
        const rules = EVERY.filter(([name]) => name === action).map(([, , rule]) => rule);
        const expected = rowOf(action).isPublic ?? rules.some((rule) => rule[role] !== undefined);
        assert.equal(authorize(caller('me', role), action).ok, expected, `${role} ${action}`);
        if (!rowOf(action).isPublic) assert.equal(rolesFor(action).includes(role), expected);
      }
    }
  });

  it('is told what it may, but for what needs no key', () => {
    for (const role of ROLES) {
      const expected = ACTIONS.filter(
        (action) => rowOf(action).isPublic !== true && rolesFor(action).includes(role),
      );
      assert.deepEqual(actionsOf(caller('me', role)), expected, role);
    }
    const elsewhere = { ...caller('me', 'admin'), space: 'eu' };
    assert.ok(!actionsOf(elsewhere).includes('exportLogs'), 'shows all spaces');
  });

  it('sees all of a list, or only its own', () => {
    assert.equal(mayAll(caller('me'), 'listSuspensions'), false);
    assert.equal(mayAll(caller('me', 'auditor'), 'listSuspensions'), true);
  });
});

describe('a refusal of the policy', () => {
  it('names the roles that may', () => {
    const { code, accepted, detail } = refused(authorize(caller('me'), 'respond'));
    assert.equal(code, 'forbidden');
    const them = 'the user for whom it was asked or a key with the role operator or admin';
    assert.equal(accepted, them);
    assert.equal(detail, `Only ${them} may do this.`);
  });

  it('names the relations that may', () => {
    const resource = { when: 'abandonsSuspended' } as const;
    assert.equal(
      refused(authorize(caller('me'), 'setStatus', resource)).accepted,
      'its owner, who asked, who holds the lease or a key with the role operator or admin',
    );
  });

  it('names the space that sees all of them', () => {
    const auditor = { ...caller('me', 'auditor'), space: 'team-b' };
    const { code, accepted, detail } = refused(authorize(auditor, 'exportLogs'));
    assert.deepEqual([code, accepted], ['forbidden', 'a key of the space default']);
    assert.equal(detail, 'This shows all spaces, and only a key of the space default may do it.');
  });

  it('has the code of the rule, but for a key that may never do it', () => {
    assert.equal(refused(authorize(caller('me'), 'heartbeat', {})).code, 'lease_not_found');
    assert.equal(refused(authorize(caller('me', 'auditor'), 'heartbeat')).code, 'forbidden');
  });
});
