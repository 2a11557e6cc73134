import { LIMITS } from '../../contracts/constants/limits.js';
import type { FieldIssue } from '../../contracts/kernel/parse-fields.js';
import type { JsonObject, JsonValue } from '../../contracts/kernel/primitives.js';
import { cutTo } from './text.js';

/** The largest parts of a refusal, in bytes of JSON, so that all of it, with every issue, stays below 64 KiB. */
const REFUSAL_BYTES = { field: 1_000, detail: 4_000, accepted: 4_000, state: 8_000 } as const;
const ISSUE_BYTES = { field: 400, detail: 700, accepted: 700 } as const;
const TEXT_BYTES = 1_000;
/** The cost of a name or an entry besides its text. */
const ENTRY_BYTES = 3;

interface Budget {
  bytes: number;
}

function spend(budget: Budget, text: string): string {
  const shown = cutTo(text, Math.max(0, Math.min(TEXT_BYTES, budget.bytes)));
  budget.bytes -= JSON.stringify(shown).length + ENTRY_BYTES;
  return shown;
}

function cut(value: unknown, budget: Budget): JsonValue {
  if (typeof value === 'string') return spend(budget, value);
  if (typeof value === 'number' || typeof value === 'boolean') {
    budget.bytes -= String(value).length + ENTRY_BYTES;
    return value;
  }
  budget.bytes -= ENTRY_BYTES + 1;
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? entriesOf(value, budget) : fieldsOf(value, budget);
}

function entriesOf(list: readonly unknown[], budget: Budget): JsonValue {
  const shown: JsonValue[] = [];
  for (const entry of list) {
    if (budget.bytes <= 0) break;
    shown.push(cut(entry, budget));
  }
  return shown;
}

function fieldsOf(value: object, budget: Budget): JsonObject {
  const shown: [string, JsonValue][] = [];
  for (const name in value) {
    if (budget.bytes <= 0) break;
    if (!Object.hasOwn(value, name)) continue;
    shown.push([spend(budget, name), cut((value as JsonObject)[name], budget)]);
  }
  return Object.fromEntries(shown);
}

/** Cuts a JSON value to about `maxBytes`: long texts and names end with …, and the rest is omitted. */
export function cutJson(value: unknown, maxBytes: number): JsonValue {
  return cut(value, { bytes: maxBytes });
}

interface Said {
  readonly detail: string;
  readonly field?: string | undefined;
  readonly accepted?: string | undefined;
  readonly state?: JsonObject | undefined;
}

/**
 * Cuts the texts and the state of a refusal, but never `valid_choices`.
 *
 * @param parts - the number of refusals in one reply, which share the limits
 */
export function boundedRefusal<R extends Said>(refusal: R, parts = 1): R {
  const { field, detail, accepted, state } = refusal;
  const room = (of: keyof typeof REFUSAL_BYTES) => Math.floor(REFUSAL_BYTES[of] / parts);
  return {
    ...refusal,
    detail: cutTo(detail, room('detail')),
    ...(field !== undefined && { field: cutTo(field, room('field')) }),
    ...(accepted !== undefined && { accepted: cutTo(accepted, room('accepted')) }),
    ...(state !== undefined && { state: cutJson(state, room('state')) }),
  };
}

/** The first 20 refused fields, with their texts cut. */
export function boundedIssues(issues: readonly FieldIssue[]): readonly FieldIssue[] {
  return issues.slice(0, LIMITS.reportedIssues).map(({ field, detail, accepted }) => ({
    field: cutTo(field, ISSUE_BYTES.field),
    detail: cutTo(detail, ISSUE_BYTES.detail),
    ...(accepted !== undefined && { accepted: cutTo(accepted, ISSUE_BYTES.accepted) }),
  }));
}

const LISTED_BYTES = 600;

/** Joins names into a text that says what is accepted. Long lists end with …. */
export function listed(names: Iterable<string>): string {
  const shown: string[] = [];
  let bytes = 0;
  for (const name of names) {
    const part = cutTo(name, LISTED_BYTES);
    bytes += JSON.stringify(part).length;
    if (bytes > LISTED_BYTES) return [...shown, '…'].join(', ');
    shown.push(part);
  }
  return shown.join(', ');
}
