import assert from 'node:assert/strict';
import { noteApproval, noteMutation } from '../../activities/approval-log.js';
import type { ApprovalNote } from '../../contracts/approval/log.js';
import { hashJson } from '../../domain/kernel/hashing.js';
import type { IntentNote } from '../../contracts/intent/intent.js';

const NOTE: ApprovalNote = {
  key: 'approval:a1:resolved',
  run_id: 'run-7',
  intent_id: 'i1',
  event_type: 'approval_resolved',
  actor: 'alice',
  principal: 'server',
  payload: { approval_id: 'a1' },
  at: '2026-03-24T10:00:00.000Z',
};

/** Logs in memory. The intent takes an event or not. */
function logs(takes: () => Promise<boolean>) {
  const ofIntent: IntentNote[] = [];
  const ofRun: { readonly note: ApprovalNote; readonly salt: string }[] = [];
  const dependencies = {
    workflows: {
      appendEvent: async (note: IntentNote) => {
        const isTaken = await takes();
        if (isTaken) ofIntent.push(note);
        return isTaken;
      },
    },
    store: {
      appendToRun: async (note: ApprovalNote, salt: string) => void ofRun.push({ note, salt }),
    },
  };
  return { ofIntent, ofRun, dependencies };
}

describe('an event of an approval', () => {
  it('goes to the log of its intent, and to no other', async () => {
    const { ofIntent, ofRun, dependencies } = logs(async () => true);
    await noteApproval(dependencies, NOTE);
    const { key, intent_id, event_type, actor, payload } = NOTE;
    assert.deepEqual(ofIntent, [{ key, intent_id, event_type, actor, payload }]);
    assert.deepEqual(ofRun, []);
  });

  it('goes to the log of its run if its intent takes none, and names the intent', async () => {
    const { ofIntent, ofRun, dependencies } = logs(async () => false);
    await noteApproval(dependencies, NOTE);
    assert.deepEqual(ofIntent, []);
    const payload = { approval_id: 'a1', intent_id: 'i1' };
    assert.deepEqual(
      ofRun.map(({ note }) => note),
      [{ ...NOTE, payload }],
    );
  });

  it('goes to the log of its run without an intent, under a salt of its own', async () => {
    const { ofRun, dependencies } = logs(() => assert.fail('there is no intent'));
    const note = { ...NOTE, intent_id: null };
    await noteApproval(dependencies, note);
    await noteApproval(dependencies, note);
    assert.deepEqual(
      ofRun.map((one) => one.note),
      [note, note],
    );
    assert.notEqual(ofRun[0]?.salt, ofRun[1]?.salt);
  });

  it('is tried again if nobody knows whether the intent took it', async () => {
    const { ofRun, dependencies } = logs(() => Promise.reject(new Error('away')));
    await assert.rejects(noteApproval(dependencies, NOTE), /away/);
    assert.deepEqual(ofRun, []);
  });
});

describe('what an agent has found right before its calls were to run', () => {
  it('goes to the log of its run, in the space that it names [A54-32]', async () => {
    const kept: { readonly note: ApprovalNote; readonly space: string | undefined }[] = [];
    const store = {
      appendToRun: async (note: ApprovalNote, _salt: string, space?: string) =>
        void kept.push({ note, space }),
    };
    const found = {
      approval_id: 'a1',
      run_id: 'run-7',
      agent: 'bot',
      calls: ['call-1'],
      held_hash: 'e'.repeat(64),
      proposal_hash: 'f'.repeat(64),
      proposed_hash: 'f'.repeat(64),
    };
    const now = () => new Date('2026-03-24T10:00:00.000Z');
    await noteMutation({ store, now }, found, 'team-b');
    const { agent: _agent, ...payload } = found;
    assert.deepEqual(kept, [
      {
        space: 'team-b',
        note: {
          key: `approval:a1:held:${hashJson([found.calls, null, found.held_hash])}`,
          run_id: 'run-7',
          intent_id: null,
          event_type: 'proposal_mutation_detected',
          actor: 'bot',
          principal: 'bot',
          payload: { ...payload, reason: 'proposal_mutation_detected', found_by: 'agent' },
          at: '2026-03-24T10:00:00.000Z',
        },
      },
    ]);
  });
});
