import { DEVELOPMENT_APPROVER } from '../runtime/api-keys.js';
import { LINK_MINUTES } from './sign-in-links.js';
import type { Stack } from './stack.js';

const PEOPLE = ['operator', 'approver'];

type Shown = Pick<Stack, 'apiUrl' | 'temporalAddress' | 'temporalUiUrl' | 'keys' | 'keysAreMade'>;

/** The keys that were made, each with its role; the second operator is there to approve. */
function keyLines({ keys, keysAreMade }: Shown): readonly string[] {
  if (!keysAreMade) return [];
  const lines = keys.map(({ key, principal, roles }) => {
    const name = principal === DEVELOPMENT_APPROVER ? 'approver' : roles.join(', ');
    return `  ${name.padEnd(9)} ${key}`;
  });
  return ['No HOLDPOINT_API_KEYS set; keys for development, kept in the data folder:', ...lines];
}

/**
 * What `npm start` says once: where everything is, links that sign people in, keys that were made, a question to ask.
 *
 * @param links - to the inbox, of an operator and of an approver; none if keys are configured
 * @param command - how this Holdpoint is called
 */
export function welcome(
  stack: Shown,
  links: readonly string[],
  command: string,
): readonly string[] {
  const { apiUrl, temporalAddress, temporalUiUrl, keys, keysAreMade } = stack;
  const agent = keys.find(({ roles }) => roles.includes('agent') || roles.includes('admin'));
  const key = keysAreMade && agent !== undefined ? agent.key : '<a key with the role agent>';
  const inbox =
    links.length === 0
      ? [`Inbox on ${apiUrl}/inbox: sign in with the key of an operator`]
      : [
          `Inbox; each link signs one person in, once, within ${LINK_MINUTES} minutes:`,
          ...links.map((link, i) => `  ${(PEOPLE[i] ?? '').padEnd(9)} ${link}`),
        ];
  return [
    ...inbox,
    `Holdpoint API ready on ${apiUrl}`,
    `Its documentation on ${apiUrl}/docs`,
    `Temporal on ${temporalAddress} (gRPC)`,
    ...(temporalUiUrl === undefined ? [] : [`Temporal UI on ${temporalUiUrl}`]),
    ...keyLines(stack),
    'Ask a question; it appears in the inbox, and here with the command that answers it:',
    `  HOLDPOINT_URL=${apiUrl} HOLDPOINT_API_KEY='${key}' ${command} ask "Deploy on a Friday?" --confirm && echo deploying`,
    'Ctrl-C stops everything.',
  ];
}
