/** A payload codec for tests: it hides nothing from anybody who looks twice. */
const turned = (data) => data.map((byte) => byte ^ 0x55);
const ENCODING = new TextEncoder().encode('binary/turned');

export const payloadCodecs = [
  {
    encode: async (payloads) =>
      payloads.map(({ metadata, data }) => ({
        metadata: { encoding: ENCODING, inner: metadata.encoding },
        data: turned(data ?? new Uint8Array()),
      })),
    decode: async (payloads) =>
      payloads.map((payload) =>
        payload.metadata?.inner === undefined
          ? payload
          : { metadata: { encoding: payload.metadata.inner }, data: turned(payload.data) },
      ),
  },
];
