import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('./examples/', import.meta.url);

/** One file of examples: records by name, and what operations take and reply by their ids. */
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

/** What the files hold: records by name, and routes by id with the parts that have an example. */
export const EXAMPLE_NAMES = {
  records: [...RECORDS.keys()],
  routes: [...OPERATIONS].map(([id, parts]) => ({ id, parts: Object.keys(parts) })),
} as const;

/** Ids as they stand in paths, by name. */
export const EXAMPLE_IDS = readJson('ids.json') as Readonly<Record<string, string>>;

/**
 * Puts the record in where a file refers to it as `{"$record": "intent"}`: less the fields named by `$without`, and
 * with the other fields.
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
 * A record as it stands in the document.
 *
 * @throws Error if no file has one of this name, which is a defect
 */
export function recordExample(name: string): unknown {
  const record = RECORDS.get(name);
  if (record === undefined) throw new Error(`No file of examples has the record ${name}.`);
  return record;
}

/**
 * What a request of a route, or its reply with a status, looks like; undefined if no file has it.
 * A test holds each against its schema.
 */
export function exampleOf(routeId: string, part: 'request' | `${number}`): unknown {
  return withRecords(OPERATIONS.get(routeId)?.[part]);
}
