/** The services of a Temporal server, all in one process here. */
export const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Loopback ports of one service: for requests, and for finding the other services. */
export interface ServicePorts {
  readonly grpc: number;
  readonly membership: number;
}

/** Where the databases of a Temporal server are, and what it listens on. */
export interface ServerSettings {
  /** `host:port` of PostgreSQL, which asks for no password. */
  readonly postgres: string;
  readonly user: string;
  /** Databases of workflows and of the list of workflows. */
  readonly databases: { readonly default: string; readonly visibility: string };
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  readonly metricsPort: number;
  /** Absolute path of the file with `dynamicConfig`. */
  readonly dynamicConfigFile: string;
}

const HOST = '127.0.0.1';
const CLUSTER = 'active';
/**
 * Each has queues of its own, which the server polls 20 times a second at most, and costs about a quarter of a write a
 * second while it rests. So many that no queue is the limit on a few cores, and so few that their upkeep does not blur
 * what a question costs.
 */
const SHARDS = 32;

/**
 * The static configuration of a Temporal server on loopback, for
 * `temporal-server --config <folder> --env <name>`, whose file is `<name>.yaml`.
 */
export function serverConfig(settings: ServerSettings): object {
  const { postgres, user, databases, ports, metricsPort, dynamicConfigFile } = settings;
  const datastore = (databaseName: string, maxConns: number): object => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: postgres,
      connectProtocol: 'tcp',
      user,
      password: '',
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  return {
    log: { stdout: true, level: 'error' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: SHARDS,
      datastores: {
        default: datastore(databases.default, 20),
        visibility: datastore(databases.visibility, 10),
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: HOST },
      metrics: {
        prometheus: { framework: 'tally', timerType: 'histogram', listenAddress: at(metricsPort) },
      },
    },
    services: Object.fromEntries(
      SERVICES.map((name) => {
        const { grpc, membership } = ports[name];
        const rpc = { grpcPort: grpc, membershipPort: membership, bindOnLocalHost: true };
        return [name, { rpc }];
      }),
    ),
    clusterMetadata: onlyCluster(at(ports.frontend.grpc)),
    dcRedirectionPolicy: { policy: 'noop' },
    archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    namespaceDefaults: {
      archival: { history: { state: 'disabled' }, visibility: { state: 'disabled' } },
    },
    dynamicConfigClient: { filepath: dynamicConfigFile, pollInterval: '60s' },
  };
}

function onlyCluster(rpcAddress: string): object {
  const self = { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress };
  return {
    enableGlobalNamespace: false,
    failoverVersionIncrement: 10,
    masterClusterName: CLUSTER,
    currentClusterName: CLUSTER,
    clusterInformation: { [CLUSTER]: self },
  };
}

/**
 * The server's own defaults but two: activities may start with the task that schedules them, as on Temporal Cloud and
 * on our development server, and no version check calls an outside host.
 */
export function dynamicConfig(): object {
  const values = {
    'system.enableActivityEagerExecution': true,
    'frontend.enableServerVersionCheck': false,
  };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, [{ value }]]));
}

function at(port: number): string {
  return `${HOST}:${port}`;
}

/** The calls of `temporal-sql-tool` that make the tables of both databases, one after the other. */
export function schemaCalls({
  postgres,
  user,
  databases,
}: Pick<ServerSettings, 'postgres' | 'user' | 'databases'>): readonly (readonly string[])[] {
  const [host = '', port = ''] = postgres.split(':');
  const kinds = [
    [databases.default, 'postgresql/v12/temporal'],
    [databases.visibility, 'postgresql/v12/visibility'],
  ] as const;
  return kinds.flatMap(([database, schema]) => {
    const where = ['--plugin', 'postgres12', '--endpoint', host, '--port', port, '--user', user];
    const call = (...args: string[]): string[] => [...where, '--database', database, ...args];
    return [
      call('create-database'),
      call('setup-schema', '--version', '0.0'),
      call('update-schema', '--schema-name', schema),
    ];
  });
}
