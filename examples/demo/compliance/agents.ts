import { once } from 'node:events';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { spawnAgent } from '../agent-process.js';
import type { PhaseName } from './story.js';

/** A line that an agent printed. */
export interface AgentReport extends JsonObject {
  readonly what: string;
  /** By the agent's clock, ISO-8601. */
  readonly at: string;
}

/** The agent of a phase, and all that it has reported so far. */
export interface PhaseAgent {
  readonly reports: readonly AgentReport[];
  /** Resolves once it tells of this; rejects where it fails, or ends without. */
  readonly untilReported: (what: string) => Promise<AgentReport>;
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
  const reports: AgentReport[] = [];
  lines.on('line', (line) => reports.push(JSON.parse(line) as AgentReport));
  // Whoever waits for an agent learns of its end; if nobody does, it may end.
  ended.catch(() => undefined);
  const untilReported = async (what: string): Promise<AgentReport> => {
    for (;;) {
      const found = reports.find((one) => one.what === what);
      if (found) return found;
      await Promise.race([once(lines, 'line'), ended]);
    }
  };
  return { reports, untilReported, kill };
}
