import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import type { ReadStream, WriteStream } from 'node:tty';
import { Writable, addAbortSignal } from 'node:stream';
import { visible, visibleJson } from '../contracts/constants/visible-text.js';
import { EXIT } from './exit-codes.js';
import { CliError, usage } from './failures.js';
import { rowsOf } from './text.js';
import { wholeText } from './values.js';

/** What a command has of the process around it. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly now: () => number;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly interrupted: AbortSignal;
}

const USUAL_COLUMNS = 80;

function columnsOf({ columns }: Partial<WriteStream>): number {
  return columns === undefined || columns <= 0 ? USUAL_COLUMNS : columns;
}

/** What may be shown of a text, in rows where it goes to a terminal. */
function shownOn(stream: Partial<WriteStream>, text: string): string {
  const lines = visible(text).split('\n');
  const rows = stream.isTTY ? lines.flatMap((line) => rowsOf(line, columnsOf(stream))) : lines;
  return rows.join('\n');
}

/** What commands print, and what they ask. */
export class Terminal {
  readonly shell: Shell;

  constructor(shell: Shell) {
    this.shell = shell;
  }

  /** Whether the output goes to a person. */
  get isShown(): boolean {
    return (this.shell.stdout as Partial<WriteStream>).isTTY === true;
  }

  /** Whether somebody can be asked. Questions go to stderr, so the output may be piped on. */
  get isInteractive(): boolean {
    const { stdin, stderr } = this.shell;
    return (
      (stdin as Partial<ReadStream>).isTTY === true &&
      (stderr as Partial<WriteStream>).isTTY === true
    );
  }

  get columns(): number {
    return columnsOf(this.shell.stdout);
  }

  /** The result of a command. */
  out(line: string): void {
    this.shell.stdout.write(`${this.isShown ? shownOn(this.shell.stdout, line) : line}\n`);
  }

  /** What else there is to say. */
  note(line: string): void {
    this.shell.stderr.write(`${shownOn(this.shell.stderr, line)}\n`);
  }

  /** The result as JSON: one document, in one line where another program reads it. */
  json(value: unknown): void {
    this.#json(JSON.stringify(value, null, this.isShown ? 2 : undefined));
  }

  /** One of several values, each as JSON in a line. */
  jsonLine(value: unknown): void {
    this.#json(JSON.stringify(value));
  }

  /** Stays the same value also where a person sees it, and is not broken into rows. */
  #json(json: string): void {
    this.shell.stdout.write(`${this.isShown ? visibleJson(json) : json}\n`);
  }

  /** Bold, where a person looks and wants it (https://no-color.org). */
  strong(line: string): string {
    const { env } = this.shell;
    const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || !this.isShown;
    return isPlain ? line : `\u001b[1m${line}\u001b[22m`;
  }

  /** A heading: bold where that is shown, and printed as it is. */
  heading(line: string): void {
    this.shell.stdout.write(`${this.strong(shownOn(this.shell.stdout, line))}\n`);
  }

  /** Asks for a line. What is typed is not shown where it is secret. */
  async ask(question: string, { isSecret = false } = {}): Promise<string> {
    if (!this.isInteractive) throw usage(`${question} There is no terminal to ask on.`);
    const { stdin, stderr, interrupted } = this.shell;
    interrupted.throwIfAborted();
    stderr.write(`${shownOn(stderr, question)} `);
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const output = isSecret ? silent : stderr;
    const lines = createInterface({ input: stdin, output, terminal: true });
    try {
      return await new Promise<string>((resolve, reject) => {
        const stop = (): void => reject(new CliError(EXIT.interrupted, 'Interrupted.'));
        interrupted.addEventListener('abort', stop, { once: true });
        // In its raw mode the terminal sends Ctrl-C here, and no signal.
        lines.once('SIGINT', stop).once('close', stop).once('line', resolve);
      });
    } finally {
      lines.close();
      if (isSecret) stderr.write('\n');
    }
  }

  /** Asks whether to go on; only a yes is one. */
  async confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.ask(`${question} [y/N]`)).trim());
  }

  /** All of the standard input. */
  async input(): Promise<string> {
    const { stdin, interrupted } = this.shell;
    return wholeText(await buffer(addAbortSignal(interrupted, stdin)), 'The standard input');
  }
}
