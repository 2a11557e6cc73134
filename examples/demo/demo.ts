import { playApprovals } from './approvals/scenario.js';
import { HEADER as APPROVALS_HEADER, WIRE_HEADER } from './approvals/story.js';
import { Teller } from './approvals/teller.js';
import { choicesOf } from './choices.js';
import { rowJson, rowText } from './compliance/printing.js';
import { playCompliance } from './compliance/scenario.js';
import {
  headerOf,
  INTERVAL_SECONDS,
  TOLERANCE_MS as ROW_TOLERANCE_MS,
} from './compliance/story.js';
import { Lateness, playInTurn, TOLERANCE_MS } from './lateness.js';
import { onStack } from './on-stack.js';
import { jsonPrinter, textPrinter } from './printing.js';
import { playStory } from './scenario.js';
import { headerEvery, intervalFor, questionsEvery } from './story.js';
import { inboxLink, playYourTurn } from './your-turn.js';

/** Each story takes about 30 s; a stack that needs this long has lost something, however busy the machine is. */
const STORY_MS = 300_000;

/**
 * `npm run demo`: starts a whole Holdpoint in a temporary folder, plays the story and checks it; exits with 1 at the first
 * difference: something that is early, missing or otherwise. What is late is reported. `-- --json` prints JSON lines, `-- approvals`
 * and `-- compliance` play the other stories.
 */
async function demo(signal: AbortSignal): Promise<string | undefined> {
  const { json, compliance } = choices;
  const within = (stories: number) =>
    AbortSignal.any([signal, AbortSignal.timeout(stories * STORY_MS)]);
  if (compliance) {
    const rows = json ? rowJson(printer, write) : rowText(printer, write);
    const { variants, kills } = compliance;
    const intervalSeconds = INTERVAL_SECONDS[kills ? 'killed' : 'calm'];
    printer.header(headerOf(intervalSeconds), ['row', 'what']);
    return onStack(note, signal, (stack) =>
      playCompliance(
        { stack, printer: rows, late, intervalSeconds, kills, signal: within(variants.length) },
        variants,
      ),
    );
  }
  const teller = new Teller(printer, write, json);
  if (choices.approvals) {
    printer.header(APPROVALS_HEADER, ['part', 'what']);
    return onStack(note, signal, (stack) =>
      playApprovals({ stack, tell: teller, late, signal: within(2) }, 'all'),
    );
  }
  printer.header(WIRE_HEADER, ['part', 'what']);
  return onStack(note, signal, async (stack) => {
    note(`watch it in the inbox: ${await inboxLink(stack)}`);
    note('your turn comes at the end; until then the story answers its own questions');
    const isWatched = !json && process.stdout.isTTY && process.stdin.isTTY;
    const wire = () => playApprovals({ stack, tell: teller, late, signal: within(1) }, 'wire');
    const refunds = () => {
      const interval = intervalFor(teller.restartMs);
      printer.header(['', ...headerEvery(interval)], ['order', 'event']);
      return playStory(stack, printer, questionsEvery(interval), late, within(1));
    };
    const yourTurn = () => playYourTurn(stack, note, isWatched, within(1));
    return playInTurn([wire, refunds, yourTurn]);
  });
}

function praise(): string {
  const { summary } = late;
  if (choices.compliance) return `As planned: every row holds; ${summary}.`;
  if (choices.approvals) return `As planned: every step was checked; ${summary}.`;
  return `As planned: every step of the wire was checked, and every line is in the event log, in order; ${summary}.`;
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const choices = readChoices();
const printer = choices.json ? jsonPrinter(write) : textPrinter(write);
const note = (text: string): void => printer.note(text);
const late = new Lateness(note, choices.compliance ? ROW_TOLERANCE_MS : TOLERANCE_MS);
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => stop.abort(new Error(`The demo was ended by ${name}.`)));
}
try {
  const difference = await demo(stop.signal);
  printer.verdict(
    difference,
    difference === undefined ? praise() : `Not as planned: ${difference}`,
  );
  process.exit(difference === undefined ? 0 : 1);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  printer.verdict(reason, `The demo failed: ${reason}`);
  process.exit(1);
}

function readChoices(): ReturnType<typeof choicesOf> {
  try {
    return choicesOf(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}
