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
import { HEADER, QUESTIONS } from './story.js';
import { inboxLink, playYourTurn } from './your-turn.js';

/** Each story takes about 30 s at most; a stack that needs this long has lost something. */
const STORY_MS = 90_000;
const inTime = (toleranceMs: number): string =>
  `none early, none over ${toleranceMs / 1_000} s late`;

/**
 * `npm run demo`: starts a whole Holdpoint in a temporary folder, plays the story and checks it; exits
 * with 1 at the first difference, or at the end if something came too late. `-- --json` prints JSON lines, `-- approvals` and `-- compliance` play the other stories.
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
    const late = new Lateness(note, ROW_TOLERANCE_MS);
    return onStack(note, signal, (stack) =>
      playCompliance(
        { stack, printer: rows, late, intervalSeconds, kills, signal: within(variants.length) },
        variants,
      ),
    );
  }
  const teller = new Teller(printer, write, json);
  const late = new Lateness(note);
  if (choices.approvals) {
    printer.header(APPROVALS_HEADER, ['part', 'what']);
    return onStack(note, signal, (stack) =>
      playInTurn(
        [() => playApprovals({ stack, tell: teller, late, signal: within(2) }, 'all')],
        late,
      ),
    );
  }
  printer.header(WIRE_HEADER, ['part', 'what']);
  return onStack(note, signal, async (stack) => {
    note(`watch it in the inbox: ${await inboxLink(stack)}`);
    note('your turn comes at the end; until then the story answers its own questions');
    const isWatched = !json && process.stdout.isTTY && process.stdin.isTTY;
    const wire = () => playApprovals({ stack, tell: teller, late, signal: within(1) }, 'wire');
    const refunds = () => {
      printer.header(['', ...HEADER], ['order', 'event']);
      return playStory(stack, printer, late, within(1));
    };
    const yourTurn = () => playYourTurn(stack, note, isWatched, within(1));
    return playInTurn([wire, refunds, yourTurn], late);
  });
}

function praise(): string {
  if (choices.compliance) return `As planned: every row holds, ${inTime(ROW_TOLERANCE_MS)}.`;
  if (choices.approvals) return `As planned: every step was checked, ${inTime(TOLERANCE_MS)}.`;
  return `As planned: every step of the wire was checked, and every line is in the event log, in order, ${inTime(TOLERANCE_MS)}, for ${QUESTIONS.length} questions.`;
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const choices = readChoices();
const printer = choices.json ? jsonPrinter(write) : textPrinter(write);
const note = (text: string): void => printer.note(text);
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
