import assert from 'node:assert/strict';
import { directorySchema } from '../../../contracts/people/directory.js';
import type { LinkContent } from '../../../contracts/channel/links.js';
import type { Ruling } from '../../../contracts/kernel/problem.js';
import {
  callerByLink,
  checkLink,
  checkLinkSuffices,
  personOf,
  type LinkedQuestion,
} from '../../../domain/directory/links.js';

const AT = '2026-11-25T10:00:00.000Z';
const DIRECTORY = directorySchema.parse({
  people: { ana: {}, bo: { answers_by_link: false } },
  groups: { finance: ['ana'] },
});
const CONTENT: LinkContent = {
  space: 'default',
  person: 'ana',
  suspension_id: '5f0c8a52-6d0e-4d0e-9c4a-2f6a3b1c7d90',
  question_version: 1,
};
const RECORD: LinkedQuestion['record'] = {
  id: CONTENT.suspension_id,
  question: 'Refund?',
  response_type: 'choice',
  choices: [{ value: 'yes', label: 'Refund it' }],
  suspended_at: AT,
  fallback_policy: 'fail',
};
const OPEN: LinkedQuestion = { state: 'pending', record: RECORD, votes: [], question_version: 1 };
const person = (name: string) => {
  const found = personOf(DIRECTORY, { ...CONTENT, person: name });
  assert.ok(found.ok);
  return found.value;
};

function refusalOf(ruling: Ruling<unknown>) {
  assert.ok(!ruling.ok);
  return [ruling.refusal.code, ruling.refusal.state];
}

describe('whoever has a link', () => {
  it('answers as an operator in the groups of the directory, and as nothing more', () => {
    assert.deepEqual(callerByLink(DIRECTORY, person('ana')), {
      space: 'default',
      principal: 'ana',
      roles: ['operator'],
      groups: ['finance'],
    });
  });

  it('is refused once the directory does not have the person any more', () => {
    const gone = personOf(DIRECTORY, { ...CONTENT, person: 'eve' });
    assert.deepEqual(refusalOf(gone), ['link_stale', { outcome: 'person_unknown' }]);
    assert.equal(personOf(DIRECTORY, { ...CONTENT, space: 'team-b' }).ok, false);
  });

  it('also signs in for an approval, or where the directory wants that', () => {
    const approval = {} as NonNullable<LinkedQuestion['record']['approval']>;
    assert.equal(checkLinkSuffices(RECORD, person('ana')).ok, true);
    const refused = ['sign_in_needed', undefined];
    assert.deepEqual(refusalOf(checkLinkSuffices({ approval }, person('ana'))), refused);
    assert.deepEqual(refusalOf(checkLinkSuffices(RECORD, person('bo'))), refused);
  });
});

describe('a link to a question', () => {
  const vote = (principal: string) => ({
    principal,
    actor: principal,
    value: 'yes',
    metadata: { via: 'inbox' },
    question_version: 1,
    counted_at: AT,
  });

  it('counts while the question is open, in the version that was sent', () => {
    assert.equal(checkLink(OPEN, CONTENT).ok, true);
    assert.equal(checkLink({ ...OPEN, votes: [vote('bo')] }, CONTENT).ok, true);
  });

  it('is used once its person has answered, wherever that was', () => {
    const used = { outcome: 'answered', by: 'ana', at: AT, value: 'yes', via: 'inbox' };
    for (const state of ['pending', 'settled'] as const) {
      const view = { ...OPEN, state, votes: [vote('ana')] };
      assert.deepEqual(refusalOf(checkLink(view, CONTENT)), ['link_used', used]);
    }
  });

  it('is stale after somebody else has answered, and says who, when and where', () => {
    const record = {
      ...RECORD,
      resolution: 'responded' as const,
      response: 'yes',
      responded_by: 'bo',
      responded_at: AT,
      metadata: { via: 'inbox' },
    };
    assert.deepEqual(refusalOf(checkLink({ ...OPEN, state: 'settled', record }, CONTENT)), [
      'link_stale',
      { outcome: 'answered', by: 'bo', at: AT, choice_label: 'Refund it', via: 'inbox' },
    ]);
  });

  it('says no more of an answer than is known of it', () => {
    const ended = (record: LinkedQuestion['record']) =>
      refusalOf(checkLink({ ...OPEN, state: 'settled', record }, CONTENT));
    const responded = { ...RECORD, resolution: 'responded' as const };
    assert.deepEqual(ended(responded), ['link_stale', { outcome: 'answered' }]);
    assert.deepEqual(ended({ ...responded, metadata: { via: 7 } }), [
      'link_stale',
      { outcome: 'answered' },
    ]);
    assert.deepEqual(ended({ ...RECORD, resolution: 'expired' }), [
      'link_stale',
      { outcome: 'expired' },
    ]);
    const { metadata: _none, ...bare } = vote('ana');
    const used = refusalOf(checkLink({ ...OPEN, votes: [bare] }, CONTENT));
    assert.deepEqual(used[1], { outcome: 'answered', by: 'ana', at: AT, value: 'yes' });
  });

  it('is stale after the question has expired, was withdrawn or has changed', () => {
    const ended = (resolution: 'expired' | 'cancelled') => ({
      ...OPEN,
      state: 'settled' as const,
      record: { ...RECORD, resolution, settled_by: 'agent' as const, settled_at: AT },
    });
    assert.deepEqual(refusalOf(checkLink(ended('expired'), CONTENT)), [
      'link_stale',
      { outcome: 'expired', at: AT },
    ]);
    assert.deepEqual(refusalOf(checkLink(ended('cancelled'), CONTENT)), [
      'link_stale',
      { outcome: 'withdrawn', by: 'agent', at: AT },
    ]);
    assert.deepEqual(refusalOf(checkLink({ ...OPEN, question_version: 2 }, CONTENT)), [
      'link_stale',
      { outcome: 'changed', question_version: 2 },
    ]);
  });
});
