import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  COORDINATOR_EVENT_TYPES,
  EVENT_TYPES,
  KNOWN_EVENT_TYPES,
  PORTFOLIO_EVENT_TYPES,
} from '../../../contracts/constants/events.js';
import {
  checkPostedType,
  isAboutOpenQuestion,
  isClaim,
} from '../../../domain/policy/posted-events.js';
import { refused } from '../samples.js';

const CLAIMS = [
  'intent.suspended',
  'intent.suspension_renotified',
  'intent.suspension_escalated',
  'agent_assigned',
  'engagement.decision',
];
const OWN = KNOWN_EVENT_TYPES.filter((type) =>
  /^(comment|tool_call_|llm_request_|stream_)/.test(type),
);
const WRITTEN = [
  ...EVENT_TYPES,
  ...PORTFOLIO_EVENT_TYPES,
  ...COORDINATOR_EVENT_TYPES,
  ...KNOWN_EVENT_TYPES,
  'approval_resolved',
  'approval_of_something_new',
  'proposal_mutation_detected',
  'composer.child.hibernated',
].filter((type) => !CLAIMS.includes(type) && !OWN.includes(type));

/** The letters of the half-width forms as their full-width ones. */
const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
  );
const capitalised = (text: string) => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Letters of other alphabets in place of those that they look like. */
const foreign = (text: string) =>
  text.replaceAll(/[aceiopsxyd]/g, (letter) => FOREIGN[letter] ?? letter);
const FOREIGN: Readonly<Record<string, string>> = {
  a: '\u0430',
  c: '\u0441',
  e: '\u0435',
  i: '\u0456',
  o: '\u03bf',
  p: '\u0440',
  s: '\u0455',
  x: '\u0445',
  y: '\u0443',
  d: '\u0501',
};
/** A letter in the midst of a text as something else. */
const midst = (text: string, change: (letter: string) => string) =>
  `${text.slice(0, 3)}${change(text.slice(3, 4))}${text.slice(4)}`;

/** Of a family that only its first word names. */
const FAMILY = /^(?:approval_of|composer)/;

const DISGUISES: readonly ((type: string) => string)[] = [
  (type) => type,
  (type) => ` ${type}\t`,
  (type) => `\u3000${type}\u00a0`,
  (type) => type.toUpperCase(),
  capitalised,
  wide,
  (type) => wide(type.toUpperCase()),
  (type) => type.replaceAll('.', '_'),
  (type) => type.replaceAll('_', '.'),
  (type) => `${type.slice(0, 3)}\u200b${type.slice(3)}`,
  (type) => `${type.slice(0, 3)} ${type.slice(3)}`,
  (type) => type.replaceAll(/[._]/g, ' '),
  (type) => type.replaceAll(/[._]/g, ':'),
  (type) => type.replaceAll(/[._]/g, '..'),
  (type) => type.replaceAll(/[._]/g, '\u2024'),
  (type) => type.replaceAll(/[._]/g, '/'),
  (type) => type.replaceAll(/[._]([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
  (type) => (FAMILY.test(type) ? type : type.replaceAll(/[._]/g, '')),
  (type) => `.${type}!`,
  foreign,
  (type) => foreign(type).toUpperCase(),
  // Letters that are in no list of look-alikes, among plain ones.
  (type) => midst(type, () => '\u0e2d'),
  (type) => midst(type, () => '\u{1f178}'),
  (type) => midst(type, (letter) => `${letter}\u0301`),
  (type) => midst(type, (letter) => `${letter}\u00ad`),
  (type) => midst(type, (letter) => `${letter}\u3164`),
  (type) => midst(type, (letter) => `${letter}\ufe0f`),
  (type) => type.replaceAll('o', '0').replaceAll('l', '1'),
  (type) => type.replaceAll('i', 'l').replaceAll('m', 'rn'),
  (type) => type.replaceAll('d', 'cl').replaceAll('w', 'vv'),
  (type) => type.toUpperCase().replaceAll('A', 'Ꭺ').replaceAll('E', 'Ꭼ'),
  // Greek capitals, whose small forms look like other letters.
  (type) => type.toUpperCase().replaceAll('N', '\u039d').replaceAll('Y', '\u03a5'),
];

describe('the type of an event that a client posts', () => {
  it('is none that the server or a specification writes, however it is spelled', () => {
    assert.ok(WRITTEN.length > 100);
    for (const type of WRITTEN) {
      for (const disguise of DISGUISES) {
        const spelled = disguise(type);
        const { code, field } = refused(checkPostedType(spelled));
        assert.deepEqual([code, field], ['invalid_request', 'event_type'], spelled);
      }
    }
  });

  it('may be what the OpenIntent SDK posts by itself, as a claim and in its own spelling', () => {
    for (const type of CLAIMS) {
      assert.ok(checkPostedType(type).ok, type);
      assert.ok(isClaim(type), type);
      for (const disguise of DISGUISES.map((one) => one(type)).filter((one) => one !== type)) {
        assert.equal(checkPostedType(disguise).ok, false, disguise);
        assert.equal(isClaim(disguise), false, disguise);
      }
    }
  });

  it('may be what an agent tells of its own work', () => {
    assert.ok(OWN.length > 10);
    for (const type of [...OWN, 'tool_call_retried', 'Comment']) {
      assert.ok(checkPostedType(type).ok, type);
      assert.equal(isClaim(type), false);
    }
  });

  it('may be one that no specification names', () => {
    for (const type of [
      'note',
      'refund.sent',
      'plans',
      'intent.suspended.twice',
      'ＮＯＴＥ',
      'ci.started',
      'client.connected',
      'social.post',
      'approvals',
      'größe.sent',
      'отчёт.отправлен',
      '報告',
      'step 5',
    ]) {
      assert.ok(checkPostedType(type).ok, type);
    }
  });

  it('is judged, whatever text it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(typeof checkPostedType(text).ok, 'boolean');
      }),
    );
  });
});

describe('an event about the open question', () => {
  const about = (event_type: string, suspension_id: string, openId?: string) =>
    isAboutOpenQuestion({ event_type, payload: { suspension_id } }, openId);

  it('names it, or is any such event while its record is still to come', () => {
    assert.equal(about('intent.suspended', 'a', 'a'), true);
    assert.equal(about('intent.suspension_escalated', 'a', 'a'), true);
    assert.equal(about('intent.suspended', 'b', 'a'), false);
    assert.equal(about('intent.suspended', 'b'), true);
    assert.equal(about('comment', 'a', 'a'), false);
    assert.equal(about('agent_assigned', 'a'), false);
  });
});
