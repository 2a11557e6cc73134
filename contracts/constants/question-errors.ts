export const QUESTION_ERRORS = {
  link_invalid: [400, 'Not a link', 'This installation did not make this token.'],
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
    'The link shows the question, but answering it needs a sign-in.',
  ],
  responded_by_mismatch: [
    403,
    'Not your name',
    'Only an admin key may answer in the name of somebody else, and only if one answer settles the question.',
  ],
  not_eligible: [
    403,
    'Not eligible',
    'The decision rule of the question does not let this principal answer.',
  ],
  suspension_not_found: [404, 'Suspension not found', 'No suspension has this id.'],
  view_not_found: [404, 'View not found', 'The id of a saved view is a UUID.'],
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
    'The question belongs to an intent. Erase the personal data of that intent.',
  ],
  question_open: [
    409,
    'Question is open',
    'A question is still open. Its personal data can be erased once it is settled.',
  ],
  claimed_by_other: [
    409,
    'Claimed by somebody else',
    'Somebody else has claimed the question; `state` names the holder and the end of the claim. With `despite_claim` an answer counts nevertheless.',
  ],
  not_amendable: [
    409,
    'Not amendable',
    'Only approvers edit an approval, and questions of plans cannot be corrected.',
  ],
  delegation_not_allowed: [
    409,
    'Delegation not allowed',
    'An approval, or a question for several people, cannot be delegated, because one person would choose the other deciders.',
  ],
  not_claimed: [
    409,
    'Not claimed',
    'The question has no claim any more, and the caller has not delegated it.',
  ],
  too_many_comments: [409, 'Too many comments', 'The question has reached its limit of comments.'],
  too_many_changes: [
    409,
    'Changed too often',
    'The question was claimed, delegated or amended so often that its timeline has no room for more.',
  ],
  no_reminder_left: [
    409,
    'No reminder left',
    'The question reminds nobody any more, so it cannot be put off until the next reminder.',
  ],
  too_many_snoozes: [
    409,
    'Too many snoozes',
    'The caller has put off as many questions as it may.',
  ],
  too_many_views: [409, 'Too many views', 'The caller has saved as many views as it may.'],
  view_name_taken: [409, 'Name taken', 'Another saved view of the caller has this name.'],
  already_voted: [
    409,
    'Already voted',
    'The same principal has answered before. The answer does not change, and the principal cannot claim or delegate the question.',
  ],
  question_version_mismatch: [
    409,
    'Another version of the question',
    'The answer names a version of the question that is not current, or no version although the question was corrected.',
  ],
  link_used: [
    410,
    'Link used',
    'The person of the link has answered. `state` has the answer and its time.',
  ],
  link_stale: [
    410,
    'Link is stale',
    'The question has changed or is over, or the person is gone; `state` says what happened.',
  ],
  link_expired: [410, 'Link expired', 'The link is no longer valid.'],
  missing_suspension_id: [422, 'suspension_id is required', 'Name the suspension you answer.'],
  invalid_value: [
    422,
    'Invalid value',
    'The value does not fit the response type, or the response schema; `field` names the wrong part.',
  ],
  snooze_not_possible: [
    422,
    'Snooze not possible',
    'The snooze would end in the past, too late, or after the question expires.',
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
    'The questions do not take the same answers, so none was answered.',
  ],
  invalid_choices: [422, 'Invalid choices', 'The choices do not fit the response type.'],
  invalid_retry_policy: [422, 'Invalid retry policy', 'The policy cannot be followed.'],
  unknown_recipient: [
    422,
    'Unknown recipient',
    'The ladder or a delegation names a person or a group that is not in the directory of this server.',
  ],
  unknown_principal: [
    422,
    'Unknown principal',
    'The question names a person or group as answerer that no key and no entry of the directory has.',
  ],
  invalid_decision_rule: [422, 'Invalid decision rule', 'The rule cannot be followed.'],
  invalid_response_schema: [
    422,
    'Invalid response schema',
    'Answers cannot be judged by the schema; `field` is the place in it. A question for several people cannot have one.',
  ],
  question_too_large: [
    422,
    'Question too large',
    'Context, choices, fallback value and retry policy together exceed the limit.',
  ],
  secret_refused: [
    422,
    'Secret refused',
    'A question contains text that looks like a credential. Nothing of it was stored.',
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
