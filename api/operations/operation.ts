import type { Role, ServerConfig } from '../../contracts/config.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Caller } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';

/** A key's role (`admin` may do all), any key, or no key at all. */
export type Access = Role | 'any' | 'public';

/** What an operation acts on: the kind of thing that the path or the body names. */
export type Resource =
  | 'agent'
  | 'coordinator'
  | 'intent'
  | 'lease'
  | 'plan'
  | 'portfolio'
  | 'server'
  | 'subscription'
  | 'suspension'
  | 'task';

/** What operations work with. */
export interface Services {
  readonly gateway: Gateway;
  readonly config: ServerConfig;
  /** The principals of which no key has another role than `agent`; they never answer a question. */
  readonly agents: ReadonlySet<string>;
}

/** One call of an operation. */
export interface Call extends Services {
  readonly caller: Caller;
}

/** What is declared of an operation under its name. */
interface Declaration {
  readonly resource: Resource;
  /** Who may call it. */
  readonly access: Access;
  /** What it may refuse with, besides what follows from key, path, query, headers and body. */
  readonly refusals: readonly ErrorCode[];
  readonly run: (call: Call, ...input: never[]) => Promise<unknown>;
}

/**
 * Something that the service can do, whichever API asks for it. Every route of every API is bound to
 * exactly one operation, by whose name it is authorized.
 */
export interface Operation extends Declaration {
  readonly name: string;
}

/** What an operation takes besides the call. */
export type InputOf<Op extends Operation> = Op['run'] extends (
  call: Call,
  ...input: infer Input
) => unknown
  ? Input
  : never;

/** What an operation results in. */
export type ResultOf<Op extends Operation> = Awaited<ReturnType<Op['run']>>;

/** Declares operations; the key of each one is its name. */
export function operations<const Declared extends Readonly<Record<string, Declaration>>>(
  declared: Declared,
): { readonly [Name in keyof Declared]: Declared[Name] & { readonly name: Name & string } } {
  const entries = Object.entries(declared);
  const named = entries.map(([name, operation]) => [name, { name, ...operation }] as const);
  return Object.fromEntries(named) as unknown as {
    readonly [Name in keyof Declared]: Declared[Name] & { readonly name: Name & string };
  };
}

type Method = keyof Gateway;
type Result<M extends Method> = Awaited<ReturnType<Gateway[M]>>;
/** What such a method takes besides the caller. */
export type AfterCaller<M extends Method> = Gateway[M] extends (
  caller: Caller,
  ...rest: infer Rest
) => unknown
  ? Rest
  : never;

/** An operation that is a method of the gateway as it stands, called in the caller's name. */
export function asCaller<const M extends Method>(method: M) {
  return ({ gateway, caller }: Call, ...input: AfterCaller<M>): Promise<Result<M>> => {
    const run = gateway[method] as unknown as (
      ...args: [Caller, ...AfterCaller<M>]
    ) => Promise<Result<M>>;
    return run(caller, ...input);
  };
}

/** An operation that is a method of the gateway as it stands, the same for every caller. */
export function forAnyone<const M extends Method>(method: M) {
  return ({ gateway }: Call, ...input: Parameters<Gateway[M]>): Promise<Result<M>> => {
    const run = gateway[method] as unknown as (
      ...args: Parameters<Gateway[M]>
    ) => Promise<Result<M>>;
    return run(...input);
  };
}

/** What every read may be refused with that looks in Temporal and in the store. */
export const READ = ['workflow_unavailable', 'store_unavailable'] as const;

/** What every write to something that moves on may be refused with. */
export const WRITE = ['moving', ...READ] as const;
