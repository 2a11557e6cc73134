import { Transform, type TransformCallback } from 'node:stream';
import { InexactJsonError, parseExact, type JsonFault } from '../contracts/constants/exact-json.js';

/** Longer than any accepted line: a call is at most as large as a body of the API. */
const LONGEST_LINE = 8 * 1024 * 1024;
const NEW_LINE = 0x0a;

/** A message that is not passed on: its fault, and the id by which its sender knows it. */
export interface Held {
  readonly fault: JsonFault;
  /** Undefined for a message that gets no reply. */
  readonly id: string | number | undefined;
}

/**
 * Passes on JSON messages, one a line, except for those that `JSON.parse` of the reading library would change.
 * Invalid JSON passes, because the reader reports it. Too long a line ends the stream with an error.
 */
export class ExactLines extends Transform {
  readonly #held: (message: Held) => void;
  #begun: Buffer[] = [];
  #bytes = 0;

  /** @param held - receives each message that is not passed on */
  constructor(held: (message: Held) => void) {
    super();
    this.#held = held;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
      this.#begun.push(chunk.subarray(from, end + 1));
      this.#pass();
      from = end + 1;
    }
    this.#begun.push(chunk.subarray(from));
    this.#bytes += chunk.length - from;
    if (this.#bytes > LONGEST_LINE) done(new Error('A line of the input has no end.'));
    else done();
  }

  override _flush(done: TransformCallback): void {
    this.#pass();
    done();
  }

  #pass(): void {
    const line = Buffer.concat(this.#begun);
    this.#begun = [];
    this.#bytes = 0;
    const text = line.toString('utf8');
    const fault = faultIn(text);
    if (fault === undefined) this.push(line);
    else this.#held({ fault, id: idIn(text) });
  }
}

function faultIn(text: string): JsonFault | undefined {
  try {
    parseExact(text);
  } catch (error) {
    if (error instanceof InexactJsonError) return error.fault;
  }
  return undefined;
}

function idIn(text: string): Held['id'] {
  const message = JSON.parse(text) as { readonly id?: unknown } | null;
  const id = message?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
