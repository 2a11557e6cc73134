import type { OutgoingOutcome } from '../../contracts/channel/follow-up.js';
import type { OutgoingMessage } from '../../contracts/channel/notification.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import {
  visible,
  visibleJson,
  visibleLine,
  visibleName,
} from '../../contracts/constants/visible-text.js';
import { shortNamesOf } from '../../domain/suspension/people/eligibility.js';
import { cutUnits } from '../../domain/kernel/shown-text.js';

/** Something that an agent wrote under a name: an entry of a context, or what a choice is said to be. */
export interface Entry {
  readonly name: string;
  readonly text: string;
}

/** The entries of a context that may leave, as people may read them. */
export function entriesIn({ _attempt, _max_attempts, ...own }: JsonObject): readonly Entry[] {
  return Object.entries(own).map(([name, value]) => ({
    name: visibleName(name),
    text: visible(typeof value === 'string' ? value : JSON.stringify(value)),
  }));
}

/** An entry in plain text. A text of several lines is quoted below its name, so that none of them looks like another entry. */
export function entryText({ name, text }: Entry): string {
  return text.includes('\n') ? `${name}:\n${quoted(text)}` : `${name}: ${text}`;
}

/** A text with a mark before each of its lines, which no line of ours begins with. */
export function quoted(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** How many entries of a context may not leave, in words; undefined if none is kept back. */
export function keptBack(withheld: number): string | undefined {
  if (withheld === 0) return undefined;
  if (withheld === 1) return '1 more entry of its context is in the inbox alone';
  return `${withheld} more entries of its context are in the inbox alone`;
}

/** Who may decide a question, in words, for somebody who may not. */
export function decidersIn({ decided_by = {} }: Pick<OutgoingMessage, 'decided_by'>): string {
  return visibleLine(shortNamesOf(decided_by));
}

/** So much of a note stands in a message; the inbox has all of it. */
const NOTE_CHARACTERS = 1_000;
const MOST_NOTES = 10;

/** The notes with answers, as far as a message has room for them. */
export function notesIn({ notes = [] }: OutgoingOutcome): readonly Entry[] {
  const shown = notes.slice(0, MOST_NOTES).map(({ by, text }) => ({
    name: `Note of ${visibleLine(by)}`,
    text: text === undefined ? 'it is in the inbox.' : cutUnits(visible(text), NOTE_CHARACTERS),
  }));
  const more = notes.length - shown.length;
  return more > 0 ? [...shown, { name: 'More notes', text: `${more}, in the inbox.` }] : shown;
}

/** So many of several edited calls are named; the inbox has them all. */
const MOST_EDITED = 5;

/** An edit in words, for a message about how a question ended. */
export interface EditInWords {
  readonly text: string;
  /** The first of several calls that were edited, as the proposal lists them. These words are of agents. */
  readonly calls: readonly string[];
}

/** Says that other arguments count than were asked about, and in which of several calls; undefined if they are the same. */
export function editIn({ edited }: OutgoingOutcome): EditInWords | undefined {
  if (edited === undefined) return undefined;
  const several = (edited.calls ?? []).flatMap(({ tool, position }) =>
    position === undefined ? [] : [{ position, name: `${position}. ${visibleName(tool)}` }],
  );
  const which = several.map(({ position }) => position);
  return {
    text: `The arguments${ofCalls(which)} were edited since it was asked: version ${edited.version} was decided on. The words of the question are those of before.`,
    calls: several.slice(0, MOST_EDITED).map(({ name }) => name),
  };
}

function ofCalls(positions: readonly number[]): string {
  if (positions.length > MOST_EDITED) return ` of ${positions.length} calls`;
  const [last, ...others] = positions.toReversed();
  if (last === undefined) return '';
  if (others.length === 0) return ` of call ${last}`;
  return ` of calls ${others.toReversed().join(', ')} and ${last}`;
}

/** The former arguments of each edited call that may leave, under titles of our own. */
export function beforeIn({ edited }: OutgoingOutcome): readonly Titled[] {
  return (edited?.calls ?? []).flatMap(({ position, before }) => {
    if (before === undefined) return [];
    const title = `Before the edit${position === undefined ? '' : ` of call ${position}`}:`;
    return [{ title, text: visibleJson(JSON.stringify(before, null, 1)) }];
  });
}

/** A text of agents under a title of our own. */
interface Titled {
  readonly title: string;
  readonly text: string;
}
