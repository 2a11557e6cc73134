/*
 * SipHash-1-3 with a key of zeros, of a text as Rust hashes it: from it Temporal's SDK takes the seed of a run's random numbers,
 * so that a replay draws the same.
 */
const MASK = (1n << 64n) - 1n;

const rotl = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & MASK;

type State = [bigint, bigint, bigint, bigint];

function round([a, b, c, d]: State): State {
  let [v0, v1, v2, v3] = [(a + b) & MASK, rotl(b, 13n), (c + d) & MASK, rotl(d, 16n)];
  v1 ^= v0;
  v0 = rotl(v0, 32n);
  v3 ^= v2;
  v0 = (v0 + v3) & MASK;
  v3 = rotl(v3, 21n) ^ v0;
  v2 = (v2 + v1) & MASK;
  v1 = rotl(v1, 17n) ^ v2;
  v2 = rotl(v2, 32n);
  return [v0, v1, v2, v3];
}

/** The seed of a run. */
export function seedOf(runId: string): bigint {
  // Rust ends a text with 0xff.
  const bytes = Buffer.concat([Buffer.from(runId), Buffer.from([0xff])]);
  let state: State = [
    0x736f6d6570736575n,
    0x646f72616e646f6dn,
    0x6c7967656e657261n,
    0x7465646279746573n,
  ];
  const take = (word: bigint): void => {
    state[3] ^= word;
    state = round(state);
    state[0] ^= word;
  };
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) take(bytes.readBigUInt64LE(at));
  let last = BigInt(bytes.length & 0xff) << 56n;
  for (let at = whole; at < bytes.length; at += 1) {
    last |= BigInt(bytes[at] ?? 0) << BigInt(8 * (at - whole));
  }
  take(last);
  state[2] ^= 0xffn;
  for (let rounds = 0; rounds < 3; rounds += 1) state = round(state);
  return state[0] ^ state[1] ^ state[2] ^ state[3];
}
