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

/** A text that an agent wrote under a name: an entry of a context, or the description of a choice. */
export interface Entry {
  readonly name: string;
  readonly text: string;
}

/** The context entries that may leave the service, as people may read them. */
export function entriesIn({ _attempt, _max_attempts, ...own }: JsonObject): readonly Entry[] {
  return Object.entries(own).map(([name, value]) => ({
    name: visibleName(name),
    text: visible(typeof value === 'string' ? value : JSON.stringify(value)),
  }));
}

/**
 * An entry in plain text. A text of several lines is quoted below its name, so that no line of it looks like another
 * entry.
 */
export function entryText({ name, text }: Entry): string {
  return text.includes('\n') ? `${name}:\n${quoted(text)}` : `${name}: ${text}`;
}

export function quoted(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** Says how many context entries are withheld; undefined if none is. */
export function keptBack(withheld: number): string | undefined {
  if (withheld === 0) return undefined;
  if (withheld === 1) return '1 more entry of its context is in the inbox alone';
  return `${withheld} more entries of its context are in the inbox alone`;
}

/** Names those who may decide a question, for somebody who may not. */
export function decidersIn({ decided_by = {} }: Pick<OutgoingMessage, 'decided_by'>): string {
  return visibleLine(shortNamesOf(decided_by));
}

/** The most characters of a note in a message; the inbox shows all of it. */
const NOTE_CHARACTERS = 1_000;
const MOST_NOTES = 10;

export function notesIn({ notes = [] }: OutgoingOutcome): readonly Entry[] {
  const shown = notes.slice(0, MOST_NOTES).map(({ by, text }) => ({
    name: `Note of ${visibleLine(by)}`,
    text: text === undefined ? 'it is in the inbox.' : cutUnits(visible(text), NOTE_CHARACTERS),
  }));
  const more = notes.length - shown.length;
  return more > 0 ? [...shown, { name: 'More notes', text: `${more}, in the inbox.` }] : shown;
}

/** The most edited calls that a message names; the inbox shows them all. */
const MOST_EDITED = 5;

/** The description of an edit, for a message about how a question ended. */
export interface EditInWords {
  readonly text: string;
  /** The first of several edited calls, in the order of the proposal. The texts come from agents. */
  readonly calls: readonly string[];
}

/**
 * Says that the decided arguments differ from those asked about, and in which of several calls; undefined if they do
 * not.
 */
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

/** The former arguments of each edited call that may leave the service, under titles of our own. */
export function beforeIn({ edited }: OutgoingOutcome): readonly Titled[] {
  return (edited?.calls ?? []).flatMap(({ position, before }) => {
    if (before === undefined) return [];
    const title = `Before the edit${position === undefined ? '' : ` of call ${position}`}:`;
    return [{ title, text: visibleJson(JSON.stringify(before, null, 1)) }];
  });
}

interface Titled {
  readonly title: string;
  readonly text: string;
}
