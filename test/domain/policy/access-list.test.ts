import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { AccessEntry, AccessList, Guarded } from '../../../contracts/intent/access.js';
import { LIMITS } from '../../../contracts/constants/limits.js';
import { jsonBytes } from '../../../domain/kernel/json.js';
import {
  accessOf,
  changeAccess,
  guardFor,
  includes,
  isGuard,
  mayRead,
  readerOf,
} from '../../../domain/policy/access-list.js';
import { authorize } from '../../../domain/policy/authorize.js';
import { RULES, rowOf, type Action } from '../../../domain/policy/rules.js';
import { caller } from '../../support/callers.js';
import { granted, refused } from '../samples.js';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const AGENT = { principal: 'agent-2', groups: ['research'] };

function entry(fields: Partial<AccessEntry> = {}): AccessEntry {
  return {
    id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
    principal_id: 'agent-2',
    principal_type: 'agent',
    permission: 'read',
    granted_by: 'agent-1',
    granted_at: '2026-11-22T09:00:00.000Z',
    expires_at: null,
    reason: null,
    ...fields,
  };
}

const list = (default_policy: AccessList['default_policy'], ...entries: AccessEntry[]) => ({
  owner: 'agent-1',
  access: { default_policy, entries },
});

describe('an access list', () => {
  it('narrows nobody but agents', () => {
    const closed = list('closed');
    for (const role of ['operator', 'admin', 'auditor', 'system'] as const) {
      assert.equal(accessOf(readerOf(caller('x', role)), closed, NOW), 'admin');
      assert.equal(accessOf(readerOf(caller('x', 'agent', role)), closed, NOW), 'admin');
    }
    assert.equal(accessOf(readerOf(caller('x')), closed, NOW), 'none');
  });

  it('narrows an agent that is a user too as it narrows an agent', () => {
    const both = caller('agent-2', 'agent', 'user');
    const turned = caller('agent-2', 'user', 'agent');
    for (const one of [both, turned]) {
      assert.deepEqual(readerOf(one, 'own'), readerOf(caller('agent-2'), 'own'));
      assert.equal(accessOf(readerOf(one), list('closed'), NOW), 'none');
      assert.equal(accessOf(readerOf(one, 'own'), { owner: 'agent-1' }, NOW), 'none');
      assert.equal(accessOf(readerOf(one), list('closed', entry()), NOW), 'read');
    }
    const wider = caller('agent-2', 'agent', 'user', 'operator');
    assert.equal(accessOf(readerOf(wider), list('closed'), NOW), 'admin');
  });

  it('gives a user alone no more than an agent', () => {
    assert.equal(accessOf(readerOf(caller('mara', 'user')), list('closed'), NOW), 'none');
  });

  it('does not narrow the owner', () => {
    assert.equal(accessOf(readerOf(caller('agent-1')), list('closed'), NOW), 'admin');
    assert.equal(accessOf(readerOf(caller('agent-2')), list('closed'), NOW), 'none');
  });

  it('lets whoever asks the open question write, and gives it no more than that', () => {
    const asking = (guarded: Guarded, agentsRead?: 'own') => {
      const reader = readerOf(caller('agent-2'), agentsRead);
      return accessOf(reader, { ...guarded, askers: ['agent-2'] }, NOW);
    };
    for (const permission of ['read', 'write'] as const) {
      assert.equal(asking(list('closed', entry({ permission }))), 'write');
    }
    assert.equal(asking(list('closed')), 'write');
    assert.equal(asking({ owner: 'agent-1' }, 'own'), 'write');
    assert.equal(asking(list('closed', entry({ permission: 'admin' }))), 'admin');
    assert.equal(asking({ owner: 'agent-1' }), 'admin');
    assert.equal(asking(list('open')), 'admin');
  });

  it('lets everybody do everything where there is none, or an open one without entries', () => {
    assert.equal(accessOf(AGENT, { owner: 'agent-1' }, NOW), 'admin');
    assert.equal(accessOf(AGENT, { owner: 'agent-1', access: null }, NOW), 'admin');
    assert.equal(accessOf(AGENT, list('open'), NOW), 'admin');
  });

  it('lets others read if it is open and has entries, and do nothing if it is closed', () => {
    const other = entry({ principal_id: 'agent-9', permission: 'write' });
    assert.equal(accessOf(AGENT, list('open', other), NOW), 'read');
    assert.equal(accessOf(AGENT, list('closed', other), NOW), 'none');
  });

  it('gives the highest of what names a principal or its group', () => {
    const low = entry({ permission: 'read' });
    const high = entry({ principal_id: 'research', principal_type: 'group', permission: 'admin' });
    assert.equal(accessOf(AGENT, list('closed', low), NOW), 'read');
    assert.equal(accessOf(AGENT, list('closed', high, low), NOW), 'admin');
    const namesake = entry({ principal_id: 'research', permission: 'admin' });
    const group = entry({ principal_type: 'group', permission: 'admin' });
    assert.equal(accessOf(AGENT, list('closed', namesake, group), NOW), 'none');
  });

  it('forgets entries from the instant at which they expire', () => {
    const ending = (at: string) => accessOf(AGENT, list('closed', entry({ expires_at: at })), NOW);
    assert.equal(ending('2026-11-22T10:00:00.000Z'), 'none');
    assert.equal(ending('2026-11-22T10:00:00.001Z'), 'read');
  });

  it('is what an agent that reads only its own needs', () => {
    const own = readerOf(caller('agent-2'), 'own');
    assert.equal(accessOf(own, { owner: 'agent-1' }, NOW), 'none');
    assert.equal(accessOf(own, { owner: 'agent-2' }, NOW), 'admin');
    assert.equal(accessOf(own, list('open'), NOW), 'none');
    assert.equal(accessOf(own, list('open', entry({ permission: 'write' })), NOW), 'write');
    assert.equal(mayRead(own, { owner: 'agent-1', askers: ['agent-2'] }, NOW), true);
    assert.equal(mayRead(own, null, NOW), true);
    assert.equal(mayRead(own, { owner: 'agent-1' }, NOW), false);
    assert.deepEqual(readerOf(caller('agent-2')), { principal: 'agent-2', groups: [] });
    assert.equal(readerOf(caller('alice', 'operator'), 'own'), undefined);
  });

  it('never gives less for an entry more, if it is closed', () => {
    const permission = fc.constantFrom('read', 'write', 'admin');
    const some = fc.record({ permission, principal_id: fc.constantFrom('agent-2', 'agent-3') });
    fc.assert(
      fc.property(fc.array(some), some, (before, more) => {
        const less = accessOf(AGENT, list('closed', ...before.map(entry)), NOW);
        const after = accessOf(AGENT, list('closed', ...[...before, more].map(entry)), NOW);
        assert.ok(less === 'none' || includes(after, less));
      }),
    );
  });
});

