import type { Stack } from './stack.js';

const TITLE = '{"title": "My first intent", "status": "active"}';

/** What `npm start` says once: where everything is, keys that were made, a first call to try. */
export function welcome(stack: Pick<Stack, 'apiUrl' | 'temporalUiUrl' | 'keys' | 'keysAreMade'>) {
  const { apiUrl, temporalUiUrl, keys, keysAreMade } = stack;
  const lines = [`Holdpoint API ready on ${apiUrl}`];
  if (temporalUiUrl !== undefined) lines.push(`Temporal UI on ${temporalUiUrl}`);
  if (keysAreMade) {
    lines.push('No HOLDPOINT_API_KEYS set; keys for development, kept in the data folder:');
    for (const { key, roles } of keys) lines.push(`  ${roles.join(', ').padEnd(9)} ${key}`);
  }
  const agent = keys.find(({ roles }) => roles.includes('agent') || roles.includes('admin'));
  const shown = keysAreMade && agent !== undefined ? agent.key : '<a key with the role agent>';
  return [
    ...lines,
    'Try it:',
    `  curl -s ${apiUrl}/v1/intents -H 'X-API-Key: ${shown}' -H 'Content-Type: application/json' -d '${TITLE}'`,
    'Ctrl-C stops everything.',
  ];
}
