import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { runShellCommand } from '../../cli/program.js';
import type { SuspensionView } from '../../client/index.js';
import { KEYS, rigOver, type KeyName, type Rig } from '../api/support/harness.js';
import type { Fakes } from '../api/support/parts.js';
import { inboxPage, type Questions } from '../api/support/questions.js';
import { VIEW } from '../api/support/records.js';

/** What a terminal does that a command runs on. */
export interface Run {
  readonly key?: KeyName;
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in. */
  readonly input?: string;
  /** What somebody types at each question; without it there is no terminal to ask on. */
  readonly typed?: readonly string[];
  /** The output goes to a terminal of so many columns. */
  readonly columns?: number;
  readonly now?: number;
  readonly interrupted?: AbortSignal;
  /** Is told of each line of the output, as it is printed. */
  readonly onLine?: () => void;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The API over fakes, and a home folder of its own. */
export class ShellRig {
  readonly rig: Rig;
  readonly url: string;
  readonly home: string;

  constructor(rig: Rig, url: string, home: string) {
    this.rig = rig;
    this.url = url;
    this.home = home;
  }

  /** Runs a command with the address and the key of this API, an operator's unless it says otherwise. */
  async run(args: readonly string[], run: Run = {}): Promise<Ended> {
    const { key = 'operator', env = {} } = run;
    const given = { HOLDPOINT_URL: this.url, HOLDPOINT_API_KEY: KEYS[key], ...env };
    return runWith({ HOME: this.home, ...given }, args, run);
  }

  /** The same with nothing set but its home. */
  async bare(args: readonly string[], run: Run = {}): Promise<Ended> {
    return runWith({ HOME: this.home, ...run.env }, args, run);
  }
}

/** A stream that keeps what is written to it. */
class Kept extends PassThrough {
  text = '';
  isTTY: boolean | undefined;
  columns: number | undefined;
  onText: (text: string) => void = () => undefined;

  override write(chunk: unknown): boolean {
    this.text += String(chunk);
    this.onText(String(chunk));
    return true;
  }
}

/** Runs a command with just these variables. */
export async function runWith(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  { input = '', typed, columns, now = Date.now(), interrupted, onLine }: Run,
): Promise<Ended> {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const stdout = new Kept();
  const stderr = new Kept();
  if (columns !== undefined) Object.assign(stdout, { isTTY: true, columns });
  if (typed === undefined) stdin.end(input);
  else stderr.isTTY = true;
  stdout.onText = () => onLine?.();
  const lines = [...(typed ?? [])];
  stderr.onText = (text) => {
    // Questions end with a blank in place of a line's end.
    if (text.endsWith(' ')) setImmediate(() => stdin.write(`${lines.shift() ?? ''}\n`));
  };
  const code = await runShellCommand(args, {
    env,
    // A service may run in the folder of the tests.
    cwd: env['HOME'] ?? '',
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    now: () => now,
    interrupted: interrupted ?? new AbortController().signal,
  });
  return { code, out: stdout.text, err: stderr.text };
}

/** Serves the API over questions that do this, for as long as `run` takes. */
export async function withShell(
  overrides: Questions,
  run: (shell: ShellRig) => Promise<void>,
  config: unknown = {},
  fakes: Fakes = {},
): Promise<void> {
  const rig = rigOver({ config, ...fakes }, overrides);
  const server = createServer(rig.app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const home = await mkdtemp(path.join(tmpdir(), 'holdpoint-home-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await run(new ShellRig(rig, url, home));
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true, force: true });
  }
}

/** A question of nobody's intent; an approval, a form or whatever is said. */
export function questionWith(
  record: Partial<SuspensionView['record']> = {},
  more: Partial<SuspensionView> = {},
): SuspensionView {
  const id = more.id ?? VIEW.id;
  return { ...VIEW, intent_id: null, ...more, id, record: { ...VIEW.record, ...record, id } };
}

/** The reads of one question: alone, in the list, and waited for. */
export function showing(view: SuspensionView): Questions {
  const fresh = <T>(value: T) => Promise.resolve({ value, stale: false });
  return {
    getSuspension: () => fresh(view),
    listSuspensions: ({ state }) => inboxPage(state === view.state ? [view] : []),
  };
}
