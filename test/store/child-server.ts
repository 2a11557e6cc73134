import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { scriptOf } from '../support/scripts.js';

/** An embedded server in a process of its own. */
export interface ChildServer {
  readonly url: string;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ends it with SIGKILL and waits until it is gone. */
  readonly kill: () => Promise<void>;
}

export async function startChildServer(dataDir: string): Promise<ChildServer> {
  const script = scriptOf('test/store/serve-child.ts');
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [url] = (await Promise.race([
    once(lines, 'line'),
    gone.then(() => Promise.reject(new Error('the server ended before it was ready'))),
  ])) as [string];
  return {
    url,
    signal: (name) => child.kill(name),
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
