import type { Payload, PayloadCodec } from '@temporalio/common';
import type { CodedPayloads, JsonPayload } from '../../../contracts/server/codec.js';
import { standardRefusal } from '../../errors.js';
import { useCase, type Call, type Services } from '../usecase.js';

const REFUSALS = ['codec_not_configured', 'payloads_unreadable'] as const;

export const encodePayloads = useCase({
  name: 'encodePayloads',
  resource: 'server',
  refusals: REFUSALS,
  run: ({ codecs }: Call & Services, payloads: readonly JsonPayload[]) =>
    coded(payloads, codecs, (codec, some) => codec.encode(some)),
});

/** Decodes payloads of Temporal's histories, for its pages and its command line. */
export const decodePayloads = useCase({
  name: 'decodePayloads',
  resource: 'server',
  refusals: REFUSALS,
  run: ({ codecs }: Call & Services, payloads: readonly JsonPayload[]) =>
    coded(payloads, codecs && [...codecs].reverse(), (codec, some) => codec.decode(some)),
});

/**
 * Sends payloads through the codecs, one after the other. The failure of a codec is replaced, because it may quote
 * payloads.
 */
async function coded(
  payloads: readonly JsonPayload[],
  codecs: readonly PayloadCodec[] | undefined,
  apply: (codec: PayloadCodec, payloads: Payload[]) => Promise<Payload[]>,
): Promise<CodedPayloads> {
  if (codecs === undefined) throw standardRefusal('codec_not_configured');
  try {
    let some = payloads.map(asBytes);
    for (const codec of codecs) some = await apply(codec, some);
    return { payloads: some.map(asJson) };
  } catch (error) {
    throw standardRefusal('payloads_unreadable', {}, { cause: error });
  }
}

function asBytes({ metadata, data }: JsonPayload): Payload {
  const entries = Object.entries(metadata ?? {});
  return {
    metadata: Object.fromEntries(entries.map(([name, value]) => [name, bytesOf(value)])),
    data: bytesOf(data ?? ''),
  };
}

function asJson({ metadata, data }: Payload): CodedPayloads['payloads'][number] {
  const entries = Object.entries(metadata ?? {});
  return {
    metadata: Object.fromEntries(entries.map(([name, value]) => [name, base64Of(value)])),
    data: base64Of(data),
  };
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

function base64Of(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64');
}
