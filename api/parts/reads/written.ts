import type { ApprovalView } from '../../../contracts/approval/approval.js';
import {
  approvalsNotShown,
  findApproval,
  isApprovalErased,
  type WantedApproval,
} from '../../../store/queries/approval.js';
import { approvalQuery } from '../../../workflows/approval/messages.js';
import type { Read } from '../caller.js';
import { createLiveRead } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import { ifThere, type FromStore, type WarningLog } from './from-store.js';
import { entityIdOf, typeOfWorkflow } from '../../../contracts/constants/names.js';
import type { Clock } from '../calls/deadline.js';
import { ReadYourWrites } from './read-your-writes.js';
import type { SpaceMemories, SpaceMemory, WantedStage, WantedState } from './write-memory.js';
import { idsNotInState } from '../../../store/queries/inbox.js';
import { findSubscription } from '../../../store/queries/people/subscription.js';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IdSecrets } from '../../../contracts/server/config.js';
import { hmacBase64Url } from '../../../domain/kernel/hashing.js';
import { currentRequest, type NotedWrite } from '../calls/request.js';

/**
 * Reads an approval from its workflow, then from the store. Throws `approval_not_found`, `workflow_unavailable` and
 * `store_unavailable`.
 */
export function createReadApproval(temporal: Pick<Temporal, 'query'>, fromStore: FromStore) {
  const live = createLiveRead(
    { temporal, fromStore },
    {
      type: 'approval',
      query: approvalQuery,
      view: (view) => view,
      stored: (id) => fromStore(findApproval, id),
      isOver: ({ status }) => status !== 'pending',
      isErased: async (id, { erased_at }) =>
        erased_at === undefined && (await ifThere(fromStore(isApprovalErased, id))) === true,
    },
  );
  /** A workflow that was terminated answers for ever that it waits; the reconciler has ended it in the store. */
  return async (id: string): Promise<Read<ApprovalView>> => {
    const read = await live(id);
    if (read.stale || read.value.status !== 'pending') return read;
    const stored = await ifThere(fromStore(findApproval, id));
    const isDecided = stored !== undefined && stored.status !== 'pending';
    return isDecided ? { value: stored, stale: false } : read;
  };
}

interface Deps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<WantedApproval>;
}

export type WrittenApprovals = ReturnType<typeof createWrittenApprovals>;

export function createWrittenApprovals(deps: Deps, fromStore: FromStore) {
  return new ReadYourWrites(deps, {
    missing: (wanted) => fromStore(approvalsNotShown, wanted),
  });
}

/** Returns the id of the approval that this workflow is; undefined for any other workflow. */
export function approvalIn(workflowId: string): string | undefined {
  if (typeOfWorkflow(workflowId) !== 'approval') return undefined;
  return entityIdOf(workflowId, 'approval');
}

export type Settlements = ReturnType<typeof createSettlements>;

interface SettlementDeps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<WantedState>;
}

/** @param onSettled - called with the id of each question that this replica settles */
export function createSettlements(
  deps: SettlementDeps,
  fromStore: FromStore,
  onSettled: (id: string) => void,
) {
  return new ReadYourWrites(deps, {
    missing: (wanted) => fromStore(idsNotInState, wanted),
    touched: (id, wanted) => {
      if (wanted === 'settled') onSettled(id);
    },
  });
}

interface SubscriptionDeps {
  readonly clock: Clock;
  readonly log: WarningLog;
  readonly memory: SpaceMemory<WantedStage>;
}

export function createWrittenSubscriptions(deps: SubscriptionDeps, fromStore: FromStore) {
  return new ReadYourWrites(deps, { missing: (wanted) => notShown(fromStore, wanted) });
}

async function notShown(
  fromStore: FromStore,
  wanted: ReadonlyMap<string, WantedStage>,
): Promise<readonly string[]> {
  const looks = [...wanted].map(async ([id, want]) => {
    const found = await fromStore(findSubscription, id);
    const isShown = want === 'begun' ? found !== undefined : found?.active === false;
    return isShown ? [] : [id];
  });
  return (await Promise.all(looks)).flat();
}

