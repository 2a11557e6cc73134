import { VERSION } from '../../contracts/constants/version.js';
import { readReadiness } from '../../client/readiness.js';
import type { Readiness } from '../../client/readiness.js';
import type { AddCommand } from '../command.js';
import { EXIT } from '../exit-codes.js';
import type { ExitCode } from '../exit-codes.js';
import { isOpenToOthers, loginFile } from '../login-file.js';
import { USUAL_URL, addressOf, apiOf, settingsOf } from '../session.js';
import type { Settings } from '../session.js';
import type { Terminal } from '../shell.js';
import { spanOf } from '../text.js';
import { channelFindings } from './doctor-channels.js';
import { failed } from './doctor-finding.js';
import type { Finding } from './doctor-finding.js';
import { setAsideFindings, unattendedFindings } from './doctor-workflows.js';
import { identityLine } from './login.js';
import { defined } from '../../contracts/constants/defined.js';
import { COMMAND } from '../own-name.js';

/** Deadlines are shown in whole seconds, and so is the time of the reply. */
const MOST_CLOCK_MS = 5_000;

/** What to do about a missing dependency. */
const ADVICE: Readonly<Record<string, string>> = {
  api: 'It is about to stop: wait until it is back, or look at what stops it.',
  temporal: 'Look whether Temporal runs where TEMPORAL_ADDRESS of the service says.',
  worker: `Start one with \`${COMMAND} worker\`. If one runs, look at its log, and at \`${COMMAND} activate\`.`,
  store: `Look whether PostgreSQL runs where DATABASE_URL of the service says, and run \`${COMMAND} migrate\`.`,
};

const KEY_ADVICE = `Sign in with \`${COMMAND} login\`, or set HOLDPOINT_API_KEY to a key that the service has.`;

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
    return { name, ok, detail, ...defined({ advice }) };
  });
}

/** Checks what the service reports without a key. */
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
    const advice = `Start it with \`${COMMAND} start\`, or give the right address to \`${COMMAND} login\` or HOLDPOINT_URL.`;
    return [failed('address', error, advice)];
  }
}

/** Checks the key, and what needs one. */
async function keyFindings(terminal: Terminal, settings: Settings): Promise<readonly Finding[]> {
  const { interrupted } = terminal.shell;
  const options = { signal: interrupted };
  const api = apiOf(settings, terminal, { interrupted });
  const findings: Finding[] = [];
  try {
    const me = await api.operator.me(options);
    findings.push({ name: 'key', ok: true, detail: identityLine(me) });
    findings.push(
      ...(await channelFindings(api, me)),
      ...(await setAsideFindings(api, me)),
      ...(await unattendedFindings(api, me)),
    );
  } catch (error) {
    findings.push(failed('key', error, KEY_ADVICE));
  }
  try {
    type Document = { readonly info: { readonly version: string } };
    const { info } = await api.connection.read<Document>('/openapi.json', {}, options);
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
    settings = await settingsOf(terminal.shell, 'admin');
  } catch (error) {
    const settingsFailed = failed('settings', error);
    try {
      const url = addressOf(env['HOLDPOINT_URL'] || USUAL_URL);
      return [settingsFailed, ...(await serviceFindings(terminal, url))];
    } catch {
      // The address itself is wrong, so the service cannot be asked.
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
