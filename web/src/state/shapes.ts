import type { Entry } from '../api/types.js';
import { formSchemaOf } from './form-schema.js';
import { ordered } from './ordered.js';
import { choicesOf } from '../parts/Choices.js';

/** What an answer to a question looks like: the same for questions that can be answered together. */
function shapeOf({ record }: Entry): string {
  const choices = choicesOf(record).map(({ value, label, style = null }) => [value, label, style]);
  const { response_type } = record;
  const response_schema = formSchemaOf(record) ?? null;
  return ordered([response_type, choices.map(ordered).sort(), response_schema]);
}

/** The questions that take other answers than most of these. The API judges it again, for what is open by then. */
export function misfitsOf(entries: readonly Entry[]): readonly Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const shape = shapeOf(entry);
    groups.set(shape, [...(groups.get(shape) ?? []), entry]);
  }
  const [most] = [...groups.values()].sort((one, other) => other.length - one.length);
  return entries.filter((entry) => !most?.includes(entry));
}
