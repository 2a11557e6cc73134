/** Errors that any request may meet, and those of subscriptions and of checkpoints of the log. */
export const SERVICE_ERRORS = {
  malformed_json: [400, 'Malformed JSON', 'The body is not JSON.'],
  invalid_text: [
    400,
    'Invalid text',
    'A text holds U+0000, half of a surrogate pair, or bytes that are not UTF-8.',
  ],
  page_too_large: [400, 'Page too large', 'The page would hold more bytes than a list may.'],
  unauthenticated: [
    401,
    'Not authenticated',
    'The request has no valid X-API-Key, and no valid bearer token.',
  ],
  forbidden: [403, 'Not allowed', 'The key lacks the role this operation needs.'],
  too_many_groups: [
    403,
    'Too many groups',
    'The bearer token is valid, but names more groups, or longer ones, than a message to a workflow carries.',
  ],
  not_found: [404, 'Not found', 'No such route.'],
  subscription_not_found: [404, 'Subscription not found', 'No subscription has this id.'],
  checkpoint_not_found: [404, 'Checkpoint not found', 'No such checkpoint has been signed.'],
  workflow_not_found: [404, 'Workflow not found', 'No workflow has this id.'],
  method_not_allowed: [405, 'Method not allowed', 'The route exists, but not with this method.'],
  version_conflict: [409, 'Version conflict', 'If-Match names a version that is not current.'],
  body_too_large: [413, 'Body too large', 'The body exceeds the limit.'],
  invalid_request: [
    422,
    'Invalid request',
    'A field is missing, unknown or not of the accepted form.',
  ],
  idempotency_key_reused: [
    422,
    'Idempotency key reused',
    'The Idempotency-Key was used before with another body.',
  ],
  webhooks_not_configured: [
    422,
    'Webhooks are not configured',
    'This server has no secret to sign what it would post to a subscription.',
  ],
  removed_by_retention: [
    422,
    'Removed by retention',
    'What the key or id stands for was removed, long after its end. Nothing new is made under it.',
  ],
  checkpoints_not_configured: [
    422,
    'Checkpoints are not configured',
    'The worker of this server has no key to sign checkpoints with.',
  ],
  precondition_required: [428, 'If-Match required', 'Send the version you read as If-Match.'],
  too_many_requests: [
    429,
    'Too many requests',
    'The principal has sent as many requests in this minute as it may.',
  ],
  busy: [
    429,
    'Busy',
    'More writes wait than the server carries out while clients wait. Nothing was changed.',
  ],
  too_many_streams: [429, 'Too many streams', 'As many streams are open as may be.'],
  too_many_long_polls: [429, 'Too many long polls', 'As many long polls are open as may be.'],
  too_many_subscriptions: [
    429,
    'Too many subscriptions',
    'There are as many webhook subscriptions as may be.',
  ],
  internal: [500, 'Internal error', 'Something failed that should not; the request id finds it.'],
  moving: [503, 'Moving', 'The workflow is between two runs; the same request works in a moment.'],
  workflow_unavailable: [
    503,
    'Temporarily unavailable',
    'No worker took the request in time. A write may still be carried out later: read first.',
  ],
  issuer_unavailable: [
    503,
    'Issuer unavailable',
    'The issuer of the bearer token cannot be asked for its keys, so nobody can judge the token.',
  ],
  store_unavailable: [503, 'Store unavailable', 'The store cannot be read at the moment.'],
} as const satisfies Record<string, readonly [number, string, string]>;
