import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { HoldpointError } from '../client/errors.js';
import { longPoll } from '../client/suspension.js';
import type { ShownRefusal } from '../contracts/constants/denial.js';
import { createMcpServer, questionPage, type Asker } from '../mcp/server.js';
import { ExactLines, type Held } from './exact-lines.js';
import { endingOf } from './failures.js';
import type { Api } from './session.js';
import type { Terminal } from './shell.js';
import { oneLine } from './text.js';

/** A tool answers before its client ends the call after 60 s, even without the service. A late withdrawal is followed by a read. */
const WITHIN_SECONDS = 55;
const READ_WITHIN_SECONDS = 15;

/** Returns a connection to the service whose calls take at most so many seconds, with all tries. */
type Reach = (withinSeconds: number) => Api;

/** Returns an asker that reaches the service over its API, with the current key. */
export function remoteAsker(reach: Reach): Asker {
  const { url, connection, agent } = reach(WITHIN_SECONDS);
  const reading = reach(READ_WITHIN_SECONDS);
  const withdrawing = reach(WITHIN_SECONDS - READ_WITHIN_SECONDS);
  return {
    ask: (question) => agent.openQuestion(question),
    wait(ticket, timeoutSeconds, signal) {
      if (timeoutSeconds === 0) return reading.operator.getSuspension(ticket);
      return longPoll(connection, ticket, { timeoutSeconds, inAll: true, signal });
    },
    async withdraw(ticket, reason) {
      await withdrawing.agent.withdrawQuestion(ticket, reason);
    },
    pageOf: (ticket) => questionPage(url, ticket),
    told: toldOf,
  };
}

/** Returns the text for a model about a failure of the command or of the service. */
export function toldOf(error: unknown): ShownRefusal {
  if (!(error instanceof HoldpointError)) {
    return { code: 'internal', detail: endingOf(error).line };
  }
  const { code, detail, field, accepted, valid_choices } = error;
  return { code, detail, field, accepted, valid_choices };
}

/** Serves the tools over the standard input and output, until the client closes them. */
export async function serveTools(reach: Reach, terminal: Terminal): Promise<void> {
  const { stdin, stdout, interrupted } = terminal.shell;
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', () => resolve()).once('close', () => resolve());
    interrupted.addEventListener('abort', () => resolve(), { once: true });
  });
  const asker = remoteAsker(reach);
  const onerror = (error: Error): void => terminal.note(oneLine(error.message));
  const lines = new ExactLines(({ fault, id }) => {
    terminal.note(oneLine(fault.detail));
    if (id !== undefined) stdout.write(refusalLine(fault, id));
  });
  lines.on('error', onerror);
  const transport = new StdioServerTransport(stdin.pipe(lines), stdout);
  const server = serveStdio(() => createMcpServer(asker), {
    maxSubscriptions: 0,
    onerror,
    transport,
  });
  await ended;
  await server.close();
}

const INVALID_PARAMS = -32602;

function refusalLine({ detail, field, accepted }: Held['fault'], id: string | number): string {
  const error = { code: INVALID_PARAMS, message: detail, data: { field, accepted } };
  return `${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`;
}