/** Milliseconds for which a replica believes what another one has written; clocks of hosts may differ by a part of it. */
const BELIEVED_MS = 120_000;
/** How many writes of one request are named: more do not fit into a header. */
const MOST_WRITES = 40;
/** How many texts of one header are read, the first ones; a client sends fewer. */
const MOST_TEXTS = 64;
/** How many texts are remembered as read. */
const MOST_READ = 10_000;

/** What one request has written, as noted by the replica that served it. */
interface Written {
  /** When the reply was sent, in milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  readonly writes: readonly (readonly [kind: string, id: string, wanted: unknown])[];
}

/** The name of this process among the replicas, and the texts of others that it has read. */
export class Replica {
  readonly name = randomBytes(6).toString('base64url');
  private readonly read = new Set<string>();

  /** Whether the text with this signature is read for the first time. */
  isNew(signature: string): boolean {
    if (this.read.has(signature)) return false;
    this.read.add(signature);
    const [oldest] = this.read;
    if (this.read.size > MOST_READ && oldest !== undefined) this.read.delete(oldest);
    return true;
  }
}

interface HeaderDeps {
  readonly idSecrets: IdSecrets;
  readonly clock: Pick<Clock, 'now'>;
  readonly space: string;
  readonly memory: SpaceMemories;
  readonly replica: Replica;
  /** Waits, at most 2 s, until the store shows the writes of this replica. */
  readonly catchUp: () => Promise<unknown>;
}

/** Tells other replicas, through their common clients, what lists of the store have to show. */
export type WrittenHeader = ReturnType<typeof createWrittenHeader>;

/**
 * Writes and reads the header `Holdpoint-Written` of a space (docs/adr/0118). Its texts are signed, so that nobody
 * can delay the lists of others, or probe what exists.
 */
export function createWrittenHeader(deps: HeaderDeps) {
  const { idSecrets, clock, space, memory, replica, catchUp } = deps;
  const signed = (secret: string, payload: string) =>
    Buffer.from(hmacBase64Url(secret, JSON.stringify(['written', space, payload])));

  function isOurs(payload: string, signature: string): boolean {
    const given = Buffer.from(signature);
    return idSecrets.some((secret) => {
      const own = signed(secret, payload);
      return own.length === given.length && timingSafeEqual(own, given);
    });
  }

  function isKind(kind: string): kind is keyof SpaceMemories {
    return Object.hasOwn(memory, kind);
  }

  function isUnshown({ kind, id }: NotedWrite): boolean {
    return isKind(kind) && memory[kind].entries.has(id);
  }

  function takeInOne(text: string): void {
    const [payload = '', signature = ''] = text.split('.');
    if (!isOurs(payload, signature) || !replica.isNew(signature)) return;
    const { at, by, writes } = JSON.parse(
      Buffer.from(payload, 'base64url').toString('utf8'),
    ) as Written;
    if (by === replica.name || Math.abs(clock.now() - at) > BELIEVED_MS) return;
    for (const [kind, id, wanted] of writes) {
      // A newer release may name kinds that this one does not have.
      if (isKind(kind)) memory[kind].learn(id, wanted as never);
    }
  }

  return {
    /**
     * Returns the header's text for the current request; undefined if the store shows all its writes. It waits for
     * writes that do not fit in.
     */
    async ofRequest(): Promise<string | undefined> {
      const noted = [...(currentRequest()?.noted.values() ?? [])];
      if (noted.length > MOST_WRITES) await catchUp();
      const unshown = noted.filter(isUnshown).slice(-MOST_WRITES);
      if (unshown.length === 0) return undefined;
      const writes = unshown.map(({ kind, id, wanted }) => [kind, id, wanted] as const);
      const written: Written = { at: clock.now(), by: replica.name, writes };
      const payload = Buffer.from(JSON.stringify(written)).toString('base64url');
      return `${payload}.${signed(idSecrets[0], payload).toString()}`;
    },

    /**
     * Remembers what the sender has written at other replicas, as its request says. Texts without a valid signature
     * are ignored.
     */
    takeIn(header: string | undefined): void {
      for (const text of header?.split(',', MOST_TEXTS) ?? []) takeInOne(text.trim());
    },
  };
}
