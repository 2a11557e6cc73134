/** Errors of questions and pauses: asking, answering, resuming, erasing. */
export const QUESTION_ERRORS = {
  link_invalid: [400, 'Not a link', 'The token is none that this installation has made.'],
  signature_refused: [
    403,
    'Signature refused',
    'No channel that may answer has signed the message, or it is older than five minutes.',
  ],
  not_answered_for: [
    403,
    'Not answered for',
    'The configuration does not let the channel answer for this person.',
  ],
  sign_in_needed: [
    403,
    'Sign-in needed',
    'The link shows the question, but to answer it takes a sign-in.',
  ],
  responded_by_mismatch: [
    403,
    'Not your name',
    'Only an admin key may answer in the name of somebody else, and only where one answer settles the question.',
  ],
  not_eligible: [
    403,
    'Not eligible',
    'The decision rule of the question does not let this principal answer.',
  ],
  suspension_not_found: [404, 'Suspension not found', 'No suspension has this id.'],
  suspension_mismatch: [
    409,
    'Not the active suspension',
    'The suspension is not the open question of this intent.',
  ],
  suspension_id_taken: [
    409,
    'Suspension id taken',
    'Another question has the id that the client chose for its own.',
  ],
  question_not_written: [
    409,
    'Question not written',
    'The intent is suspended, but its question is not written yet.',
  ],
  suspension_settled: [
    409,
    'Already settled',
    'The question was answered, expired or cancelled; the outcome is in the body.',
  ],
  reason_mismatch: [
    409,
    'Another reason',
    'Answers settle questions, signals pauses: see `state`.',
  ],
  question_of_intent: [
    409,
    'Question of an intent',
    'The question belongs to an intent, with which its personal data is erased.',
  ],
  question_open: [
    409,
    'Question is open',
    'A question waits for its answer; its personal data can be erased once it is settled.',
  ],
  claimed_by_other: [
    409,
    'Claimed by somebody else',
    'Somebody else has claimed the question; `state` says who, and until when. An answer counts all the same with `despite_claim`.',
  ],
  not_amendable: [
    409,
    'Not amendable',
    'An approval is edited by who approves, and what a plan asks stays as it is.',
  ],
  delegation_not_allowed: [
    409,
    'Delegation not allowed',
    'An approval, or what several people decide, is not passed on: that would choose who else decides.',
  ],
  not_claimed: [
    409,
    'Not claimed',
    'Nobody has claimed the question any more, and the caller has passed it on to nobody.',
  ],
  too_many_comments: [
    409,
    'Too many comments',
    'The question has as many comments as it can have.',
  ],
  too_many_changes: [
    409,
    'Changed too often',
    'The question was claimed, delegated or amended so often that its timeline has no room for more.',
  ],
  already_voted: [
    409,
    'Already voted',
    'The same principal has answered before: the answer does not change, and nothing is left to claim or delegate.',
  ],
  question_version_mismatch: [
    409,
    'Another version of the question',
    'The answer is for a version of the question that is not the current one, or names none although the question was amended.',
  ],
  link_used: [
    410,
    'Link used',
    'Whoever the link is for has answered; `state` says what and when.',
  ],
  link_stale: [
    410,
    'Link is stale',
    'The question has changed or is over, or the person is gone; `state` says what happened.',
  ],
  link_expired: [410, 'Link expired', 'The link no longer counts.'],
  missing_suspension_id: [422, 'suspension_id is required', 'Name the suspension you answer.'],
  invalid_value: [
    422,
    'Invalid value',
    'The value does not fit the response type, or the response schema; `field` is the part at fault.',
  ],
  resume_signal_mismatch: [422, 'Another signal', 'The pause is resumed by the signal `accepted`.'],
  answer_too_large: [
    422,
    'Answer too large',
    'Value, comment, data and metadata together exceed the limit.',
  ],
  mixed_shapes: [
    422,
    'Mixed shapes',
    'The questions that one answer is for do not take the same answers; nothing was answered.',
  ],
  invalid_choices: [422, 'Invalid choices', 'The choices do not fit the response type.'],
  invalid_retry_policy: [422, 'Invalid retry policy', 'The policy cannot be followed.'],
  unknown_recipient: [
    422,
    'Unknown recipient',
    'The ladder, or a delegation, names somebody who is not in the directory of this server.',
  ],
  unknown_principal: [
    422,
    'Unknown principal',
    'Somebody, or a group, is to be able to answer whom no key and no entry of the directory knows.',
  ],
  invalid_decision_rule: [422, 'Invalid decision rule', 'The rule cannot be followed.'],
  invalid_response_schema: [
    422,
    'Invalid response schema',
    'Answers cannot be judged by the schema; `field` is the place in it. Nothing that several people decide has one.',
  ],
  question_too_large: [
    422,
    'Question too large',
    'Context, choices, fallback value and retry policy together exceed the limit.',
  ],
  secret_refused: [
    422,
    'Secret refused',
    'A question holds what looks like a credential; nothing of it was kept.',
  ],
  request_key_reused: [
    422,
    'Request key reused',
    'The request_key was used before with another question.',
  ],
  request_key_forgotten: [
    503,
    'Request key forgotten',
    'The intent has had so many keys that only the store knows this one.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>;
