import type { Caller as Proven } from '../../contracts/people/caller.js';
import type { ServerConfig } from '../../contracts/server/config.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { accessOf, readerOf } from '../../domain/policy/access-list.js';
import { authorize } from '../../domain/policy/authorize.js';
import type { Action } from '../../domain/policy/rules.js';
import { asksOpenQuestion } from '../../store/queries/intent.js';
import { RefusalError } from '../errors.js';
import type { Clock } from './calls/deadline.js';
import type { Caller, Read } from './caller.js';
import type { FromStore } from './reads/from-store.js';
import type { Reads } from './reads/reads.js';

interface Deps {
  readonly config: ServerConfig;
  readonly clock: Pick<Clock, 'now'>;
  readonly reads: Pick<Reads, 'getIntent'>;
  readonly fromStore: FromStore;
}

export type Access = ReturnType<typeof createAccess>;

/** Demands that access lists let a caller do something to an intent, and returns the intent. */
export type DemandAccess = Access['demandAccess'];

/**
 * Judges what access lists let agents read, for reads and for writes to what belongs to an intent; the intent itself
 * judges writes to it. Each throws `forbidden`, and `demandAccess` what `getIntent` throws.
 */
export function createAccess({ config, clock, reads, fromStore }: Deps) {
  const { agents_read } = config.authorization;

  /** Judges an intent that was read; it looks up who asked its open question only if that decides. */
  async function judgeAccess(caller: Caller, action: Action, intent: Intent): Promise<void> {
    const reader = readerOf(caller, agents_read);
    const { id, owner, access: list } = intent;
    const now = clock.now();
    const judge = (askers: readonly string[]): Ruling<true> => {
      const access = accessOf(reader, { owner, access: list, askers }, now);
      return authorize(caller, action, { owner, access });
    };
    const allowed = judge([]);
    if (allowed.ok) return;
    const { principal } = caller;
    const mayAsk = judge([principal]).ok;
    if (mayAsk && (await fromStore(asksOpenQuestion, id, principal))) return;
    throw new RefusalError(allowed.refusal);
  }

  async function demandAccess(
    caller: Caller,
    action: Action,
    intentId: string,
  ): Promise<Read<Intent>> {
    const read = await reads.getIntent(intentId);
    await judgeAccess(caller, action, read.value);
    return read;
  }

  return {
    judgeAccess,
    demandAccess,
    /** Demands access to what a request names besides its own intent; each intent is read once, if that decides. */
    async demandAccessTo(
      caller: Caller,
      action: Action,
      referred: readonly { readonly intent_id: string }[],
      ownId?: string,
    ): Promise<void> {
      if (readerOf(caller, agents_read) === undefined) return;
      const ids = new Set(referred.map(({ intent_id }) => intent_id));
      const others = [...ids].filter((id) => id !== ownId);
      await Promise.all(others.map((id) => demandAccess(caller, action, id)));
    },
  };
}

export type OwnReach = ReturnType<typeof createOwnReach>;

/**
 * Limits the writes of agents that read only their own (`authorization.agents_read`) to intents that they may read.
 * No workflow knows this setting, and a reply or refusal would reveal something about other intents.
 */
export function createOwnReach(
  { config, reads }: Pick<Deps, 'config' | 'reads'>,
  { demandAccess }: Pick<Access, 'demandAccess'>,
) {
  const { agents_read } = config.authorization;
  const readsOnlyOwn = (caller: Proven): boolean => readerOf(caller, agents_read)?.own === true;

  /** Demands that the caller may read an intent to which it writes. Throws `forbidden`, and what `getIntent` throws. */
  async function demandOwn(caller: Proven, intentId: string): Promise<void> {
    if (readsOnlyOwn(caller)) await demandAccess(caller, 'getIntent', intentId);
  }

  return {
    readsOnlyOwn,
    demandOwn,
    /** Reads an intent that a write names. Throws `forbidden`, and what `getIntent` throws. */
    readNamed: (caller: Proven, intentId: string): Promise<Read<Intent>> =>
      readsOnlyOwn(caller)
        ? demandAccess(caller, 'getIntent', intentId)
        : reads.getIntent(intentId),
  };
}
