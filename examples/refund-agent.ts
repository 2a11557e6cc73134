/**
 * An agent in a process of its own. It asks whether to refund an order, reminds and escalates, and
 * prints what its hooks see and what it got. Kill it while it waits and start it again: the keys
 * make it find its intent and its question, and nobody is asked twice.
 */
import {
  Agent,
  type AskedSuspension,
  type HumanRetryPolicy,
  type RequestInputOptions,
} from 'holdpoint-client';

const order = process.env['REFUND_ORDER'] ?? '12345';
const intervalSeconds = Number(process.env['REFUND_INTERVAL_SECONDS'] ?? '3600');

const LADDER: HumanRetryPolicy = {
  max_attempts: 3,
  interval_seconds: intervalSeconds,
  strategy: 'fixed',
  escalation_ladder: [
    { attempt: 2, channel_hint: 'email', notify_to: null },
    { attempt: 3, channel_hint: 'pagerduty', notify_to: 'supervisor@example.com' },
  ],
};

const QUESTION: RequestInputOptions = {
  request_key: `refund-${order}`,
  question: `Should we refund order #${order}?`,
  response_type: 'choice',
  choices: [
    {
      value: 'approve',
      label: 'Approve refund',
      description: 'Issue full refund to original payment method',
      style: 'primary',
    },
    {
      value: 'deny',
      label: 'Deny refund',
      description: 'Reject and close the case',
      style: 'danger',
    },
    { value: 'escalate', label: 'Escalate', description: 'Route to a senior operator' },
  ],
  context: { order_id: order, amount: 499.99 },
  channel_hint: 'slack',
  timeout_seconds: intervalSeconds,
  fallback_policy: 'complete_with_fallback',
  fallback_value: 'deny',
  confidence: 0.55,
  retry_policy: LADDER,
};

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The text of an attempt's message: a question first, then reminders, at last an alarm. */
function messageOf({ question, context }: AskedSuspension): string {
  const { _attempt: attempt, _max_attempts: last } = context;
  if (attempt === 1) return `Input needed: ${question}`;
  if (attempt < last) return `Reminder (${attempt}): ${question}`;
  return `URGENT — final reminder: ${question}`;
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

const agent = new Agent({
  baseUrl: setting('HOLDPOINT_URL'),
  apiKey: setting('HOLDPOINT_API_KEY'),
  hooks: {
    onInputRequested: (intent, suspension) => {
      const to = suspension.notify_to ?? 'anyone';
      say(`[${suspension.channel_hint ?? 'default'} → ${to}] ${messageOf(suspension)}`);
      say(`  intent ${intent.id}, suspension ${suspension.id}`);
    },
    onInputReceived: (response) => {
      say(`${response.responded_by} chose: ${response.choice_label ?? 'something else'}`);
    },
    onSuspensionExpired: () => say('Nobody answered in time.'),
  },
});

const intent = await agent.createIntent(
  { title: `Refund of order #${order}`, status: 'active' },
  { idempotencyKey: `refund-intent-${order}` },
);
const value = await agent.requestInput(intent.id, QUESTION);
say(`result: ${JSON.stringify(value)}`);
