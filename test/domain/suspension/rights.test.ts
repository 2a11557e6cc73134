import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readerOf } from '../../../domain/policy/access-list.js';
import {
  checkMay,
  checkReadsOthers,
  isConcerned,
  type QuestionAction,
} from '../../../domain/suspension/people/rights.js';
import { caller } from '../../support/callers.js';
import { partWith } from '../approval/wires.js';
import { recordWith, refused } from '../samples.js';
import { pausedWith } from './pause-samples.js';

const ASKED = { asked_by: 'agent-1', record: recordWith() };
const FOR_MARA = {
  asked_by: 'agent-1',
  record: recordWith({ approval: partWith({ on_behalf_of: 'mara' }) }),
};
const PAUSED = { asked_by: 'agent-1', record: pausedWith({ resumable_by: ['watcher'] }) };
const ASKER = caller('agent-1');
const STRANGER = caller('agent-2');
const ALICE = caller('alice', 'operator');
const MARA = caller('mara', 'user');
const ASSISTANT = caller('mara', 'agent', 'user');

describe('who may do something to a question', () => {
  const mayDo = (action: QuestionAction, question = ASKED) =>
    [ASKER, STRANGER, ALICE, MARA, caller('root', 'admin')]
      .filter((by) => checkMay(by, action, question).ok)
      .map(({ principal }) => principal);

  it('is who asked it, or answers it, or administers it', () => {
    assert.deepEqual(mayDo('respond'), ['alice', 'root']);
    assert.deepEqual(mayDo('claimSuspension'), ['alice', 'root']);
    assert.deepEqual(mayDo('delegateSuspension'), ['alice', 'root']);
    assert.deepEqual(mayDo('commentOnSuspension'), ['agent-1', 'alice', 'root']);
    assert.deepEqual(mayDo('cancelSuspension'), ['agent-1', 'root']);
    assert.deepEqual(mayDo('amendSuspension'), ['agent-1', 'root']);
    assert.deepEqual(mayDo('changeEligibility'), ['root']);
  });

  it('is also the user for whom it was asked', () => {
    assert.deepEqual(mayDo('respond', FOR_MARA), ['alice', 'mara', 'root']);
    assert.deepEqual(mayDo('commentOnSuspension', FOR_MARA), ['agent-1', 'alice', 'mara', 'root']);
    assert.deepEqual(mayDo('cancelSuspension', FOR_MARA), ['agent-1', 'root']);
  });

  it('is, for a release, who may have claimed it', () => {
    assert.deepEqual(mayDo('releaseSuspension'), ['alice', 'root']);
    assert.deepEqual(mayDo('releaseSuspension', FOR_MARA), ['alice', 'mara', 'root']);
  });

  it('is, for a resumption, whom a pause names, and who answers a question', () => {
    assert.deepEqual(mayDo('resumeSuspension'), ['alice', 'root']);
    assert.deepEqual(mayDo('resumeSuspension', PAUSED), ['agent-1', 'root']);
    assert.equal(checkMay(caller('watcher'), 'resumeSuspension', PAUSED).ok, true);
  });
});

describe('who reads a question, whatever access lists say', () => {
  it('is who asked it, or may settle it', () => {
    const concerned = (question: typeof ASKED) =>
      [ASKER, STRANGER, ALICE, MARA, ASSISTANT, caller('watcher'), caller('carol', 'auditor')]
        .filter((by) => isConcerned(by, question))
        .map(({ principal, roles }) => [principal, ...roles].join(' '));
    assert.deepEqual(concerned(ASKED), ['agent-1 agent', 'alice operator']);
    const forMara = ['agent-1 agent', 'alice operator', 'mara user', 'mara agent user'];
    assert.deepEqual(concerned(FOR_MARA), forMara);
    assert.deepEqual(concerned(PAUSED), ['agent-1 agent', 'watcher agent']);
  });

  it('is of no intent everybody else, but for agents that read only their own', () => {
    for (const reader of [readerOf(caller('carol', 'auditor'), 'own'), readerOf(STRANGER)]) {
      assert.equal(checkReadsOthers(reader).ok, true);
    }
    for (const by of [STRANGER, caller('agent-2', 'agent', 'user')]) {
      assert.equal(refused(checkReadsOthers(readerOf(by, 'own'))).code, 'forbidden');
    }
  });
});
