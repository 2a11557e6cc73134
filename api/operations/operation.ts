import type { ServerConfig } from '../../contracts/config.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Action } from '../../domain/policy/rules.js';
import type { Caller } from '../gateway/caller.js';
import type { Gateway } from '../gateway/index.js';
import type { Browsers } from '../sign-in/browsers.js';
import type { Links } from '../links/links.js';
import type { SlackDoor } from '../slack/door.js';
import type { WebhookAnswers } from '../webhooks/answers.js';

/** What an operation acts on: the kind of thing that the path or the body names. */
export type Resource =
  | 'agent'
  | 'approval'
  | 'coordinator'
  | 'intent'
  | 'lease'
  | 'plan'
  | 'portfolio'
  | 'server'
  | 'session'
  | 'subscription'
  | 'suspension'
  | 'task';

/** What operations work with. */
export interface Services {
  readonly config: ServerConfig;
  /** How people sign in with a browser; undefined in an app without sessions. */
  readonly browsers?: Browsers | undefined;
  readonly links: Links;
  readonly webhookAnswers: WebhookAnswers;
  readonly slack: SlackDoor;
  /** Where the pages of Temporal are, with the namespace. */
  readonly temporalUi?: string | undefined;
}

/** One call of an operation. */
export interface Call extends Services {
  readonly caller: Caller;
  /** That of the caller's space. */
  readonly gateway: Gateway;
}

/** What is declared of an operation under its name. */
interface Declaration {
  readonly resource: Resource;
  /** What it may refuse with, besides what follows from key, path, query, headers and body. */
  readonly refusals: readonly ErrorCode[];
  /** Where the input names the intent whose access list decides, if no workflow judges that. */
  readonly intentIn?: (...input: never[]) => string | undefined;
  /** Of one that is public: it tells whoever brings a key or token more than others. */
  readonly tellsCallersMore?: true;
  readonly run: (call: Call, ...input: never[]) => Promise<unknown>;
}

/**
 * Something that the service can do, whichever API asks for it. Every route of every API is bound to
 * exactly one operation. Who may run it stands under its name in `domain/policy/rules.ts`.
 */
export interface Operation extends Declaration {
  readonly name: Action;
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

type Declared = Readonly<Partial<Record<Action, Declaration>>>;
type Named<D extends Declared> = {
  readonly [Name in keyof D]-?: NonNullable<D[Name]> & { readonly name: Name & Action };
};

/** Declares operations; the key of each one is its name. */
export function operations<const D extends Declared>(
  declared: D & Readonly<Record<Exclude<keyof D, Action>, never>>,
): Named<D> {
  const entries = Object.entries<Declaration>(declared);
  const named = entries.map(([name, operation]) => [name, { name, ...operation }] as const);
  return Object.fromEntries(named) as unknown as Named<D>;
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

/** What everything that starts a workflow may be refused with. */
export const START = ['busy', ...READ] as const;

/** What every write to something that moves on may be refused with. */
export const WRITE = ['moving', ...START] as const;

type RunOf = Declaration['run'];

/** The intent is what the first input names. */
export const FIRST = (id: string | undefined): string | undefined => id;

/** The intent is what the body names. */
export const IN_BODY = ({ intent_id }: { readonly intent_id?: string | undefined }) => intent_id;

/** A read for every key, which may need Temporal and the store. */
export function read<const Run extends RunOf>(resource: Resource, run: Run) {
  return { resource, refusals: READ, run } as const;
}

/** A read of what belongs to the intent that is named first; for agents as far as its access list lets them. */
export function readOf<
  const Run extends (call: Call, intentId: never, ...rest: never[]) => Promise<unknown>,
>(run: Run) {
  return { resource: 'intent', refusals: READ, intentIn: FIRST, run } as const;
}

/** A read for every key that needs the store alone. */
export function storeRead<const Run extends RunOf>(resource: Resource, run: Run) {
  return { resource, refusals: ['store_unavailable'], run } as const;
}
