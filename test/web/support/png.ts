import { deflateSync, inflateSync } from 'node:zlib';

/*
 * Makes pictures of pages small: of their colours the 256 most frequent stay, and each pixel names one of them in a byte. Text on
 * a plain background loses nothing that one could see.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;

interface Picture {
  readonly width: number;
  readonly height: number;
  /** One number for each pixel: red, green and blue. */
  readonly pixels: Uint32Array;
}

/** Returns a PNG of 8-bit colours, without transparency, as a smaller one. */
export function smaller(png: Buffer): Buffer {
  const picture = read(png);
  const palette = paletteOf(picture.pixels);
  const known = new Map(palette.map((colour, index) => [colour, index]));
  const nearest = (colour: number): number => {
    const found = known.get(colour) ?? nearestIn(palette, colour);
    known.set(colour, found);
    return found;
  };
  const { width, height, pixels } = picture;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + x + 1] = nearest(pixels[y * width + x] ?? 0);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function paletteOf(pixels: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const byCount = [...counts].sort(([, a], [, b]) => b - a);
  return byCount.slice(0, MOST_COLOURS).map(([colour]) => colour);
}

function nearestIn(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Infinity;
  for (const [index, other] of palette.entries()) {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function read(png: Buffer): Picture {
  const parts = chunksOf(png);
  const header = parts.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 6 ? 4 : 3;
  const data = parts.filter(({ type }) => type === 'IDAT').map((part) => part.data);
  const bytes = unfiltered(inflateSync(Buffer.concat(data)), width * channels, height, channels);
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i += 1) {
    pixels[i] = bytes.readUIntBE(i * channels, 3);
  }
  return { width, height, pixels };
}

function chunksOf(png: Buffer) {
  const parts: { readonly type: string; readonly data: Buffer }[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    parts.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return parts;
}

/** Takes back what the filter of each row did (PNG specification, 9.2). */
function unfiltered(raw: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= channels ? (out[at - channels] ?? 0) : 0;
      const up = y > 0 ? (out[at - stride] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (out[at - stride - channels] ?? 0) : 0;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      out[at] = ((raw[y * (stride + 1) + 1 + x] ?? 0) + added) & 255;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function crc(bytes: Buffer): number {
  let value = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xed_b8_83_20 : 0);
  }
  return (value ^ 0xff_ff_ff_ff) >>> 0;
}
