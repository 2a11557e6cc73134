import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('./examples/', import.meta.url);

/** One file of examples: records by name, and requests and replies by the ids of operations. */
interface ExampleFile {
  readonly records?: Readonly<Record<string, unknown>>;
  readonly operations?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && name !== 'ids.json')
  .map((name) => readJson(name) as ExampleFile);
const RECORDS = new Map(FILES.flatMap(({ records = {} }) => Object.entries(records)));
const OPERATIONS = new Map(FILES.flatMap(({ operations = {} }) => Object.entries(operations)));

/** The content of the files: names of records, and ids of routes with the parts that have an example. */
export const EXAMPLE_NAMES = {
  records: [...RECORDS.keys()],
  routes: [...OPERATIONS].map(([id, parts]) => ({ id, parts: Object.keys(parts) })),
} as const;

/** Ids as they stand in paths, by name. */
export const EXAMPLE_IDS = readJson('ids.json') as Readonly<Record<string, string>>;

/**
 * Replaces references such as `{"$record": "intent"}` by the record, without the fields that `$without` names, and with the
 * other fields of the reference.
 */
function withRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withRecords);
  if (typeof value !== 'object' || value === null) return value;
  const { $record, $without, ...fields } = value as Reference;
  const own = Object.entries(fields).map(([name, inner]) => [name, withRecords(inner)] as const);
  if ($record === undefined) return Object.fromEntries(own);
  const record = recordExample($record);
  if (typeof record !== 'object' || record === null) return record;
  const kept = Object.entries(record).filter(([name]) => $without?.includes(name) !== true);
  return Object.fromEntries([...kept, ...own]);
}

interface Reference {
  readonly $record?: string;
  readonly $without?: readonly string[];
}

/**
 * Returns a record.
 *
 * @throws Error if no file has one of this name, which is a defect
 */
export function recordExample(name: string): unknown {
  const record = RECORDS.get(name);
  if (record === undefined) throw new Error(`No file of examples has the record ${name}.`);
  return record;
}

/**
 * Returns an example of a request of a route, or of its reply with a status; undefined if no file has one. A test validates
 * each by its schema.
 */
export function exampleOf(routeId: string, part: 'request' | `${number}`): unknown {
  return withRecords(OPERATIONS.get(routeId)?.[part]);
}
