import { z } from 'zod';
import { LIMITS } from '../constants/limits.js';
import { boundedText } from '../kernel/primitives.js';

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

const bytesSchema = boundedText(LIMITS.codecBytes).regex(BASE64);

/** A payload of Temporal in its JSON form. Other fields are neither used nor returned. */
const payloadSchema = z.looseObject({
  metadata: z.record(boundedText(1_000), bytesSchema).nullish(),
  data: bytesSchema.nullish(),
});
export type JsonPayload = z.output<typeof payloadSchema>;

/** What Temporal's pages and command line send to a codec server. They omit an empty list. */
export const payloadsSchema = z.looseObject({
  payloads: z.array(payloadSchema).max(LIMITS.payloads, { abort: true }).nullish(),
});

/** The reply: as many payloads, in the same order, with bytes in base64. */
export const codedPayloadsSchema = z.object({
  payloads: z.array(z.object({ metadata: z.record(z.string(), z.string()), data: z.string() })),
});
export type CodedPayloads = z.output<typeof codedPayloadsSchema>;
