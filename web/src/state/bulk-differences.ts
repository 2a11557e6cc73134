import type { JsonObject, JsonValue } from '../../../contracts/primitives.js';
import { contextParts } from '../../../domain/suspension/context-beside.js';
import type { Entry } from '../api/types.js';
import { differenceAmong, own, partsOf } from './differences.js';
import type { Difference } from './differences.js';
import { visible } from './visible.js';

/** How many differing parts of a question are named in its row; the rest is counted. */
const NAMED = 3;
/** So much of a differing part stands in a row. */
const EXCERPT = 80;

/** What each of some questions says, and where they say different things. */
export interface Compared {
  readonly said: ReadonlyMap<string, JsonObject>;
  readonly difference: Difference | undefined;
}

/** A differing part of one question, for its row. */
export interface Differing {
  readonly name: string;
  /** What this one says there, cut to its beginning; undefined if it says nothing. */
  readonly excerpt: string | undefined;
}

/** Compares questions by all that people decide by: the text, the context, what is said of choices, and what would run. */
export function compared(entries: readonly Entry[]): Compared {
  const said = new Map(entries.map((entry) => [entry.id, saidIn(entry)]));
  return { said, difference: differenceAmong([...said.values()]) };
}

function saidIn({ record }: Entry): JsonObject {
  const { question, choices = [], approval } = record;
  const described = choices.flatMap(({ label, description }) =>
    description === undefined ? [] : [[label, description] as const],
  );
  const calls = approval?.proposal.calls ?? [];
  return {
    question,
    context: contextParts(record).beside,
    choices: Object.fromEntries(described),
    ...(approval && {
      proposal: {
        ...Object.fromEntries(
          calls.map((call, index) => [
            `call ${index + 1}`,
            { tool: call.tool, arguments: call.arguments },
          ]),
        ),
        visible_context: approval.proposal.visible_context,
      },
    }),
  };
}

/** Where they differ within one part of what they say. */
export function differenceIn(
  { difference }: Compared,
  part: 'question' | 'context' | 'choices',
): Difference | undefined {
  return difference?.within?.get(part);
}

/** The first parts in which a question differs from the others, and how many more there are. */
export function differingOf(
  id: string,
  { said, difference }: Compared,
): { readonly named: readonly Differing[]; readonly more: number } {
  const all = difference ? placesOf(said.get(id), difference, []) : [];
  const named = all.slice(0, NAMED).map(({ path, value, at }) => ({
    name: visible(path.join(' › ')),
    excerpt: value === undefined ? undefined : excerptOf(value, at),
  }));
  return { named, more: all.length - named.length };
}

interface Place {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
  readonly at: Difference;
}

function placesOf(
  value: JsonValue | undefined,
  at: Difference,
  path: readonly string[],
): readonly Place[] {
  if (!at.within) return [{ path, value, at }];
  return [...at.within].flatMap(([name, inner]) =>
    placesOf(own(value, name), inner, [...path, name]),
  );
}

/** What is different of a value, in one line. */
function excerptOf(value: JsonValue, at: Difference): string {
  const text =
    typeof value === 'string'
      ? partsOf(value, at)
          .filter(({ differs }) => differs)
          .map((part) => part.text)
          .join(' … ')
      : visible(JSON.stringify(value));
  const characters = Array.from(text.slice(0, 2 * EXCERPT).replaceAll('\n', ' ⏎ '));
  return characters.length > EXCERPT
    ? `${characters.slice(0, EXCERPT).join('')}…`
    : characters.join('');
}
