import { APPROVALS } from './approvals/story.js';

/** RFC-0026 §4.1 has 3600 s between two attempts; here they are shown as 6 s where the machine is quick enough. */
export const INTERVAL_SECONDS = 6;
export const ATTEMPTS = 3;

/**
 * Between two attempts, in seconds, on a machine on which a worker that was killed ran again after so many milliseconds: it is
 * back before the first reminder, so that nothing is skipped, however busy the machine is.
 */
export function intervalFor(restartMs: number): number {
  return Math.max(INTERVAL_SECONDS, Math.ceil((2 * restartMs) / 1_000));
}

/** One question of the demo, put by an agent of its own. */
export interface Question {
  readonly order: string;
  /** The value an operator gives in attempt 2; absent where nobody answers. */
  readonly answer?: string;
  /** What the agent must get. */
  readonly result: string;
  /** Between two attempts. */
  readonly intervalSeconds: number;
}

/** The refund question of RFC-0025 §9.1, once answered and once left to its fallback `deny`. */
export function questionsEvery(intervalSeconds: number): readonly Question[] {
  return [
    { order: '12345', answer: 'approve', result: 'approve', intervalSeconds },
    { order: '67890', result: 'deny', intervalSeconds },
  ];
}

/** Every channel of the ladder writes to the terminal here; two context entries may leave. */
export const CONFIG = `notifications:
  default_channel: slack
  channels:
    slack: { type: console }
    email: { type: console }
    pagerduty: { type: console }
  context_keys: [order_id, amount]
${APPROVALS}`;

export const headerEvery = (intervalSeconds: number): readonly string[] => [
  'Two agents, each in a process of its own, ask whether to refund an order. Holdpoint asks by Slack,',
  `reminds by e-mail and at last pages the supervisor; an hour between attempts is shown as ${intervalSeconds} s.`,
  'Order 12345 is answered after the first reminder, order 67890 by nobody: its agent gets the fallback.',
  'Meanwhile the worker is killed. Times count from the moment of asking; planned stands beside actual.',
];
