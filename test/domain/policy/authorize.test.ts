import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { SERVER } from '../../../contracts/constants/callers.js';
import type { Caller } from '../../../contracts/people/caller.js';
import {
  actionsOf,
  authorize,
  existsFor,
  listed,
  mayAll,
  type Related,
  type Resource,
  ROLES,
  rolesFor,
} from '../../../domain/policy/authorize.js';
import {
  type Action,
  type Relation,
  rowOf,
  type Rule,
  RULES,
} from '../../../domain/policy/rules.js';
import { AUTHORIZATION_PAGE, renderAuthorization } from '../../conventions/authorization-doc.js';
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

const me = caller('me');
const auditor = caller('me', 'auditor');

describe('whom a refusal names', () => {
  it('is everybody who may in some case, if nobody like the caller ever may', () => {
    assert.equal(
      refused(authorize(auditor, 'patchTask')).accepted,
      'its agent, who made it or a key with the role agent, operator or admin',
    );
  });

  it('is only who is related, where no role is enough', () => {
    assert.equal(refused(authorize(me, 'heartbeat', {})).accepted, 'who holds the lease');
  });

  it('is the owner of each intent that a deadline reaches', () => {
    assert.equal(
      refused(authorize(me, 'addMember', { when: 'withDeadline' })).accepted,
      'the owner of each intent or a key with the role operator or admin',
    );
  });

  it('is nobody in a case that the table does not have', () => {
    const unknown = { when: 'inAnothersName' } as unknown as Resource<Action>;
    const admin = caller('root', 'admin');
    assert.equal(refused(authorize(admin, 'listIntents', unknown)).accepted, 'nobody');
    assert.equal(refused(authorize(admin, 'addMember', unknown)).accepted, 'nobody');
  });

  it('is told in words', () => {
    assert.deepEqual([[], ['one'], ['one', 'two'], ['one', 'two', 'three']].map(listed), [
      'nobody',
      'one',
      'one or two',
      'one, two or three',
    ]);
  });
});

describe('what a refusal says of an access list', () => {
  const detailOf = (action: Action, access: 'none' | 'read' | 'write') => {
    const { detail, accepted } = refused(authorize(me, action, { access }));
    return [detail, accepted];
  };
  const wording = (does: string, needs: string) => [
    `The access list of the intent does not let this agent ${does}.`,
    `an entry for its principal with the permission ${needs}`,
  ];

  it('is what it does not let the agent do', () => {
    assert.deepEqual(detailOf('getIntent', 'none'), wording('read it', 'read'));
    assert.deepEqual(detailOf('patchState', 'read'), wording('write it', 'write'));
    assert.deepEqual(detailOf('setStatus', 'write'), wording('administer it', 'admin'));
  });
});

describe('the table of who may do what', () => {
  it('is the one that its page shows', async () => {
    assert.equal(await renderAuthorization(), await readFile(AUTHORIZATION_PAGE, 'utf8'));
  });
});
