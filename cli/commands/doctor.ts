import { VERSION } from '../../contracts/constants/version.js';
import { readReadiness } from '../../client/readiness.js';
import type { Readiness } from '../../client/readiness.js';
import type { ChannelReport, ChannelReports } from '../../contracts/channel-report.js';
import type { RunsSetAside } from '../../contracts/set-aside.js';
import type { Me } from '../../contracts/me.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { endingOf } from '../failures.js';
import { isOpenToOthers, loginFile } from '../login-file.js';
import { USUAL_URL, addressOf, apiOf, settingsOf } from '../session.js';
import type { Api, Settings } from '../session.js';
import type { Terminal } from '../shell.js';
import { spanOf } from '../text.js';
import { identityLine } from './login.js';

/** One thing that was looked at. */
interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, if it is not as it should be. */
  readonly advice?: string;
}

/** Deadlines are shown in whole seconds, and the reply says its time in whole seconds too. */
const MOST_CLOCK_MS = 5_000;

/** What to do about a dependency that is not there. */
const ADVICE: Readonly<Record<string, string>> = {
  api: 'It is about to stop: wait until it is back, or look at what stops it.',
  temporal: 'Look whether Temporal runs where TEMPORAL_ADDRESS of the service says.',
  worker:
    'Start one with `holdpoint worker`. If one runs, look at its log, and at `holdpoint activate`.',
  store:
    'Look whether PostgreSQL runs where DATABASE_URL of the service says, and run `holdpoint migrate`.',
};

const KEY_ADVICE =
  'Sign in with `holdpoint login`, or set HOLDPOINT_API_KEY to a key that the service has.';

function failed(name: string, error: unknown, advice?: string): Finding {
  const { line } = endingOf(error);
  return { name, ok: false, detail: line, ...(advice !== undefined && { advice }) };
}

async function settingsFinding(terminal: Terminal, { from }: Settings): Promise<Finding> {
  const { env } = terminal.shell;
  const name = 'settings';
  if (from !== loginFile(env) || !(await isOpenToOthers(env))) {
    return { name, ok: true, detail: `from ${from}` };
  }
  const advice = `Run: chmod 600 ${from}`;
  return { name, ok: false, detail: `others may read the key in ${from}`, advice };
}

function clockFinding(serverTime: number, now: number): Finding {
  const ahead = now - serverTime;
  const isNear = Math.abs(ahead) <= MOST_CLOCK_MS;
  const detail = isNear
    ? 'this clock and that of the service agree'
    : `this clock is ${spanOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} that of the service`;
  const advice = 'Let both machines take their time from the network (NTP).';
  return { name: 'clock', ok: isNear, detail, ...(!isNear && { advice }) };
}

function dependencyFindings({ dependencies }: Readiness): readonly Finding[] {
  return Object.entries(dependencies).map(([name, { ok, detail }]) => {
    const advice = ok ? undefined : ADVICE[name];
    return { name, ok, detail, ...(advice !== undefined && { advice }) };
  });
}

/** The service, as far as it tells without a key. */
async function serviceFindings(terminal: Terminal, url: string): Promise<readonly Finding[]> {
  try {
    const readiness = await readReadiness(url);
    const { serverTime } = readiness;
    return [
      { name: 'address', ok: true, detail: url },
      ...dependencyFindings(readiness),
      ...(serverTime === undefined ? [] : [clockFinding(serverTime, terminal.shell.now())]),
    ];
  } catch (error) {
    const advice = `Start it with \`holdpoint start\`, or give the right address to \`holdpoint login\` or HOLDPOINT_URL.`;
    return [failed('address', error, advice)];
  }
}

const NETWORK_ADVICE = 'Look whether the worker may connect to the service of the channel.';
const ASKED_BY =
  'A worker asks when it starts and every few minutes: look whether one runs, and at its log.';

/** What to do about a try or a check that failed, where that can be told. */
const OUTCOME_ADVICE: Readonly<Record<string, string>> = {
  connection_failed: NETWORK_ADVICE,
  no_reply_in_time: NETWORK_ADVICE,
  slack_login_refused: 'Give the worker a bot token that counts and has the scopes.',
  mail_login_refused:
    'Give the worker the user and password of the mail server in the URL of smtp, or neither where it offers no login.',
  address_missing: 'Give each person of the directory an address of this channel.',
  endpoint_gone: 'Look at the URL of the channel: its receiver says that it is gone for good.',
};

