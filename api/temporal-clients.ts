import { Client, Connection, type ConnectionLike, type DataConverter } from '@temporalio/client';
import type { Tracing } from '../runtime/tracing/tracing.js';
import {
  connectionOptions,
  type TemporalConnectionOptions,
} from '../temporal-config/connection.js';
import { followCredentials, type FollowedCredentials } from '../temporal-config/credentials.js';
import { OF_THE_API } from './parts/calls/temporal.js';
import { traceCalls } from './tracing/tracing.js';

interface Surroundings {
  readonly dataConverter: DataConverter | undefined;
  readonly tracing: Tracing | undefined;
  readonly log: FollowedCredentials['log'];
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
}

interface TemporalClients {
  readonly client: Client;
  /** For calls that wait long. They fill the streams of a connection, of which a server allows 100 or so. */
  readonly waiting: Client;
}

/** gRPC shares one session among all connections of a process to one server, unless this option is set. */
const OWN_SESSION = { 'grpc.use_local_subchannel_pool': 1 };

/** Both clients read the same credentials, and one of them logs that. */
const SILENT = { info: () => undefined, error: () => undefined };

/**
 * Makes the clients, each with a lazy connection that takes over new credentials. `close` closes both.
 * @throws TemporalConfigError if the settings cannot be used
 */
export function temporalClients(
  env: NodeJS.ProcessEnv,
  { dataConverter, tracing, log, signal }: Surroundings,
): { readonly clients: TemporalClients; readonly close: () => Promise<void> } {
  const { connection: first, namespace } = connectionOptions(env);
  const read = () => connectionOptions(env).connection;
  const connected = (toLog = log): ConnectionLike =>
    followCredentials({
      connection: Connection.lazy(withOwnSession(first)),
      first,
      read,
      open: (changed) => Connection.connect(withOwnSession(changed)),
      log: toLog,
      signal,
    });
  const clientOf = (connection: ConnectionLike) =>
    new Client({
      connection,
      namespace,
      ...OF_THE_API,
      ...(dataConverter && { dataConverter }),
      ...(tracing && { interceptors: { workflow: [traceCalls(tracing)] } }),
    });
  const [client, waiting] = [clientOf(connected()), clientOf(connected(SILENT))];
  return {
    clients: { client, waiting },
    async close() {
      await Promise.all([client.connection.close(), waiting.connection.close()]);
    },
  };
}

function withOwnSession(options: TemporalConnectionOptions) {
  return { ...options, channelArgs: OWN_SESSION, interceptors: [] };
}
