import { APPROVALS } from './approvals/story.js';

/** RFC-0026 §4.1 has 3600 s between two attempts; here they are shown as 6 s. */
export const INTERVAL_SECONDS = 6;
export const ATTEMPTS = 3;

/** One question of the demo, put by an agent of its own. */
export interface Question {
  readonly order: string;
  /** The value an operator gives in attempt 2; absent where nobody answers. */
  readonly answer?: string;
  /** What the agent must get. */
  readonly result: string;
}

/** The refund question of RFC-0025 §9.1, once answered and once left to its fallback `deny`. */
export const QUESTIONS: readonly Question[] = [
  { order: '12345', answer: 'approve', result: 'approve' },
  { order: '67890', result: 'deny' },
];

/** Every channel of the ladder writes to the terminal here; two context entries may leave. */
export const CONFIG = `notifications:
  default_channel: slack
  channels:
    slack: { type: console }
    email: { type: console }
    pagerduty: { type: console }
  context_keys: [order_id, amount]
${APPROVALS}`;

export const HEADER = [
  'Two agents, each in a process of its own, ask whether to refund an order. Holdpoint asks by Slack,',
  'reminds by e-mail and at last pages the supervisor; an hour between attempts is shown as 6 s.',
  'Order 12345 is answered after the first reminder, order 67890 by nobody: its agent gets the fallback.',
  'Meanwhile the worker is killed. Times count from the moment of asking; planned stands beside actual.',
];
