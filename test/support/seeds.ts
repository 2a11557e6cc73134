/**
 * Values that no line written during a whole test run may hold (`test/support/run-tests.ts` looks for
 * them): keys, and what callers send that only the store and the people asked may see. Tests use them in
 * the place of their own.
 */
export const SEEDS = {
  agentKey: 'seeded-agent-key-4f1d0c77a9',
  secondAgentKey: 'seeded-second-agent-key-83b2e6d015',
  operatorKey: 'seeded-operator-key-b90a3c5e21',
  adminKey: 'seeded-admin-key-17c4f8e6d3',
  bothKey: 'seeded-both-key-6e5d20bb94',
  bearer: 'seeded-bearer-2a7b9c0d1e',
  question: 'seeded-question-c3f1a58e60',
  choice: 'seeded-choice-90e4b7d2a1',
  context: 'seeded-context-5d8c1f3b72',
  state: 'seeded-state-e7a06b9c48',
  answer: 'seeded-answer-1b6f4d9a3e',
  reason: 'seeded-reason-f20c8e5b7d',
} as const;
