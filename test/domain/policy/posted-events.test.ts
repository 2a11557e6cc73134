import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  COORDINATOR_EVENT_TYPES,
  EVENT_TYPES,
  PORTFOLIO_EVENT_TYPES,
} from '../../../contracts/constants/events.js';
import { KNOWN_EVENT_TYPES } from '../../../contracts/constants/openintent-events.js';
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
    for (const type of ['note', 'refund.sent', 'plans', 'intent.suspended.twice', 'ＮＯＴＥ']) {
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