describe('a change of an access list', () => {
  it('sets it, adds an entry, and takes one away', () => {
    const closed = { default_policy: 'closed', entries: [] } as const;
    assert.deepEqual(granted(changeAccess(undefined, { set: closed })), closed);
    const added = granted(changeAccess(undefined, { grant: entry() }));
    assert.deepEqual(added, { default_policy: 'open', entries: [entry()] });
    const { entries } = granted(changeAccess(added, { revoke: entry().id }));
    assert.deepEqual(entries, []);
    assert.equal(refused(changeAccess(added, { revoke: 'another' })).code, 'not_found');
  });

  it('takes away the entry that it names, and no other', () => {
    const [one, two] = [entry(), entry({ id: 'two', permission: 'write' })];
    const { access } = list('closed', one, two);
    assert.deepEqual(granted(changeAccess(access, { revoke: one.id })), {
      default_policy: 'closed',
      entries: [two],
    });
  });

  it('names an entry that is not there as the OpenIntent server does', () => {
    const { detail } = refused(changeAccess(undefined, { revoke: 'another' }));
    assert.equal(detail, 'ACL entry not found');
  });

  it('is refused if the list would be too large to be carried', () => {
    const setTo = (length: number) => {
      const entries = [entry({ reason: 'x'.repeat(length) })];
      return { set: { default_policy: 'open', entries } } as const;
    };
    const room = LIMITS.accessBytes - jsonBytes(setTo(0).set);
    granted(changeAccess(undefined, setTo(room)));
    const { code, field, accepted } = refused(changeAccess(undefined, setTo(room + 1)));
    assert.deepEqual(
      [code, field, accepted],
      ['state_too_large', 'entries', `at most ${LIMITS.accessBytes} bytes of JSON`],
    );
  });
});

