import { spawnAgent } from './spawn-agent.js';

/** What the agent says of its question once it has asked. */
export interface Asked {
  readonly intentId: string;
  readonly suspensionId: string;
}

/** An agent that runs in a process of its own. */
export interface AgentProcess {
  /** Rejects where the agent ends before it has asked. */
  readonly asked: Promise<Asked>;
  /** The value it got, as JSON. Rejects where it ends without one. */
  readonly result: Promise<string>;
  readonly kill: () => void;
}

/** Starts `examples/refund-agent.ts` with these settings beside the environment of this process. */
export function startAgent(settings: Readonly<Record<string, string>>): AgentProcess {
  const { lines, ended, kill } = spawnAgent('refund-agent.ts', settings);
  const asked = new Promise<Asked>((resolve) => {
    lines.on('line', (line) => {
      const [, intentId, suspensionId] = /^ {2}intent (\S+), suspension (\S+)$/.exec(line) ?? [];
      if (intentId && suspensionId) resolve({ intentId, suspensionId });
    });
  });
  const result = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const [, value] = /^result: (.*)$/.exec(line) ?? [];
      if (value !== undefined) resolve(value);
    });
  });
  return {
    asked: Promise.race([asked, ended]),
    result: Promise.race([result, ended]),
    kill,
  };
}
