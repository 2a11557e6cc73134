import type { Message, Thought } from './messages.js';

const TURNS: readonly Thought[] = [
  {
    text: 'I look at the service, and deploy.',
    calls: [
      { id: 'call-1', name: 'read_metrics', arguments: { service: 'shop' } },
      {
        id: 'call-2',
        name: 'deploy',
        arguments: { service: 'shop', version: '1.2.3', env: 'prod' },
      },
    ],
  },
];

/** A model that follows a script, and repeats in the end what its last tool said. */
export function scriptedModel(messages: readonly Message[]): Thought {
  const spoken = messages.filter(({ role }) => role === 'assistant').length;
  return TURNS[spoken] ?? { text: messages.at(-1)?.content ?? '', calls: [] };
}
