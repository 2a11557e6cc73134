import type { ChannelReport, ChannelReports } from '../../contracts/channel/report.js';
import type { Me } from '../../contracts/people/me.js';
import type { Api } from '../session.js';
import { failed } from './doctor-finding.js';
import type { Finding } from './doctor-finding.js';

const NETWORK_ADVICE = 'Look whether the worker may connect to the service of the channel.';
const ASKED_BY =
  'A worker asks when it starts and every few minutes: look whether one runs, and at its log.';

/** What to do about a failed try or check, where that is known. */
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

/** What a later good check means for a failed try, if it does not show that the next one will be delivered. */
const ASKED_SINCE: Readonly<Record<string, { readonly says: string; readonly advice: string }>> = {
  connection_failed: ANSWERS_SINCE,
  no_reply_in_time: ANSWERS_SINCE,
  slack_login_refused: {
    says: 'and its token counts now',
    advice:
      'Look whether the bot has its scopes and is in the conversation: the next message shows it.',
  },
};

/** Returns what to do about an outcome. */
function adviceOn(outcome: string): string {
  return OUTCOME_ADVICE[outcome] ?? 'Look at the log of the worker, and at the channel.';
}

/** A channel's service is ok if a worker has checked it lately with success. */
function checkFindings({ name, type, check }: ChannelReport): readonly Finding[] {
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

/** Whether a worker has checked the service of a channel with success since a try failed. */
function hasAnsweredSince({ at }: FailedTry, check: ChannelReport['check']): boolean {
  return check?.state === 'ok' && check.at !== null && check.at > at;
}

/** Whether a good check means that a try would no longer fail. A mail server may demand a login only for a mail (530). */
function isMendedByAnswer({ outcome, status_code }: FailedTry): boolean {
  return outcome === 'mail_login_refused' && status_code !== 530;
}

/** A channel is ok if its newest try was delivered, or the cause of the failure is gone. */
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

/** Checks channels and unknown approvers, if the key may read them. */
export async function channelFindings(api: Api, { may }: Me): Promise<readonly Finding[]> {
  if (!may.includes('listChannels')) return [];
  try {
    const options = { signal: api.interrupted };
    const reports = await api.connection.read<ChannelReports>('/server/channels', {}, options);
    const { channels, unknown_approvers = [] } = reports;
    const unknown = { name: 'approvers', ok: false, advice: APPROVERS_ADVICE };
    return [
      ...channels.flatMap((report) => [triesFinding(report), ...checkFindings(report)]),
      ...unknown_approvers.map((detail) => ({ ...unknown, detail })),
    ];
  } catch (error) {
    return [failed('channel', error)];
  }
}