describe('what an intent tells its tasks and plans of its access list', () => {
  const entries = [entry(), entry({ principal_id: 'research', principal_type: 'group' })];
  const told = guardFor(list('closed', ...entries), ['agent-3']);
  const GRANT = {
    principal_id: 'a',
    principal_type: 'agent',
    permission: 'read',
    expires_at: null,
  };

  it('is nothing without a list', () => {
    assert.equal(guardFor({ owner: 'agent-1' }), undefined);
  });

  it('names nobody who asks where nobody does', () => {
    assert.deepEqual(guardFor(list('closed'))?.askers, []);
  });

  it('decides as the list does', () => {
    for (const default_policy of ['open', 'closed'] as const) {
      const all = [
        entry({ permission: 'write', expires_at: '2026-11-22T09:59:59.000Z' }),
        ...entries,
      ];
      const whole = { ...list(default_policy, ...all), askers: ['agent-3'] };
      for (const principal of ['agent-1', 'agent-2', 'agent-3', 'agent-4']) {
        for (const groups of [[], ['research']]) {
          const reader = { principal, groups };
          const guard = guardFor(whole, whole.askers) ?? assert.fail();
          assert.equal(accessOf(reader, guard, NOW), accessOf(reader, whole, NOW));
        }
      }
    }
  });

  it('leaves out who granted what for which reason', () => {
    assert.deepEqual(told, {
      owner: 'agent-1',
      access: {
        default_policy: 'closed',
        entries: [
          { ...GRANT, principal_id: 'agent-2' },
          { ...GRANT, principal_id: 'research', principal_type: 'group' },
        ],
      },
      askers: ['agent-3'],
    });
  });

  it('is recognised by its form', () => {
    const expiring = { ...GRANT, expires_at: '2026-11-22T09:00:00.000Z' };
    const access = { default_policy: 'open', entries: [GRANT, expiring] };
    const { owner: _owner, ...ownerless } = told ?? {};
    for (const guard of [told, ownerless, { ...told, owner: null }, { ...told, access }]) {
      assert.equal(isGuard(guard), true, JSON.stringify(guard));
    }
    const broken: readonly unknown[] = [
      undefined,
      null,
      'text',
      [],
      { ...told, owner: 7 },
      { ...told, askers: undefined },
      { ...told, askers: [7] },
      { ...told, access: null },
      { ...told, access: { ...access, default_policy: 'ajar' } },
      { ...told, access: { ...access, entries: {} } },
      ...[
        null,
        { ...GRANT, principal_id: 7 },
        { ...GRANT, principal_type: null },
        { ...GRANT, permission: 'all' },
        { ...GRANT, expires_at: 'soon' },
        { ...GRANT, expires_at: undefined },
      ].map((one) => ({ ...told, access: { ...access, entries: [GRANT, one] } })),
    ];
    for (const guard of broken) assert.equal(isGuard(guard), false, JSON.stringify(guard));
  });
});

describe('what an operation needs of an access list', () => {
  it('is demanded of agents, in every case of every operation', () => {
    for (const action of Object.keys(RULES) as Action[]) {
      const row = rowOf(action);
      const rules = [[undefined, row] as const, ...Object.entries(row.cases ?? {})];
      for (const [when, { agent, needs }] of rules) {
        if (agent !== 'any') continue;
        for (const access of ['none', 'read', 'write', 'admin'] as const) {
          const ruling = authorize(caller('me'), action, {
            access,
            ...(when && { when }),
          } as never);
          const expected = needs === undefined || includes(access, needs);
          assert.equal(ruling.ok, expected, `${action} ${when ?? ''} with ${access}`);
        }
      }
    }
  });

  it('is named in the refusal', () => {
    const { code, state } = refused(authorize(caller('me'), 'patchState', { access: 'read' }));
    assert.deepEqual(
      [code, state],
      ['forbidden', { required_permission: 'write', current_permission: 'read' }],
    );
  });
});
