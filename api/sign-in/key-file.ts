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

/**
 * Takes over the keys of a file when they change. It reads the file instead of watching it, which also notices a replaced
 * file, a link that leads elsewhere, and changes on a network drive. New content counts once two reads in a row have found
 * it, so that a half-written file does not count. If the file cannot be used, the old keys stay.
 */
export class KeyFile {
  private readonly options: Options;
  /** What the last read found, and whether it was judged. */
  private seen: string | undefined;
  private isJudged = true;

  constructor(options: Options) {
    this.options = options;
  }

  /** Reads the file once. It never rejects. */
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
