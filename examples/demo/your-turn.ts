import { setTimeout as pause } from 'node:timers/promises';
import type { ApiKey } from '../../contracts/people/api-key.js';
import type { SuspensionView } from '../../contracts/suspension/view.js';
import { signInLinks, withStoreAt } from '../../service/sign-in-links.js';
import type { Stack } from '../../service/stack.js';
import { Api } from './compliance/reads.js';
import { keyOf } from './on-stack.js';

/** How long the question to the viewer stays open. */
export const TURN_SECONDS = 60;
/** What the script answers where nobody watches. */
const SCRIPTED = 'ship';
const FALLBACK = 'monday';
const LOOK_SECONDS = 2;

const QUESTION = {
  question: 'Your turn: ship the release on a Friday?',
  response_type: 'choice',
  choices: [
    { value: SCRIPTED, label: 'Ship it' },
    { value: FALLBACK, label: 'Wait for Monday' },
  ],
  timeout_seconds: TURN_SECONDS,
  fallback_policy: 'use_default_and_continue',
  fallback_value: FALLBACK,
};

/** Who the viewer is in the inbox. */
function viewerOf({ keys }: Pick<Stack, 'keys'>): ApiKey {
  const found = keys.find(({ principal }) => principal === 'dev-operator');
  if (found === undefined) throw new Error('There is no key for the viewer.');
  return found;
}

/** A link that signs the viewer in to the inbox, once. */
export async function inboxLink(stack: Stack): Promise<string> {
  const people = [viewerOf(stack)];
  const [link = ''] = await withStoreAt(stack.databaseUrl, (db) =>
    signInLinks(db, stack.apiUrl, people),
  );
  return link;
}

/**
 * Asks the viewer, and shows what becomes of it: the click, or the fallback after a minute. Where nobody watches, a script
 * answers as the page of the inbox does. Resolves with what is not as planned, or with undefined.
 */
export async function playYourTurn(
  stack: Stack,
  note: (text: string) => void,
  isWatched: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const agent = new Api(stack.apiUrl, keyOf(stack, 'agent'));
  const started = Date.now();
  const { id } = await agent.post<SuspensionView>('/suspensions', QUESTION);
  const link = await inboxLink(stack);
  if (isWatched) {
    note(`Your turn: one question stays open for ${TURN_SECONDS} s.`);
    note(`Answer it in the inbox: ${stack.apiUrl}/inbox/q/${id} (to sign in: ${link})`);
  } else {
    note('Your turn: nobody watches, so a script answers by what the inbox itself calls');
    await answerAsPage(stack.apiUrl, link, id);
  }
  const view = await settled(agent, id, signal);
  const after = ((Date.now() - started) / 1_000).toFixed(1);
  const outcome = outcomeOf(view);
  note(`${outcome.text}, after ${after} s`);
  if (isWatched || (outcome.value === SCRIPTED && outcome.by === viewerOf(stack).principal)) {
    return undefined;
  }
  return `the answer of the script is not what counts: ${outcome.text}`;
}

/** Signs in by a link and answers, with the cookie and the token of the session and with no key. */
async function answerAsPage(apiUrl: string, link: string, id: string): Promise<void> {
  const json = { 'content-type': 'application/json', origin: apiUrl };
  const token = new URL(link).hash.slice('#link='.length);
  const opened = await fetch(`${apiUrl}/session`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ link: token }),
  });
  if (!opened.ok) throw new Error(`POST /session: ${opened.status} ${await opened.text()}`);
  const { csrf } = (await opened.json()) as { csrf: string };
  const cookie = opened.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  const answered = await fetch(`${apiUrl}/v1/suspensions/${id}/respond`, {
    method: 'POST',
    headers: { ...json, cookie: cookie.join('; '), 'x-csrf-token': csrf },
    body: JSON.stringify({ value: SCRIPTED, metadata: { via: 'inbox' } }),
  });
  if (!answered.ok) throw new Error(`The answer: ${answered.status} ${await answered.text()}`);
}

async function settled(agent: Api, id: string, signal: AbortSignal): Promise<SuspensionView> {
  for (;;) {
    signal.throwIfAborted();
    const path = `/suspensions/${id}/wait?timeout_seconds=${LOOK_SECONDS}`;
    const view = await agent.get<SuspensionView>(path);
    if (view.state === 'settled') return view;
    await pause(0);
  }
}

interface Outcome {
  readonly text: string;
  readonly value: unknown;
  readonly by: string | undefined;
}

function outcomeOf({ record }: SuspensionView): Outcome {
  const { resolution, response, responded_by } = record;
  if (resolution === 'responded') {
    const text = `${responded_by ?? 'somebody'} answered ${JSON.stringify(response)}`;
    return { text, value: response, by: responded_by };
  }
  const text = `nobody answered: the fallback ${JSON.stringify(FALLBACK)} decided`;
  return { text, value: FALLBACK, by: undefined };
}