const ANSWERS_SINCE = {
  says: 'its service answers since',
  advice: 'The next message shows whether it is mended.',
} as const;

/** What a good answer of the service says of a try before it, where it does not show that the next one will be delivered. */
const ASKED_SINCE: Readonly<Record<string, { readonly says: string; readonly advice: string }>> = {
  connection_failed: ANSWERS_SINCE,
  no_reply_in_time: ANSWERS_SINCE,
  slack_login_refused: {
    says: 'and its token counts now',
    advice:
      'Look whether the bot has its scopes and is in the conversation: the next message shows it.',
  },
};

/** What to do about an outcome. */
function adviceOn(outcome: string): string {
  return OUTCOME_ADVICE[outcome] ?? 'Look at the log of the worker, and at the channel.';
}

/** The service of a channel is as it should be if it answered well when a worker last asked, and one did so lately. */
function checkFindings({ name, type, check }: ChannelReport): readonly Finding[] {
  // A service of an older version says nothing of it.
  if (!check) return [];
  const channel = `${type} channel ${name}`;
  const { state, at, outcome, reason } = check;
  if (state === 'ok') {
    const detail = `the service of ${channel} answered ${at}, and took the credentials if it has any`;
    return [{ name: 'channel', ok: true, detail }];
  }
  if (state === 'failed') {
    const detail = `${channel} failed when its service was asked ${at}: ${reason}`;
    return [{ name: 'channel', ok: false, detail, advice: adviceOn(outcome ?? '') }];
  }
  const since = at === null ? '' : ` since ${at}`;
  const detail = `${channel} may not work: no worker that runs has asked its service${since}`;
  return [{ name: 'channel', ok: false, detail, advice: ASKED_BY }];
}

type FailedTry = NonNullable<ChannelReport['last_failed']>;

/** Whether a worker has asked the service of a channel since a try failed, and got a good answer. */
function hasAnsweredSince({ at }: FailedTry, check: ChannelReport['check']): boolean {
  return check?.state === 'ok' && check.at !== null && check.at > at;
}

/** Whether a good answer shows that a try would not fail again. A mail server may want a login of a mail alone (530). */
function isMendedByAnswer({ outcome, status_code }: FailedTry): boolean {
  return outcome === 'mail_login_refused' && status_code !== 530;
}

/** A channel is as it should be if its newest try was delivered, or what failed it is mended. */
function triesFinding({ name, type, last_delivered, last_failed, check }: ChannelReport): Finding {
  const channel = `${type} channel ${name}`;
  if (last_failed === null || (last_delivered !== null && last_delivered.at >= last_failed.at)) {
    const when =
      last_delivered === null ? 'has sent nothing yet' : `delivered ${last_delivered.at}`;
    return { name: 'channel', ok: true, detail: `${channel} ${when}` };
  }
  const { at, outcome, status_code } = last_failed;
  const code = status_code === null ? '' : ` (${status_code})`;
  const detail = `${channel} failed ${at}: ${outcome}${code}`;
  const answers = hasAnsweredSince(last_failed, check);
  if (answers && isMendedByAnswer(last_failed)) {
    return { name: 'channel', ok: true, detail: `${detail}, its service takes the login since` };
  }
  const since = answers ? ASKED_SINCE[outcome] : undefined;
  if (since) {
    const { says, advice } = since;
    return { name: 'channel', ok: false, detail: `${detail}, ${says}`, advice };
  }
  return { name: 'channel', ok: false, detail, advice: adviceOn(outcome) };
}

const APPROVERS_ADVICE =
  'Correct the name in the configuration, or give somebody a key or an entry of the directory with it.';

/** How messages get out, and whom nobody can reach for an approval, as far as the key may know. */
async function channelFindings(api: Api, { may }: Me): Promise<readonly Finding[]> {
  if (!may.includes('listChannels')) return [];
  try {
    const options = { signal: api.interrupted };
    const { channels, unknown_approvers = [] } = await api.connection.read<ChannelReports>(
      '/server/channels',
      {},
      options,
    );
    return [
      ...channels.flatMap((report) => [triesFinding(report), ...checkFindings(report)]),
      ...unknown_approvers.map((detail) => {
        return { name: 'approvers', ok: false, detail, advice: APPROVERS_ADVICE };
      }),
    ];
  } catch (error) {
    return [failed('channel', error)];
  }
}

