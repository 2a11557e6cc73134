import { once } from 'node:events';
import { Difference } from '../compliance/checker.js';
import { playTemporalAgents } from './temporal-agents.js';
import { playWire, type Scene } from './wire.js';

/** The wire alone, which every demo begins with, or all of the story. */
export type Part = 'wire' | 'all';

/**
 * Plays the story of the approvals on a running stack, and checks each step. Resolves with the first difference between
 * what happened and what had to happen, or with undefined. Throws the signal's reason where it is aborted first.
 */
export async function playApprovals(scene: Scene, part: Part): Promise<string | undefined> {
  const { signal } = scene;
  const aborted = once(signal, 'abort').then(() => Promise.reject(signal.reason as Error));
  try {
    await Promise.race([part === 'all' ? playAll(scene) : playWire(scene), aborted]);
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    throw error;
  }
}

async function playAll(scene: Scene): Promise<void> {
  await playWire(scene);
  await playTemporalAgents(scene);
}
