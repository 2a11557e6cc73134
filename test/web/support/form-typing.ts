import type { JsonObject, JsonValue } from '../../../contracts/kernel/primitives.js';
import { jsonEqual } from '../../../domain/kernel/json.js';
import type { Entered, Field } from '../../../web/src/form/field.js';
import { faultsOf, formOf } from '../../../web/src/form/judged.js';

/** What somebody chooses of each union, by where it stands. */
export class Picks {
  private readonly picks = new Map<string, number>();
  private readonly counts = new Map<string, number>();
  /** Whether the value has a name of which the form knows nothing. */
  hasNoPlace = false;

  of(path: string, count: number): number {
    this.counts.set(path, count);
    if (!this.picks.has(path)) this.picks.set(path, 0);
    return this.picks.get(path) ?? 0;
  }

  /** Whether there is another way to choose. */
  next(): boolean {
    for (const [path, pick] of [...this.picks].reverse()) {
      if (pick + 1 < (this.counts.get(path) ?? 0)) {
        this.picks.set(path, pick + 1);
        return true;
      }
      this.picks.delete(path);
    }
    return false;
  }
}

/** What somebody enters who wants to say a value. */
function enter(field: Field, value: JsonValue, picks: Picks, path: string): Entered | undefined {
  if (field.isNullable && value === null) return null;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
    case 'json':
      return JSON.stringify(value);
    case 'tick':
      return value === true;
    case 'choice':
      return { chosen: value };
    case 'several':
      return Array.isArray(value) ? { several: value as JsonValue[] } : undefined;
    case 'list':
      return enterList(field, value, picks, path);
    case 'group':
      return enterGroup(field, value, picks, path);
    case 'union':
      return enterUnion(field, value, picks, path);
    case 'fixed':
      return undefined;
  }
}

function enterList(
  field: Extract<Field, { kind: 'list' }>,
  value: JsonValue,
  picks: Picks,
  path: string,
): Entered | undefined {
  if (!Array.isArray(value)) return undefined;
  if (!field.canGrow && value.length > field.items.length) return undefined;
  const parts = (value as JsonValue[]).map((part, at) => {
    const item = field.items[at];
    return item && enter(item, part, picks, `${path}/${at}`);
  });
  return { entries: parts.map((inner) => (inner === undefined ? {} : { inner })) };
}

function enterUnion(
  field: Extract<Field, { kind: 'union' }>,
  value: JsonValue,
  picks: Picks,
  path: string,
): Entered {
  const branch = picks.of(path, field.labels.length);
  if (field.branch !== branch || !field.inner) return { branch };
  const inner = enter(field.inner, value, picks, `${path}|${branch}`);
  return { branch, ...(inner !== undefined && { inner }) };
}

function enterGroup(
  field: Extract<Field, { kind: 'group' }>,
  value: JsonValue,
  picks: Picks,
  path: string,
): Entered | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const all = Object.entries(value as JsonObject);
  const of: [string, Entered][] = [];
  for (const [name, member] of field.members) {
    const part = Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
    const entered = part === undefined ? undefined : enter(member, part, picks, `${path}/${name}`);
    if (entered !== undefined) of.push([name, entered]);
  }
  const known = field.members.map(([name]) => name);
  const beside = all.filter(([name]) => !known.includes(name));
  if (beside.length > 0) picks.hasNoPlace = true;
  const more = beside.map(([name, part], at) => {
    const input = field.more?.[at]?.field;
    const inner = input && enter(input, part, picks, `${path}/${name}`);
    return { name, ...(inner !== undefined && { inner }) };
  });
  return { of: Object.fromEntries(of), ...(field.more && { more }) };
}

/** Whether a form says a value once somebody has entered it, with those branches that say it. */
export function isSaid(schema: JsonObject, value: JsonValue, picks: Picks): boolean {
  for (let tries = 0; tries < 200; tries += 1) {
    let entered: Entered | undefined;
    for (let round = 0; round < 6; round += 1) {
      const next = enter(formOf(schema, entered).field, value, picks, '');
      if (JSON.stringify(next) === JSON.stringify(entered)) break;
      entered = next;
    }
    const form = formOf(schema, entered);
    const isRead = form.value !== undefined && jsonEqual(form.value, value);
    if (isRead && faultsOf(schema, form).length === 0) return true;
    if (!picks.next()) return false;
  }
  return false;
}
