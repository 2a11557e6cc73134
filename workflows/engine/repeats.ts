import { WORKFLOW_LIMITS } from '../../contracts/constants/limits.js';
import type { Ruling } from '../../contracts/kernel/problem.js';
import { isObject } from '../../domain/kernel/message-form.js';
import { jsonBytes } from '../../domain/kernel/json.js';
import { ok, refuse } from '../../domain/kernel/ruling.js';
import type { Once } from './messages.js';

interface KeptWrite {
  readonly key: string;
  /** Absent once it was erased with the personal data. */
  readonly body_hash?: string;
  /** The result of the write, unless it was too large to keep. */
  readonly result?: unknown;
}

export interface CarriedRepeats {
  readonly writes?: readonly KeptWrite[];
}

const KEY_CHARACTERS = 200;

/**
 * The writes under an Idempotency-Key. Temporal recognises a repeated Update within a run by its id; this recognises
 * it in later runs. The oldest is dropped first.
 */
export class Repeats {
  private kept: readonly KeptWrite[];

  constructor({ writes = [] }: CarriedRepeats = {}) {
    this.kept = writes;
  }

  get carried(): CarriedRepeats {
    return this.kept.length === 0 ? {} : { writes: this.kept };
  }

  /**
   * Returns the result of a write under its key, or undefined if it is new. Refuses `idempotency_key_reused` for
   * another body, and `written_before` if the result was not kept.
   */
  find(once: Once): Ruling<{ readonly result: unknown } | undefined> {
    if (!isOnce(once)) return refuse('invalid_request', 'The key of the write is malformed.');
    const known = this.kept.find(({ key }) => key === once.key);
    if (known === undefined) return ok(undefined);
    const { body_hash = once.body_hash } = known;
    if (body_hash !== once.body_hash) {
      const detail = 'The Idempotency-Key was used before with another body.';
      return refuse('idempotency_key_reused', detail, {
        field: 'Idempotency-Key',
        accepted: 'the body of the first request, or a new key',
      });
    }
    if ('result' in known) return ok({ result: known.result });
    return refuse('written_before', 'This write was carried out before; its reply is not kept.', {
      field: 'Idempotency-Key',
      accepted: 'a new key, for another write; read what came of this one',
    });
  }

  begin({ key, body_hash }: Once): void {
    const others = this.kept.filter((one) => one.key !== key);
    this.kept = [...others, { key, body_hash }].slice(-WORKFLOW_LIMITS.keptWrites);
  }

  /** Keeps the result of a write, and those of older ones that still fit. */
  end({ key }: Once, result: unknown): void {
    const kept = this.kept.map((one) =>
      // The state for the next run cannot contain undefined.
      one.key === key ? { ...one, result: result ?? null } : one,
    );
    let room: number = WORKFLOW_LIMITS.keptResultBytes;
    this.kept = kept
      .toReversed()
      .map(({ result: known, ...one }) => {
        if (known === undefined) return one;
        room -= jsonBytes(known);
        return room < 0 ? one : { ...one, result: known };
      })
      .toReversed();
  }

  /** Deletes what people wrote, and its hashes. A repeated write is still not carried out again. */
  forget(): void {
    this.kept = this.kept.map(({ key }) => ({ key }));
  }
}

function isOnce(once: unknown): once is Once {
  return isObject(once) && isShort(once['key']) && isShort(once['body_hash']);
}

function isShort(text: unknown): boolean {
  return typeof text === 'string' && text.length <= KEY_CHARACTERS;
}
