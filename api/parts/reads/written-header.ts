import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IdSecrets } from '../../../contracts/server/config.js';
import { hmacBase64Url } from '../../../domain/kernel/hashing.js';
import type { Clock } from '../calls/deadline.js';
import { currentRequest } from '../calls/request.js';
import type { NotedWrite } from '../calls/request.js';
import type { SpaceMemories } from './memories.js';

/** Milliseconds for which a replica believes what another one has written; clocks of hosts may differ by a part of it. */
const BELIEVED_MS = 120_000;
/** So many writes of one request are named: more do not fit into a header. */
const MOST_WRITES = 40;
/** So many texts of one header are read, the first ones; a client sends fewer. */
const MOST_TEXTS = 64;
/** So many texts are known as read before. */
const MOST_READ = 10_000;

/** What one request has written, as the replica that served it says. */
interface Written {
  /** When the reply was sent, in milliseconds since the epoch. */
  readonly at: number;
  /** The replica. */
  readonly by: string;
  readonly writes: readonly (readonly [kind: string, id: string, wanted: unknown])[];
}

/** The name of this process among the replicas, and the texts of others that it has read. */
export class Replica {
  readonly name = randomBytes(6).toString('base64url');
  private readonly read = new Set<string>();

  /** Whether a text, which has this signature, is read for the first time. */
  isNew(signature: string): boolean {
    if (this.read.has(signature)) return false;
    this.read.add(signature);
    const [oldest] = this.read;
    if (this.read.size > MOST_READ && oldest !== undefined) this.read.delete(oldest);
    return true;
  }
}

interface Deps {
  readonly idSecrets: IdSecrets;
  readonly clock: Pick<Clock, 'now'>;
  readonly space: string;
  readonly memory: SpaceMemories;
  readonly replica: Replica;
  /** Waits, at most 2 s, until the store shows what was written here. */
  readonly catchUp: () => Promise<unknown>;
}

/** Tells other replicas, through their common clients, what lists of the store have to show. */
export type WrittenHeader = ReturnType<typeof createWrittenHeader>;

/**
 * Writes and reads the header `Holdpoint-Written` of a space (docs/adr/0118). Its texts are signed, so that nobody can hold up the lists of
 * others, or try by it what there is.
 */
export function createWrittenHeader(deps: Deps) {
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
     * Returns the text for the reply to the request that is being served; undefined if the store shows all that it wrote. Writes that
     * do not fit in are waited for.
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

    /** Remembers what a request says that its sender has written at other replicas. What this service has not said is ignored. */
    takeIn(header: string | undefined): void {
      for (const text of header?.split(',', MOST_TEXTS) ?? []) takeInOne(text.trim());
    },
  };
}
