/** Search attributes every workflow may set, with the type Temporal registers them under. */
export const SEARCH_ATTRIBUTES = {
  HoldpointState: 'Keyword',
  HoldpointIntentId: 'Keyword',
  HoldpointChannel: 'Keyword',
  HoldpointAttempt: 'Int',
  HoldpointExpiresAt: 'Datetime',
} as const;
export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;
