import { VERSION, shortId } from '../contracts/constants/names.js';
import { DEVELOPMENT_APPROVER } from '../runtime/api-keys.js';
import { LINK_MINUTES } from './sign-in-links.js';
import type { Stack } from './stack.js';
import { Operator } from '../client/operator.js';
import { spanOf } from '../cli/text.js';
import { visibleLine } from '../contracts/constants/visible-text.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import { matchedChoice } from '../domain/suspension/answering/response.js';

const PEOPLE = ['operator', 'approver'];

type Shown = Pick<
  Stack,
  'apiUrl' | 'temporalAddress' | 'temporalUiUrl' | 'metricsUrls' | 'keys' | 'keysAreMade'
> & { readonly folder: Pick<Stack['folder'], 'root' | 'keysFile'> };

/** What `npm start` shows besides the stack itself. */
export interface Welcome {
  /** The links that sign in an operator and an approver; none if keys are configured. */
  readonly links: readonly string[];
  readonly open: number;
  /** The command that runs this Holdpoint's command line. */
  readonly command: string;
  /** Whether a person reads it: links and keys are shown to nobody else. */
  readonly isTerminal: boolean;
}

/** A row of the table; one without a label belongs to the row above it. */
type Row = readonly [label: string, text: string];

const LABEL_COLUMNS = 17;

function inboxRows({ apiUrl }: Shown, { links, command, isTerminal }: Welcome): readonly Row[] {
  if (links.length === 0) return [['Inbox', `${apiUrl}/inbox, with the key of an operator`]];
  if (!isTerminal) return [['Inbox', `${apiUrl}/inbox; to sign in: ${command} link`]];
  return [
    ...links.map((link, i): Row => [`Inbox, ${PEOPLE[i] ?? ''}`, link]),
    [
      '',
      `each signs one person in, once, within ${LINK_MINUTES} minutes; another: ${command} link`,
    ],
  ];
}

/** Returns the address of the list of open questions in the Temporal UI, whose pages of the namespace are at `uiUrl`. */
export function openInTemporal(uiUrl: string): string {
  const query = 'WorkflowType="suspension" AND HoldpointState="pending"';
  return `${uiUrl}/workflows?query=${encodeURIComponent(query)}`;
}

function rowsOf(stack: Shown, welcome: Welcome): readonly Row[] {
  const { apiUrl, temporalAddress, temporalUiUrl: ui, metricsUrls, folder } = stack;
  const metrics = [metricsUrls.api, metricsUrls.worker].filter((url) => url !== undefined);
  return [
    ...inboxRows(stack, welcome),
    ['Open questions', String(welcome.open)],
    ['API', apiUrl],
    ['API docs', `${apiUrl}/docs`],
    ['Temporal', `${temporalAddress} (gRPC)`],
    ...(ui === undefined
      ? []
      : ([
          ['Temporal UI', ui],
          ['Questions there', openInTemporal(ui)],
        ] as const)),
    ...metrics.map((url, i): Row => [i === 0 ? 'Metrics' : '', url]),
    ['Data', folder.root],
  ];
}

/** Returns the generated keys with their roles; the second operator is the approver. */
function keyLines({ keys, keysAreMade, folder }: Shown, isTerminal: boolean): readonly string[] {
  if (!keysAreMade) return [];
  if (!isTerminal) return ['', `The keys for development are in ${folder.keysFile}`];
  const lines = keys.map(({ key, principal, roles }) => {
    const name = principal === DEVELOPMENT_APPROVER ? 'approver' : roles.join(', ');
    return `  ${name.padEnd(LABEL_COLUMNS)}${key}`;
  });
  return ['', `Keys for development, kept in ${folder.keysFile}`, ...lines];
}

function exampleLines({ apiUrl, keysAreMade }: Shown, command: string): readonly string[] {
  const settings = keysAreMade
    ? ''
    : `HOLDPOINT_URL=${apiUrl} HOLDPOINT_API_KEY='<a key with the role agent>' `;
  return [
    '',
    'Ask a question in another terminal. It appears in the inbox, and here with the command that answers it:',
    `  ${settings}${command} ask "Deploy on a Friday?" --confirm && echo deploying`,
  ];
}

/** Returns what `npm start` prints once: a table of all addresses, generated keys, and a question to ask. */
export function welcome(stack: Shown, about: Welcome): readonly string[] {
  const rows = rowsOf(stack, about);
  return [
    '',
    `Holdpoint ${VERSION} is ready.`,
    '',
    ...rows.map(([label, text]) => `  ${label.padEnd(LABEL_COLUMNS)}${text}`),
    ...keyLines(stack, about.isTerminal),
    ...exampleLines(stack, about.command),
    '',
    'Ctrl-C stops everything.',
  ];
}

/** A key that is configured by its digest cannot be sent. */
const DIGEST = /^sha256:/;

/** Returns the decision: only a choice, by its label, because an answer may hold personal data. */
function endOf({ record }: SuspensionView): string {
  const { resolution, response, responded_by } = record;
  if (resolution === 'expired') return 'expired';
  if (resolution === 'cancelled') return 'withdrawn';
  const choice = response === undefined ? undefined : matchedChoice(record, response);
  const what = choice === undefined ? '' : ` "${choice.label}"`;
  return `answered${what} by ${responded_by ?? 'somebody'}`;
}

/** Returns the line of a settled question: its decision, by whom, and after how long. */
export function settledLine(view: SuspensionView): string {
  const { id, record } = view;
  const { suspended_at, settled_at = suspended_at, question } = record;
  const after = spanOf(Date.parse(settled_at) - Date.parse(suspended_at));
  return visibleLine(`[settled] ${shortId(id)} ${endOf(view)} after ${after}: ${question}`);
}

/** Prints a line for each question that is settled from now on, until the signal is aborted; none without a key of an operator. */
export async function tellSettled(
  { apiUrl, keys }: Pick<Stack, 'apiUrl' | 'keys'>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const found = keys.find(({ key, roles }) => roles.includes('operator') && !DIGEST.test(key));
  if (found === undefined) return;
  const logger = { warn: () => undefined };
  const operator = new Operator({ baseUrl: apiUrl, apiKey: found.key, logger });
  try {
    for await (const news of operator.follow({ signal })) {
      if (news.kind !== 'suspension' || news.state !== 'settled') continue;
      log(settledLine(await operator.getSuspension(news.id, { signal })));
    }
  } catch (error) {
    if (!signal.aborted) log(`No more lines about settled questions: ${String(error)}`);
  }
}
