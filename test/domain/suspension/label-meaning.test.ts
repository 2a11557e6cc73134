import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resolveQuestion } from '../../../domain/suspension/asking/question.js';
import { granted, refused, requestWith } from '../samples.js';

const LIMITS = { contextBytes: 64 * 1024 };
const DEPLOY = 'Deploy build 7?';

type Pair = readonly [value: string, label: string];

function asked(question: string, ...pairs: readonly Pair[]) {
  const choices = pairs.map(([value, label]) => ({ value, label }));
  return resolveQuestion(requestWith({ question, choices, response_type: 'choice' }), null, LIMITS);
}

const LIES_OF_YES = [
  'Reject it',
  'Reject',
  'No thanks',
  'No, thanks',
  'No way',
  'No chance',
  'No deployment',
  'Not approved',
  'Not a chance',
  'Not now',
  'Not yet',
  'Never',
  'Never mind',
  'Disapprove',
  'Disapproved by me',
  "Don't approve",
  'Don’t approve',
  'Do not approve',
  'DO NOT DEPLOY',
  "Don't deploy",
  'I do not approve',
  'I reject this',
  "Can't approve this",
  'Cannot approve',
  "Won't approve",
  'Please reject',
  'cancel deployment',
  'Cancel',
  'Abort the deployment',
  'Decline request',
  'Deny access',
  'Denied!',
  'Refuse it',
  'Stop it',
  'Block this',
  'Nope, sorry',
  'Nah',
  'Thumbs down',
  'Answer: no',
  'Deploy – no',
  '✗✘',
  '❌',
  '✖️',
  '👎🏽',
  '🚫 ',
  '(✗)',
  'Rеject it',
  'R\u200beject it',
  'ＲＥＪＥＣＴ it',
  'RejectIt',
  'reject_it',
] as const;

const LIES_OF_NO = [
  'Yes please',
  'Yes, deploy',
  'Yep, do it',
  'Sure thing',
  'OK, deploy',
  'Okay then',
  'Approve it',
  'Approve request',
  'Accept the change',
  'Allow it',
  'Go ahead and deploy',
  'Go ahead',
  'Proceed anyway',
  'Confirm deployment',
  'I agree',
  'We approve this',
  'It is approved',
  'Thumbs up',
  '✓✔',
  '✅',
  '👍🏽',
  '✔️ ✔️',
] as const;

const HONEST: readonly (readonly [question: string, ...Pair[]])[] = [
  [DEPLOY, ['approve', 'No changes needed'], ['reject', 'Changes needed']],
  [DEPLOY, ['approve', 'No objections'], ['reject', 'I object']],
  [DEPLOY, ['approve', 'No further changes'], ['reject', 'More changes']],
  [DEPLOY, ['approve', 'No problem'], ['reject', 'There is one']],
  [DEPLOY, ['approve', 'Not a problem'], ['reject', 'A problem']],
  [DEPLOY, ['approve', 'No objections, approve'], ['reject', 'Object']],
  [DEPLOY, ['approve', 'Looks good'], ['reject', 'Needs work']],
  [DEPLOY, ['approve', 'Approved, no comments'], ['reject', 'Rejected']],
  [DEPLOY, ['approve', 'Notify and deploy'], ['reject', 'Notify only']],
  [DEPLOY, ['approve', 'Nominate it'], ['reject', 'Okinawa instead']],
  [DEPLOY, ['yes', 'Ship it'], ['no', 'Hold it back']],
  [DEPLOY, ['yes', 'Now'], ['no', 'Not today']],
  [DEPLOY, ['yes', 'Now'], ['no', 'Approve later']],
  [DEPLOY, ['yes', 'Now'], ['no', 'Allow nothing']],
  [DEPLOY, ['yes', 'Ja'], ['no', 'Nein']],
  [DEPLOY, ['yes', '✅'], ['no', '❌']],
  [DEPLOY, ['approve', '✓ Approve'], ['reject', '✗ Reject']],
  [DEPLOY, ['cancel', 'Yes, cancel it'], ['keep', 'No, keep it']],
  [DEPLOY, ['reject', 'Confirm rejection'], ['approve', 'Confirm approval']],
  [DEPLOY, ['deny', 'Confirm denial'], ['allow', 'Allow']],
  [DEPLOY, ['cancel', 'Confirm cancellation'], ['keep', 'Keep']],
  [DEPLOY, ['reject', 'OK to reject'], ['approve', 'OK to approve']],
  [DEPLOY, ['reject', "Don't approve"], ['approve', 'Approve']],
  [DEPLOY, ['eu', 'No data in the EU'], ['us', 'Yes, in the US']],
  ['Cancel order 7?', ['yes', 'Cancel the order'], ['no', "Don't cancel"]],
  ['Cancel order 7?', ['yes', 'Cancel'], ['no', 'Do not cancel']],
  ['Stop the job?', ['yes', 'Stop'], ['no', 'Go on']],
  ['Reject the claim?', ['yes', 'Reject the claim'], ['no', 'Accept the claim']],
  ['Skip the backup?', ['yes', "Don't back up"], ['no', 'Back up']],
  [DEPLOY, ['yes', 'Yes, cancel it'], ['no', 'No, keep it']],
  [DEPLOY, ['yes', 'Cancel the order'], ['no', 'Keep it']],
];

describe('what a label says', () => {
  for (const label of LIES_OF_YES) {
    it(`is no yes where it is ${JSON.stringify(label)}`, () => {
      for (const [yes, no] of [
        ['yes', 'no'],
        ['approve', 'reject'],
        ['accept', 'decline'],
        ['approved', 'rejected'],
      ] as const) {
        const { code, field } = refused(asked(DEPLOY, [yes, label], [no, 'Wait']));
        assert.deepEqual([code, field], ['invalid_choices', 'choices[0].label'], yes);
      }
    });
  }

  for (const label of LIES_OF_NO) {
    it(`is no denial where it is ${JSON.stringify(label)}`, () => {
      for (const [yes, no] of [
        ['yes', 'no'],
        ['approve', 'reject'],
        ['accept', 'decline'],
        ['go', 'cancel'],
      ] as const) {
        const { code, field } = refused(asked(DEPLOY, [yes, 'Wait'], [no, label]));
        assert.deepEqual([code, field], ['invalid_choices', 'choices[1].label'], no);
      }
    });
  }

  it('is turned around in a pair that is swapped, whatever the question speaks of', () => {
    for (const question of [DEPLOY, 'Approve or reject the refund?', 'Accept, or decline?']) {
      refused(asked(question, ['approve', 'Decline request'], ['decline', 'Approve request']));
      refused(asked(question, ['yes', 'Reject it'], ['no', 'Approve it']));
    }
  });

  for (const [question, ...pairs] of HONEST) {
    it(`is honest: ${question} ${pairs.map((pair) => pair.join(': ')).join(', ')}`, () => {
      granted(asked(question, ...pairs));
    });
  }
});
