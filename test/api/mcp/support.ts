import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { CLIENTS, withClient, type McpClient } from '../../support/mcp-clients.js';
import { KEYS, createRig, type Rig } from '../support/harness.js';
import type { Questions } from '../support/questions.js';
import { SUSPENSION_ID, VIEW } from '../support/records.js';

export const KINDS = Object.keys(CLIENTS) as readonly (keyof typeof CLIENTS)[];
export const [CURRENT = 'the client of today'] = KINDS;
export const ASK = { question: 'Deploy?', request_key: 'deploy-7' };
export const TICKET = { ticket: SUSPENSION_ID };
const AT = '2026-11-20T10:05:00.000Z';

export function settled(record: Partial<SuspensionView['record']>): SuspensionView {
  return {
    ...VIEW,
    state: 'settled',
    record: { ...VIEW.record, settled_at: AT, settled_by: 'operator', ...record },
  };
}

export function waiting(view: SuspensionView): Questions {
  return {
    getSuspension: () => Promise.resolve({ value: view, stale: false }),
  };
}

/** The API over questions that do this, at an address. */
export async function withDoor(
  overrides: Questions,
  run: (url: string, rig: Rig) => Promise<void>,
  config: unknown = {},
): Promise<void> {
  const rig = createRig(overrides, config);
  const server = createServer(rig.app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, rig);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Runs with the client of today and the key of an agent. */
export function asAgent(
  overrides: Questions,
  run: (client: McpClient, rig: Rig) => Promise<void>,
  config: unknown = {},
): Promise<void> {
  return withDoor(
    overrides,
    (url, rig) => withClient(CURRENT, { url, key: KEYS.agent }, (client) => run(client, rig)),
    config,
  );
}
