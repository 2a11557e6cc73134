import { FORGOTTEN_HASH } from '../../contracts/constants/erasure.js';
import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { RequestKey } from '../../contracts/log/journal.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { newestWithin } from '../../domain/kernel/json.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';

/** A request_key that was used, with the hash of its question. */
interface UsedRequestKey extends RequestKey {
  readonly suspension_id: string;
}

/** What outlives a run. */
export interface CarriedRequestKeys {
  /** Newest last. */
  readonly request_keys: readonly UsedRequestKey[];
  /** Whether there were more than these. */
  readonly keys_forgotten?: true;
}

/** The keys under which an intent was asked. Beyond a size the oldest are forgotten; the store still has them. */
export class RequestKeys {
  private used: readonly UsedRequestKey[];
  private hasForgotten: boolean;

  constructor({ request_keys, keys_forgotten }: CarriedRequestKeys = NONE) {
    this.used = request_keys;
    this.hasForgotten = keys_forgotten === true;
  }

  get carried(): CarriedRequestKeys {
    return { request_keys: this.used, ...(this.hasForgotten && { keys_forgotten: true }) };
  }

  /**
   * The suspension that a key opened before, if it did. Refuses `request_key_reused` for another question, and
   * `request_key_forgotten` where only the store knows.
   *
   * @param isNew - whether the store does not know the key
   */
  find(request: RequestKey | undefined, isNew: boolean): Ruling<string | undefined> {
    if (request === undefined) return ok(undefined);
    const known = this.used.find(({ key }) => key === request.key);
    if (known === undefined) {
      if (isNew || !this.hasForgotten) return ok(undefined);
      return refuse('request_key_forgotten', 'The key may have been used long ago.', {
        field: 'request_key',
        accepted: 'a key that the store was asked for',
      });
    }
    const { body_hash, suspension_id } = known;
    if (body_hash === FORGOTTEN_HASH || body_hash === request.body_hash) return ok(suspension_id);
    return refuse('request_key_reused', 'This request_key opened another question.', {
      field: 'request_key',
      accepted: 'the question of the first request, or a new key',
    });
  }

  add(used: UsedRequestKey): void {
    const all = [...this.used, used];
    const latest = all.slice(-WORKFLOW_LIMITS.keptRequestKeys);
    this.used = newestWithin(latest, WORKFLOW_LIMITS.keptRequestKeyBytes);
    this.hasForgotten ||= this.used.length < all.length;
  }

  /** Forgets what was asked, but not that it was. */
  forget(): void {
    this.used = this.used.map((used) => ({ ...used, body_hash: FORGOTTEN_HASH }));
  }
}

const NONE: CarriedRequestKeys = { request_keys: [] };
