import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunnableConfig } from '@langchain/core/runnables';
import { MemorySaver, type CheckpointTuple } from '@langchain/langgraph';

const FOLDER = path.join(import.meta.dirname, 'threads');

/** Keeps each thread in a file, for whichever process continues it. */
class FileSaver extends MemorySaver {
  override getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const thread = threadOf(config);
    if (this.storage[thread] === undefined && existsSync(fileOf(thread))) {
      const saved = JSON.parse(readFileSync(fileOf(thread), 'utf8'), asBytes) as Saved;
      this.storage[thread] = saved.storage;
      Object.assign(this.writes, saved.writes);
    }
    return super.getTuple(config);
  }

  override async put(...given: Parameters<MemorySaver['put']>): Promise<RunnableConfig> {
    const config = await super.put(...given);
    this.save(threadOf(given[0]));
    return config;
  }

  override async putWrites(...given: Parameters<MemorySaver['putWrites']>): Promise<void> {
    await super.putWrites(...given);
    this.save(threadOf(given[0]));
  }

  private save(thread: string): void {
    const isOwn = ([key]: [string, unknown]): boolean => JSON.parse(key)[0] === thread;
    const writes = Object.fromEntries(Object.entries(this.writes).filter(isOwn));
    const text = JSON.stringify({ storage: this.storage[thread], writes }, asText);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${fileOf(thread)}.new`, text);
    renameSync(`${fileOf(thread)}.new`, fileOf(thread));
  }
}

interface Saved {
  readonly storage: MemorySaver['storage'][string];
  readonly writes: MemorySaver['writes'];
}

export const checkpointer = new FileSaver();

export function fileOf(thread: string): string {
  return path.join(FOLDER, `${thread}.json`);
}

function threadOf(config: RunnableConfig): string {
  return String(config.configurable?.['thread_id']);
}

/** Checkpoints are JSON in bytes, and stay legible in the file. */
function asText(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: new TextDecoder().decode(value) } : value;
}

function asBytes(_name: string, value: unknown): unknown {
  const isText = typeof value === 'object' && value !== null && 'bytes' in value;
  return isText ? new TextEncoder().encode(String(value.bytes)) : value;
}
