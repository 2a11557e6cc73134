import { goInstall } from '../../temporal-config/cli.js';
import {
  downloadProgram,
  findTool,
  type ResolveOptions,
  type ToolMaker,
} from '../../temporal-config/tools.js';
import { TemporalConfigError } from '../../temporal-config/errors.js';

/** The server that the Temporal CLI has built in, so that both runs of the bench are of one version. */
export const SERVER_VERSION = '1.29.1';

type Made = 'download' | 'go';
type ProgramName = 'temporal-server' | 'temporal-sql-tool';

/** The paths of the programs that make up a Temporal server over a database. */
export interface ServerPrograms {
  readonly server: string;
  /** Makes the tables. */
  readonly sqlTool: string;
}

interface Program {
  readonly label: string;
  readonly variable: string;
  readonly version: string;
  readonly goTarget: string;
}

const PROGRAMS: Readonly<Record<ProgramName, Program>> = {
  'temporal-server': {
    label: 'Temporal server',
    variable: 'TEMPORAL_SERVER_PATH',
    version: 'temporal version',
    goTarget: `go.temporal.io/server/cmd/server@v${SERVER_VERSION}`,
  },
  'temporal-sql-tool': {
    label: "Temporal's SQL tool",
    variable: 'TEMPORAL_SQL_TOOL_PATH',
    version: 'temporal-sql-tool version',
    goTarget: `go.temporal.io/server/cmd/tools/sql@v${SERVER_VERSION}`,
  },
};

/** How to get a program that is not installed, in the order of the tries. */
export type ServerMakers = (
  name: ProgramName,
  options: Required<ResolveOptions>,
) => readonly ToolMaker<Made>[];

/**
 * Finds the programs of a Temporal server, each as the Temporal CLI is found: its variable
 * (`TEMPORAL_SERVER_PATH`, `TEMPORAL_SQL_TOOL_PATH`), PATH, the cache folder, a download from GitHub, a build with
 * Go. Tests replace `makers`.
 *
 * @throws TemporalConfigError `server_path_unusable` or `server_not_found`, as `findTool`
 */
export async function resolveServerPrograms(
  options: ResolveOptions,
  makers: ServerMakers = ordinaryMakers,
): Promise<ServerPrograms> {
  return {
    server: await resolveProgram('temporal-server', options, makers),
    sqlTool: await resolveProgram('temporal-sql-tool', options, makers),
  };
}

async function resolveProgram(
  name: ProgramName,
  { env = process.env, log }: ResolveOptions,
  makers: ServerMakers,
): Promise<string> {
  const { label, variable, version } = PROGRAMS[name];
  const tool = {
    label,
    program: name,
    version: SERVER_VERSION,
    variable,
    unusable: 'server_path_unusable',
    check: { args: ['--version'], answer: version },
    fault: `does not answer \`--version\` as ${name} does`,
    makers: makers(name, { env, log }),
    notFound: (why: (source: Made) => string) => notFound(name, why),
  } as const;
  return (await findTool(tool, { env, log }, { onPath: true })).path;
}

function ordinaryMakers(
  program: ProgramName,
  { env, log }: Required<ResolveOptions>,
): ToolMaker<Made>[] {
  const release = { artifact: 'server', version: SERVER_VERSION, program, env, log } as const;
  const target = PROGRAMS[program].goTarget;
  return [
    { source: 'download', make: (folder) => downloadProgram(release, folder) },
    { source: 'go', make: (folder) => goInstall({ target, program, env, log }, folder) },
  ];
}

function notFound(name: ProgramName, why: (source: Made) => string): TemporalConfigError {
  const { label, variable, goTarget } = PROGRAMS[name];
  return new TemporalConfigError(
    'server_not_found',
    [
      `${label} is not here, and a Temporal server on PostgreSQL needs it. One of these three is enough:`,
      `  1. put \`${name}\` ${SERVER_VERSION} on PATH, or set ${variable} to it;`,
      `  2. let github.com be reached, from where it is downloaded (${why('download')});`,
      `  3. install Go, to build it with \`go install ${goTarget}\` (${why('go')}).`,
    ].join('\n'),
  );
}
