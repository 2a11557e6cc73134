import type { ApiKey } from '../../../contracts/people/api-key.js';

/** Between two reminders of the wire: an hour is shown as 8 s. */
export const REMINDER_SECONDS = 8;
/** How long the first tier of the treasury has: ten minutes are shown as 8 s. */
export const TIER_SECONDS = 8;

/** Who decides: two people, a third one for whom the agent acts, and the treasurer. */
export const PEOPLE = ['alice', 'bob', 'carol', 'tina'] as const;
export type Person = (typeof PEOPLE)[number];

/** The agent that wires money, and may do so for Carol. */
export const WIRE_AGENT = 'payments-agent';

/** The keys of the story, beside one agent and one operator for the other stories. */
export const KEYS: readonly ApiKey[] = [
  { key: 'demo-agent-0123456789', principal: 'dev-agent', roles: ['agent'] },
  { key: 'demo-operator-0123456789', principal: 'dev-operator', roles: ['operator'] },
  {
    key: 'demo-payments-0123456789',
    principal: WIRE_AGENT,
    roles: ['agent'],
    acts_for: ['carol'],
  },
  ...PEOPLE.map((person): ApiKey => ({
    key: `demo-${person}-0123456789`,
    principal: person,
    roles: ['operator'],
    groups: person === 'tina' ? ['leads'] : ['team'],
  })),
];

/** The key of a principal. Throws where there is none. */
export function keyOfPrincipal(principal: string): string {
  const found = KEYS.find((one) => one.principal === principal);
  if (found === undefined) throw new Error(`There is no key of ${principal}.`);
  return found.key;
}

/** Which calls need whose approval. */
export const APPROVALS = `approvals:
  rules:
    - { tool: wire, verdict: escalate, route: dual_approval, risk_class: high }
    - { tool: payout, verdict: escalate, route: policy_pack, pack: treasury, risk_class: critical }
    - { tool: 'read_*', verdict: allow, risk_class: low }
  routes:
    dual_approval:
      tiers: [{ timeout_seconds: ${REMINDER_SECONDS * 10}, attempts: 10 }]
  packs:
    treasury:
      stages:
        - name: team
          approvers: { groups: [team] }
          tiers:
            - { timeout_seconds: ${TIER_SECONDS} }
            - { approvers: { groups: [leads] }, timeout_seconds: 60, on_timeout: deny }
        - { name: treasurer, approvers: { principals: [tina] } }
`;

export const WIRE_HEADER = [
  'An agent proposes a wire of 4,800 for Carol. Two people have to approve it, and Carol is not one of them.',
  'The first approves; the worker is killed; the reminder comes on time; the second edits the amount to 4,500,',
  'so the first approval falls and is given again. Exactly 4,500 is wired, once. Times count from the proposal.',
];

export const HEADER = [
  ...WIRE_HEADER,
  'Then, on the same stack: a deployment that waits for a person, a turn of an agent with three tool calls,',
  'and a payout whose first tier of approvers does not react.',
];
