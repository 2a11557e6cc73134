import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { readKeys } from '../../runtime/api-keys.js';
import { StartupError } from '../../runtime/program.js';
import type { KeyRing } from './key-ring.js';

interface Options {
  /** Absolute. */
  readonly file: string;
  /** Whether only this machine reaches the API. */
  readonly isLoopback: boolean;
  readonly ring: Pick<KeyRing, 'replace'>;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const LOOK_MS = 5_000;

/**
 * Takes over the keys of a file when they change. It reads the file instead of watching it: that finds a file that
 * was replaced, a link that leads elsewhere, and changes on a network drive. What is found counts once two looks in
 * a row have seen the same, so that nothing is taken that is still being written. If it cannot be used, the
 * keys stay as they were.
 */
export class KeyFile {
  private readonly options: Options;
  /** What the last look found, and whether the one before found the same. */
  private seen: string | undefined;
  private isJudged = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.options = options;
  }

  /** Looks every five seconds. */
  follow(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Looks once. It never rejects. */
  async look(): Promise<void> {
    const content = await this.read();
    const found = typeof content === 'string' ? content : `\0${content.message}`;
    if (found !== this.seen) {
      this.isJudged = false;
      this.seen = found;
    } else if (!this.isJudged) {
      this.isJudged = true;
      this.judge(content);
    }
  }

  private async read(): Promise<string | Error> {
    try {
      return await readFile(this.options.file, 'utf8');
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  private judge(content: string | Error): void {
    const { file, isLoopback, ring, log } = this.options;
    try {
      if (content instanceof Error) throw new StartupError(content.message);
      const keys = readKeys(content, { name: file, isLoopback });
      ring.replace(keys);
      log.info({ file, keys: keys.length }, 'the keys were read');
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      log.error({ file, reason: error.message }, 'the key file cannot be used: the old keys stay');
    }
  }
}
