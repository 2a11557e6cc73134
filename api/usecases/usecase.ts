import type { PayloadCodec } from '@temporalio/common';
import type { OpenLink } from '../../contracts/channel/links.js';
import type { FromSlack } from '../../contracts/channel/slack.js';
import type { OpenAnswer } from '../../contracts/channel/webhook-answer.js';
import type { JsonObject } from '../../contracts/kernel/primitives.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { ErrorCode } from '../../contracts/constants/errors.js';
import type { Action } from '../../domain/policy/rules.js';
import type { Caller } from '../parts/caller.js';
import type { Parts, PartsOf } from '../parts/index.js';
import type { Browsers } from '../sign-in/start.js';
import { secretRefusal } from '../../runtime/secrets.js';
import { RefusalError } from '../errors.js';

/** The kind of thing that a use case acts on, which the path or the body names. */
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

/** One call of a use case: who calls, and the parts of the caller's space. */
export interface Call {
  readonly caller: Caller;
  readonly parts: Parts;
}

export interface Services {
  readonly config: ServerConfig;
  /** The parts of any space, for callers whose proof names a space. */
  readonly partsOf: PartsOf;
  /** How people sign in with a browser; undefined in an app without sessions. */
  readonly browsers?: Browsers | undefined;
  /** The key with which browsers subscribe to pushes; undefined if the installation has none. */
  readonly pushKey?: string | undefined;
  /** Opens the tokens of links; undefined if the installation has no keys for links. */
  readonly openLink?: OpenLink | undefined;
  readonly openAnswer: OpenAnswer;
  readonly slack: { take(message: FromSlack): Promise<JsonObject | undefined> };
  /** What encrypts payloads for Temporal, in the order of encoding; undefined if nobody may use it over HTTP. */
  readonly codecs?: readonly PayloadCodec[] | undefined;
  /** The address of the pages of Temporal, with the namespace. */
  readonly temporalUi?: string | undefined;
}

/**
 * Something that the service can do, whichever API asks for it. Every route names exactly one use case, and
 * `domain/policy/rules.ts` says who may run it.
 */
export interface UseCase {
  readonly name: Action;
  readonly resource: Resource;
  /** Its refusals, besides those that follow from key, path, query, headers and body. */
  readonly refusals: readonly ErrorCode[];
  /** Finds the intent in the input whose access list decides, if no workflow judges that. */
  readonly intentIn?: (...input: never[]) => string | undefined;
  /** A public use case with this tells callers with a key or token more than others. */
  readonly tellsCallersMore?: true;
  /** Throws `RefusalError` with one of the refusals. */
  readonly run: (call: Call & Services, ...input: never[]) => Promise<unknown>;
}

export type InputOf<U extends UseCase> = U['run'] extends (
  call: Call & Services,
  ...input: infer Input
) => unknown
  ? Input
  : never;

export type ResultOf<U extends UseCase> = Awaited<ReturnType<U['run']>>;

export function useCase<const U extends UseCase>(declared: U): U {
  return declared;
}

/** The refusals of every read that looks in Temporal and in the store. */
export const READ = ['workflow_unavailable', 'store_unavailable'] as const;

/** The refusals of everything that starts a workflow. */
export const START = ['busy', ...READ] as const;

/** The refusals of every write to a workflow that hands over to further runs. */
export const WRITE = ['moving', 'workflow_lost', ...START] as const;

/** Finds the intent by the first input. */
export const FIRST = (id: string | undefined): string | undefined => id;

/** Finds the intent in the body. */
export const IN_BODY = ({ intent_id }: { readonly intent_id?: string | undefined }) => intent_id;

/**
 * Refuses a question that holds what looks like a credential.
 *
 * @throws RefusalError `secret_refused`
 */
export async function refuseSecrets({ parts }: Call, question: object): Promise<void> {
  const refusal = await secretRefusal(question, parts.config.suspension);
  if (refusal !== undefined) throw new RefusalError(refusal);
}
