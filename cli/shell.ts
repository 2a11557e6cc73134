import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import type { ReadStream, WriteStream } from 'node:tty';
import { Writable, addAbortSignal } from 'node:stream';
import { visible, visibleJson } from '../contracts/constants/visible-text.js';
import { CliError, EXIT, usage } from './failures.js';
import { rowsOf } from './text.js';
import { wholeText } from './values.js';

/** The parts of the process that a command uses. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder, where a service may run. */
  readonly cwd: string;
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

/** Returns the visible form of a text, in rows if it goes to a terminal. */
function shownOn(stream: Partial<WriteStream>, text: string): string {
  const lines = visible(text).split('\n');
  const rows = stream.isTTY ? lines.flatMap((line) => rowsOf(line, columnsOf(stream))) : lines;
  return rows.join('\n');
}

export class Terminal {
  readonly shell: Shell;

  constructor(shell: Shell) {
    this.shell = shell;
  }

  get isShown(): boolean {
    return (this.shell.stdout as Partial<WriteStream>).isTTY === true;
  }

  /** Whether a person can be asked. Questions go to stderr, so the output may be piped on. */
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

  out(line: string): void {
    this.shell.stdout.write(`${this.isShown ? shownOn(this.shell.stdout, line) : line}\n`);
  }

  note(line: string): void {
    this.shell.stderr.write(`${shownOn(this.shell.stderr, line)}\n`);
  }

  /** Prints the result as one JSON document, in one line if another program reads it. */
  json(value: unknown): void {
    this.#json(JSON.stringify(value, null, this.isShown ? 2 : undefined));
  }

  jsonLine(value: unknown): void {
    this.#json(JSON.stringify(value));
  }

  /** Prints JSON that keeps its value even if a person sees it, and so is not broken into rows. */
  #json(json: string): void {
    this.shell.stdout.write(`${this.isShown ? visibleJson(json) : json}\n`);
  }

  /** Makes a line bold on a terminal that wants it (https://no-color.org). */
  strong(line: string): string {
    const { env } = this.shell;
    const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || !this.isShown;
    return isPlain ? line : `\u001b[1m${line}\u001b[22m`;
  }

  heading(line: string): void {
    this.shell.stdout.write(`${this.strong(shownOn(this.shell.stdout, line))}\n`);
  }

  /** Asks for a line. Secret input is not shown. */
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
        // A terminal in raw mode sends Ctrl-C here instead of a signal.
        lines.once('SIGINT', stop).once('close', stop).once('line', resolve);
      });
    } finally {
      lines.close();
      if (isSecret) stderr.write('\n');
    }
  }

  async confirm(question: string): Promise<boolean> {
    return /^y(es)?$/i.test((await this.ask(`${question} [y/N]`)).trim());
  }

  async input(): Promise<string> {
    const { stdin, interrupted } = this.shell;
    return wholeText(await buffer(addAbortSignal(interrupted, stdin)), 'The standard input');
  }
}
