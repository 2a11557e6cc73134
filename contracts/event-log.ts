import { z } from 'zod';

/** The end of a log: the newest event's sequence (0 where there is none) and hash. */
export interface ChainHead {
  readonly sequence: number;
  /** Undefined where only the number is known. */
  readonly event_hash?: string | null | undefined;
}

/**
 * What is wrong with an event of a log: its content is not what was hashed (`changed`), it is not there
 * (`missing`), it should not be there (`unexpected`), it comes after one that followed it
 * (`out_of_order`), or it does not follow the event before it, so that one of the two was replaced
 * (`unlinked`).
 */
export type ChainBreakKind = 'changed' | 'missing' | 'unexpected' | 'out_of_order' | 'unlinked';

/** Where a log is not what was recorded. */
export interface ChainBreak {
  readonly sequence: number;
  readonly kind: ChainBreakKind;
  readonly detail: string;
}

/** What a check of a whole log found; `breaks` holds the first hundred, in the order of the log. */
export interface ChainReport {
  readonly intent_id: string | null;
  readonly event_count: number;
  readonly first_sequence: number | null;
  readonly last_sequence: number;
  /** Hash of the last event. */
  readonly head_hash: string | null;
  readonly chain_valid: boolean;
  readonly breaks: readonly ChainBreak[];
}

/** What the end of a log was compared with: the intent's own state, or the store's note of it. */
const headSourceSchema = z.enum(['workflow', 'store']);
export type HeadSource = z.infer<typeof headSourceSchema>;

/** Reply of `GET /v1/intents/{id}/events/verify` (form of RFC-0019 §6.1). */
export interface VerifyReport extends ChainReport {
  readonly head_from: HeadSource;
}

/** Last line of an exported log: without it, or with another end, lines have been lost. */
export const exportEndSchema = z.object({
  end_of_log: z.object({
    intent_id: z.string(),
    last_sequence: z.int().min(0),
    head_hash: z.string().nullable(),
    head_from: headSourceSchema,
  }),
});
export type ExportEnd = z.infer<typeof exportEndSchema>;
