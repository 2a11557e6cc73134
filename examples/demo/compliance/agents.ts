import { once } from 'node:events';
import type { JsonObject } from '../../../contracts/primitives.js';
import { spawnAgent } from '../agent-process.js';
import type { PhaseName } from './story.js';

/** What an agent told of, in its own words. */
export interface Told extends JsonObject {
  readonly told: string;
  /** By the agent's clock, ISO-8601. */
  readonly at: string;
}

/** The agent of a phase, and all that it has told so far. */
export interface PhaseAgent {
  readonly told: readonly Told[];
  /** Resolves once it tells of this; rejects where it fails, or ends without. */
  readonly untilTold: (told: string) => Promise<Told>;
  readonly kill: () => void;
}

/** Starts `examples/compliance-agent.ts` for a phase. */
export function startPhaseAgent(
  phase: PhaseName,
  settings: Readonly<Record<string, string>>,
): PhaseAgent {
  const { lines, ended, kill } = spawnAgent('compliance-agent.ts', {
    ...settings,
    COMPLIANCE_PHASE: phase,
  });
  const told: Told[] = [];
  lines.on('line', (line) => told.push(JSON.parse(line) as Told));
  // Who waits for it is told; where nobody does, an agent may end.
  ended.catch(() => undefined);
  const untilTold = async (what: string): Promise<Told> => {
    for (;;) {
      const found = told.find((one) => one.told === what);
      if (found) return found;
      await Promise.race([once(lines, 'line'), ended]);
    }
  };
  return { told, untilTold, kill };
}
