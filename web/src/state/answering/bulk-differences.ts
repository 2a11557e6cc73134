import type { JsonObject, JsonValue } from '../../../../contracts/kernel/primitives.js';
import { defined } from '../../../../contracts/constants/defined.js';
import { contextParts } from '../../../../domain/suspension/asking/context-beside.js';
import type { Entry } from '../../api/types.js';
import { differenceAmong, ordered, own, partsOf, type Difference } from './differences.js';
import { choicesOf } from '../../parts/answer/Choices.js';
import { formSchemaOf } from './form-state.js';
import { visible } from '../list/visible.js';

/** The most differing parts that the row of a question names; the others are counted. */
const NAMED = 3;
const EXCERPT = 80;

/** The contents of each of several questions, and their differences. */
export interface Compared {
  readonly said: ReadonlyMap<string, JsonObject>;
  readonly difference: Difference | undefined;
}

interface Differing {
  readonly name: string;
  /** The beginning of this question's value there; undefined if it has none. */
  readonly excerpt: string | undefined;
}

/** Compares questions by all that people decide by: the text, the context, the descriptions of choices, and the proposed calls. */
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
  return defined({
    question,
    context: contextParts(record).beside,
    choices: Object.fromEntries(described),
    proposal: approval && {
      ...Object.fromEntries(
        calls.map((call, index) => [
          `call ${index + 1}`,
          { tool: call.tool, arguments: call.arguments },
        ]),
      ),
      visible_context: approval.proposal.visible_context,
    },
  });
}

export function differenceIn(
  { difference }: Compared,
  part: 'question' | 'context' | 'choices',
): Difference | undefined {
  return difference?.within?.get(part);
}

/** Returns the first parts in which a question differs from the others, and how many more there are. */
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

/** Returns the differing parts of a value in one line. */
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

/** Describes the form of a question's answer. It is the same for questions that can be answered together. */
function shapeOf({ record }: Entry): string {
  const choices = choicesOf(record).map(({ value, label, style = null }) => [value, label, style]);
  const { response_type } = record;
  const response_schema = formSchemaOf(record) ?? null;
  return ordered([response_type, choices.map(ordered).sort(), response_schema]);
}

/** Returns the questions that need other answers than most of these. The API judges those again that are still open. */
export function misfitsOf(entries: readonly Entry[]): readonly Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const shape = shapeOf(entry);
    groups.set(shape, [...(groups.get(shape) ?? []), entry]);
  }
  const [most] = [...groups.values()].sort((one, other) => other.length - one.length);
  return entries.filter((entry) => !most?.includes(entry));
}
