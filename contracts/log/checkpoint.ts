import { z } from 'zod';
import { eventHashSchema } from '../intent/event.js';
import { boundedText, instantSchema } from '../kernel/primitives.js';

/** The kinds of things with a log: intents, portfolios, and suspensions, whose log is their timeline. */
export const LOG_KINDS = ['intent', 'portfolio', 'suspension'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** An Ed25519 public key: `ed25519:` and its 32 bytes in base64url. */
export const publicKeySchema = boundedText(51).regex(/^ed25519:[\w-]{43}$/);

/** The end of one log when a checkpoint was made: a leaf of its tree. */
export const checkpointLeafSchema = z.object({
  kind: z.enum(LOG_KINDS),
  id: z.string(),
  sequence: z.int().min(1),
  head_hash: eventHashSchema,
  /** Set if retention has removed the log; the rest says how it ended. */
  removed: z.exactOptional(z.literal('retention')),
});
export type CheckpointLeaf = Readonly<z.infer<typeof checkpointLeafSchema>>;

/**
 * A signed statement of how all logs ended. The signature covers every other field; `previous_hash` is null for the
 * first.
 */
export const checkpointSchema = z.object({
  number: z.int().min(1),
  signed_at: instantSchema,
  tree_size: z.int().min(0).describe('The number of logs.'),
  root_hash: eventHashSchema.describe('The root of the Merkle tree over the ends of all logs.'),
  previous_hash: eventHashSchema.nullable().describe('Null for the first checkpoint.'),
  public_key: publicKeySchema,
  signature: boundedText(86)
    .regex(/^[\w-]{86}$/)
    .describe('Ed25519, over everything else.'),
});
export type Checkpoint = Readonly<z.infer<typeof checkpointSchema>>;

export type UnsignedCheckpoint = Omit<Checkpoint, 'signature'>;

/** Reply of `GET /v1/log/checkpoints`. */
export const checkpointListSchema = z.object({
  checkpoints: z.array(checkpointSchema).readonly(),
  public_keys: z
    .array(publicKeySchema)
    .readonly()
    .describe('Every key that ever signed here. Compare them with those that you were given.'),
});
export type CheckpointList = Readonly<z.infer<typeof checkpointListSchema>>;
