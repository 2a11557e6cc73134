import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  answerNotes,
  changeEligibilityRequestSchema,
} from '../../contracts/suspension/decision.js';
import { approvalsConfigSchema } from '../../contracts/approval/rules.js';
import { nameSchema, textSchema } from '../../contracts/kernel/primitives.js';
import { cancelRequestSchema } from '../../contracts/suspension/requests.js';
import { commentRequestSchema, delegateRequestSchema } from '../../contracts/suspension/verbs.js';

const BLANKS = ['', ' \n\t', '\u200b', '\u2800', '\u2060\u00ad', '\u3164', '\u{e0061}'];
const SHOWN = ['a', ' a\n', '\u200bيا', '🏴\u{e0067}\u{e007f}', '0'];

/** What people write for people to read, or are called, at the doors of the service. */
const TEXTS = {
  'a comment with an answer': (text: string) => answerNotes.comment.safeParse(text),
  'a comment': (text: string) => commentRequestSchema.safeParse({ text }),
  'a reason to delegate': (reason: string) =>
    delegateRequestSchema.safeParse({ to: 'ana', reason }),
  'a person to delegate to': (to: string) => delegateRequestSchema.safeParse({ to, reason: 'x' }),
  'a reason to withdraw': (reason: string) => cancelRequestSchema.safeParse({ reason }),
  'a reason to change who is eligible': (reason: string) =>
    changeEligibilityRequestSchema.safeParse({ eligible: { groups: ['a'] }, reason }),
  'a reason of a rule': (reason: string) =>
    approvalsConfigSchema.safeParse({ rules: [{ verdict: 'deny', reason }] }),
  'a title': (text: string) => textSchema(500).safeParse(text),
  'a name': (text: string) => nameSchema.safeParse(text),
};

describe('a text that people read', () => {
  for (const [what, parse] of Object.entries(TEXTS)) {
    it(`is never blank: ${what}`, () => {
      for (const text of SHOWN) assert.equal(parse(text).success, true, JSON.stringify(text));
      for (const text of BLANKS) {
        const { error } = parse(text);
        assert.ok(error, JSON.stringify(text));
        assert.equal(error.issues.length, 1);
      }
    });
  }
});
