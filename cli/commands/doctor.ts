import { HoldpointError } from '../../client/errors.js';
import { readReadiness } from '../../client/readiness.js';
import type { ChannelReport, ChannelReports } from '../../contracts/channel/follow-up.js';
import type { RunsSetAside } from '../../contracts/log/set-aside.js';
import type { AddCommand } from '../command.js';
import { EXIT, endingOf, type ExitCode } from '../failures.js';
import { USUAL_URL, addressOf, apiOf, settingsOf, type Settings } from '../session.js';
import type { Terminal } from '../shell.js';

/** One thing that the service says, and whether it is as it should be. */
interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

function failed(name: string, error: unknown): Finding {
  return { name, ok: false, detail: endingOf(error).line };
}

/** A channel fails if its newest try did, or if no good answer of its service is known. */
function channelFinding({ name, type, last_delivered, last_failed, check }: ChannelReport) {
  const isFailing =
    last_failed !== null && !(last_delivered && last_delivered.at >= last_failed.at);
  const code = last_failed?.status_code ? ` (${last_failed.status_code})` : '';
  const said = [
    ...(last_delivered ? [`delivered ${last_delivered.at}`] : []),
    ...(isFailing ? [`failed ${last_failed.at}: ${last_failed.outcome}${code}`] : []),
    ...(check ? [`check ${check.state}`, check.at, check.reason].filter((text) => text) : []),
  ];
  return {
    name: 'channel',
    ok: !isFailing && (check === null || check.state === 'ok'),
    detail: `${type} channel ${name}: ${said.join(', ') || 'nothing sent yet'}`,
  };
}

function channelFindings({ channels, unknown_approvers = [] }: ChannelReports) {
  return [
    ...channels.map(channelFinding),
    ...unknown_approvers.map((detail) => ({ name: 'approvers', ok: false, detail })),
  ];
}

function setAsideFindings({ workflows, more }: RunsSetAside): readonly Finding[] {
  const name = 'workflow';
  const found = workflows.map(({ workflow_id, run_id, since, tries }) => {
    const tried = tries === null ? '' : `, its task was tried ${tries} times`;
    const detail = `${workflow_id} (run ${run_id}) is set aside since ${since}${tried}`;
    return { name, ok: false, detail };
  });
  if (more) return [...found, { name, ok: false, detail: 'there may be more that are set aside' }];
  return found.length > 0 ? found : [{ name, ok: true, detail: 'none is set aside' }];
}

/** The findings of a report that needs a key. A key that may not see it is no fault of the service. */
async function ifShown(
  name: string,
  reported: Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await reported;
  } catch (error) {
    return error instanceof HoldpointError && error.status === 403 ? [] : [failed(name, error)];
  }
}

async function examine(terminal: Terminal): Promise<readonly Finding[]> {
  const { env, interrupted } = terminal.shell;
  const findings: Finding[] = [];
  let settings: Settings | undefined;
  try {
    settings = await settingsOf(terminal.shell, 'admin');
  } catch (error) {
    findings.push(failed('settings', error));
  }
  try {
    const url = settings?.url ?? addressOf(env['HOLDPOINT_URL'] || USUAL_URL);
    const { dependencies } = await readReadiness(url);
    for (const [name, { ok, detail }] of Object.entries(dependencies)) {
      findings.push({ name, ok, detail });
    }
  } catch (error) {
    return [...findings, failed('address', error)];
  }
  if (settings === undefined) return findings;
  const { connection } = apiOf(settings, terminal, { interrupted });
  const options = { signal: interrupted };
  const channels = connection.read<ChannelReports>('/server/channels', {}, options);
  findings.push(...(await ifShown('channel', channels.then(channelFindings))));
  const setAside = connection.read<RunsSetAside>('/server/set-aside', {}, options);
  findings.push(...(await ifShown('workflow', setAside.then(setAsideFindings))));
  return findings;
}

async function doctor(terminal: Terminal, isJson: boolean): Promise<ExitCode> {
  const checks = await examine(terminal);
  terminal.shell.interrupted.throwIfAborted();
  const ok = checks.every((check) => check.ok);
  if (isJson) terminal.json({ ok, checks });
  else {
    for (const { name, ok: isOk, detail } of checks) {
      terminal.out(`${isOk ? 'ok ' : 'BAD'}  ${name.padEnd(9)} ${detail}`);
    }
    terminal.note(ok ? 'Nothing is wrong.' : 'What is marked BAD is wrong.');
  }
  return ok ? EXIT.done : EXIT.no;
}

export const addDoctor: AddCommand = (command, terminal, end) => {
  command
    .option('--json', 'print {"ok": …, "checks": […]}')
    .action(end((options: { json?: boolean }) => doctor(terminal, options.json === true)));
};