const SET_ASIDE_ADVICE =
  'Reset or terminate it, or deploy a version that mends the cause: see "A workflow that is set aside" in docs/operations.md.';

/** The workflows that workers have set aside, as far as the key may know. */
async function setAsideFindings(api: Api, { may }: Me): Promise<readonly Finding[]> {
  if (!may.includes('listSetAside')) return [];
  const name = 'workflow';
  try {
    const options = { signal: api.interrupted };
    const all = await api.connection.read<RunsSetAside>('/server/set-aside', {}, options);
    const findings: Finding[] = all.workflows.map(({ workflow_id, run_id, since, tries }) => {
      const tried = tries === null ? '' : `, and its task was tried ${tries} times`;
      const detail = `${workflow_id} (run ${run_id}) is set aside since ${since}${tried}`;
      return { name, ok: false, detail, advice: SET_ASIDE_ADVICE };
    });
    if (all.more)
      findings.push({ name, ok: false, detail: 'there may be more that are set aside' });
    return findings.length > 0 ? findings : [{ name, ok: true, detail: 'none is set aside' }];
  } catch (error) {
    return [failed(name, error)];
  }
}

/** The key, and what needs one to be seen. */
async function keyFindings(terminal: Terminal, settings: Settings): Promise<readonly Finding[]> {
  const { interrupted } = terminal.shell;
  const options = { signal: interrupted };
  const api = apiOf(settings, terminal, { interrupted });
  const findings: Finding[] = [];
  try {
    const me = await api.operator.me(options);
    findings.push({ name: 'key', ok: true, detail: identityLine(me) });
    findings.push(...(await channelFindings(api, me)), ...(await setAsideFindings(api, me)));
  } catch (error) {
    findings.push(failed('key', error, KEY_ADVICE));
  }
  try {
    const { info } = await api.connection.read<{ info: { version: string } }>(
      '/openapi.json',
      {},
      options,
    );
    const isSame = info.version === VERSION;
    const detail = isSame ? VERSION : `${info.version}, and this command is ${VERSION}`;
    const advice = 'Install the version of the service.';
    findings.push({ name: 'version', ok: isSame, detail, ...(!isSame && { advice }) });
  } catch (error) {
    findings.push(failed('version', error));
  }
  return findings;
}

async function examine(terminal: Terminal): Promise<readonly Finding[]> {
  const { env } = terminal.shell;
  let settings: Settings;
  try {
    settings = await settingsOf(env);
  } catch (error) {
    const settingsFailed = failed('settings', error);
    try {
      const url = addressOf(env['HOLDPOINT_URL'] || USUAL_URL);
      return [settingsFailed, ...(await serviceFindings(terminal, url))];
    } catch {
      // What is no address is what is wrong with the settings, and cannot be asked.
      return [settingsFailed];
    }
  }
  const own = await settingsFinding(terminal, settings);
  const service = await serviceFindings(terminal, settings.url);
  const isReached = service.some(({ name, ok }) => name === 'address' && ok);
  return [own, ...service, ...(isReached ? await keyFindings(terminal, settings) : [])];
}

async function doctor(terminal: Terminal, isJson: boolean): Promise<ExitCode> {
  const checks = await examine(terminal);
  terminal.shell.interrupted.throwIfAborted();
  const ok = checks.every((check) => check.ok);
  if (isJson) {
    terminal.json({ ok, checks });
    return ok ? EXIT.done : EXIT.no;
  }
  for (const check of checks) {
    terminal.out(`${check.ok ? 'ok ' : 'BAD'}  ${check.name.padEnd(9)} ${check.detail}`);
    if (check.advice !== undefined) terminal.out(`               ${check.advice}`);
  }
  terminal.note(ok ? 'Nothing to mend.' : 'Mend what is marked BAD, from the top.');
  return ok ? EXIT.done : EXIT.no;
}

export const addDoctor: AddCommand = (command, terminal, end) => {
  command
    .option('--json', 'print {"ok": …, "checks": […]}')
    .action(end((options: { json?: boolean }) => doctor(terminal, options.json === true)));
};
