import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { authorize, listed, type Resource } from '../../../domain/policy/authorize.js';
import type { Action } from '../../../domain/policy/rules.js';
import { caller } from '../../support/callers.js';
import { refused } from '../samples.js';

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
