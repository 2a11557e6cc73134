import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { RecentWrites } from '../contracts/constants/recent-writes.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the file in which commands leave to the next ones what they have written, in the state folder of the XDG rules. */
export function writesFile(env: Env): string {
  const own = env['XDG_STATE_HOME'] ?? '';
  const home = env['HOME'] || homedir();
  const folder = path.isAbsolute(own) ? own : path.join(home, '.local', 'state');
  return path.join(folder, 'holdpoint', 'recent-writes.json');
}

/**
 * What commands of this person have just written, in a file: the next command may reach another replica of the service. The file is of the service
 * that was written to last. A command has done its work without it, so what goes wrong with the file is passed over.
 */
export class KeptWrites {
  private readonly file: string;
  private readonly url: string;

  /** @param url - the address of the service */
  constructor(env: Env, url: string) {
    this.file = writesFile(env);
    this.url = url;
  }

  note(by: string | null, now: number): void {
    if (by === null) return;
    const writes = this.read();
    writes.note(by, now);
    try {
      mkdirSync(path.dirname(this.file), { recursive: true, mode: 0o700 });
      const fresh = `${this.file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify({ url: this.url, kept: writes.kept }), { mode: 0o600 });
      renameSync(fresh, this.file);
    } catch {
      // The next command sees what the store shows by then.
    }
  }

  toSend(now: number): string | undefined {
    return this.read().toSend(now);
  }

  private read(): RecentWrites {
    try {
      const { url, kept } = JSON.parse(readFileSync(this.file, 'utf8')) as {
        url?: unknown;
        kept?: unknown;
      };
      return new RecentWrites(url === this.url && Array.isArray(kept) ? kept.filter(isNamed) : []);
    } catch {
      return new RecentWrites();
    }
  }
}

function isNamed(one: unknown): one is RecentWrites['kept'][number] {
  const { by, at } = (one ?? {}) as { by?: unknown; at?: unknown };
  // A header has no other characters.
  return typeof by === 'string' && /^[\w.-]+$/.test(by) && typeof at === 'number';
}
