import { pino } from 'pino';
import { createSlackInteractions } from '../../../api/slack/interactions.js';
import { serverConfigSchema } from '../../../contracts/server/config.js';
import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import type { ButtonContent } from '../../../contracts/channel/slack.js';
import type { SuspensionView } from '../../../contracts/suspension/view.js';
import { buttonTokens, linkMaker, type LinkKeys } from '../../../runtime/link-tokens.js';
import {
  BOT_TOKEN,
  SIGNING_SECRET,
  slackForm,
  slackHeaders,
  type FakeSlack,
} from '../../support/slack.js';
import { ManualClock, closed } from '../support/fakes.js';
import { createRig } from '../support/harness.js';
import { fakeParts } from '../support/parts.js';
import {
  answersOf,
  answersSent,
  diagnosing,
  type Questions,
  type Told,
} from '../support/questions.js';
import { SUSPENSION_ID, VIEW } from '../support/records.js';

const KEYS: LinkKeys = [new Uint8Array(32).fill(5)];
export const tokens = buttonTokens(KEYS);
export const HASH = 'ab'.repeat(32);

/** A question as it stands, with changes to its record. */
export function viewWith(
  record: Partial<SuspensionView['record']> = {},
  changes: Partial<SuspensionView> = {},
): SuspensionView {
  return { ...VIEW, ...changes, record: { ...VIEW.record, ...record } };
}

/** The token of a button in a message of the channel `chat`. */
export function buttonOf(content: Partial<ButtonContent> = {}): Promise<string> {
  const whole = { space: 'default', channel: 'chat', suspension_id: SUSPENSION_ID };
  return tokens.make({ ...whole, question_version: 1, ...content }, undefined);
}

/** The token of a link to the same question: sealed with the same key, of another kind. */
export async function linkToken(): Promise<string> {
  const link = { space: 'default', person: 'ana', suspension_id: SUSPENSION_ID };
  const url = await linkMaker(PUBLIC_URL, KEYS)({ ...link, question_version: 1 }, undefined);
  return url.split('#')[1] ?? '';
}

/** Of a second bot. */
export const TWIN_TOKEN = 'xoxb-2-twin';
const PUBLIC_URL = 'https://hold.example.com';

interface Settings {
  readonly approvals?: boolean;
  /** Null for none. */
  readonly public_url?: string | null;
  readonly patienceMs?: number;
  readonly limits?: object;
  /** The workspace of a second bot; that of the first one is T1. Without it there is one bot, and no workspace is named. */
  readonly twinTeam?: string;
}

/** An app with a channel to this fake, over questions that answer at once unless they are told otherwise. */
export function slackRig(
  slack: FakeSlack,
  questions: Pick<Questions, 'getSuspension' | 'respond'> = {},
  {
    approvals = true,
    public_url = PUBLIC_URL,
    patienceMs = 2_000,
    limits = {},
    twinTeam,
  }: Settings = {},
) {
  const chat = {
    type: 'slack',
    bot_token: BOT_TOKEN,
    api_url: slack.apiUrl,
    answers: { signing_secret: SIGNING_SECRET, approvals },
    ...(twinTeam !== undefined && { team: 'T1' }),
  };
  const other = { ...chat, answers: { signing_secret: 'cd'.repeat(16) } };
  const twin = { ...chat, bot_token: TWIN_TOKEN, team: twinTeam };
  const workspace = twinTeam === undefined || twinTeam === 'T1' ? '' : 'T1/';
  const config = {
    limits,
    directory: {
      people: {
        ana: { slack: `${workspace}U1` },
        kim: { slack: `${workspace}U3`, space: 'team-b' },
      },
      groups: { finance: ['ana'] },
    },
    notifications: {
      default_channel: 'chat',
      channels: { chat, other, ...(twinTeam !== undefined && { twin }) },
    },
  };
  const opened: string[] = [];
  const lines: string[] = [];
  const clock = new ManualClock();
  const told: Told = {};
  const { parts: faked, calls } = fakeParts({
    clock,
    config,
    temporal: { result: closed, describe: closed },
    answers: {
      record: () => viewWith(),
      ...answersOf({ respond: rigless, ...questions }, clock, told),
    },
  });
  const interactions = createSlackInteractions({
    partsOf: () => diagnosing(faked, told),
    config: serverConfigSchema.parse(config),
    tokens: {
      ...tokens,
      open(token) {
        opened.push(token);
        return tokens.open(token);
      },
    },
    makeLink: public_url === null ? undefined : linkMaker(public_url, KEYS),
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    patienceMs,
  });
  const rig = createRig({}, config, undefined, undefined, undefined, { slack: interactions });
  const post = async (body: string, headers: Record<string, string> = slackHeaders(body)) =>
    rig.send(undefined, 'post', '/slack/interactions').set(headers).send(body);
  const pressed = async (
    value: string,
    {
      user = 'U1',
      team_id,
      trigger_id = 't-1',
      container = {},
      response_url = slack.responseUrl,
    }: {
      user?: string;
      /** The workspace of the member, which Slack tells of each. */
      team_id?: string;
      trigger_id?: string;
      container?: object;
      response_url?: string;
    } = {},
  ) => {
    const action = { action_id: 'holdpoint:0', value };
    const payload = {
      type: 'block_actions',
      user: { id: user, team_id },
      trigger_id,
      response_url,
    };
    return post(slackForm({ ...payload, container, actions: [action] }));
  };
  return {
    ...rig,
    interactions,
    /** The answers that questions got. */
    get answers() {
      return answersSent({ sent: calls });
    },
    /** The tokens that were opened. */
    opened,
    /** What was logged beside the requests. */
    slackLogged: () => lines.join(''),
    post,
    /** Presses a button, as this member. */
    async press(...how: Parameters<typeof pressed>) {
      const reply = await pressed(...how);
      await interactions.idle();
      return reply;
    },
    /** The same without waiting until it is done. */
    pressed,
    /** Sends a form, as this member. */
    async submit(private_metadata: string, values: readonly JsonObject[], user = 'U1') {
      const state = {
        values: Object.fromEntries(values.map((value, i) => [`field-${i}`, { value }])),
      };
      const view = { id: 'V1', hash: 'h1', private_metadata, state };
      return post(slackForm({ type: 'view_submission', user: { id: user }, view }));
    },
  };
}

const rigless: NonNullable<Questions['respond']> = (caller, _intent, { value, suspension_id }) =>
  Promise.resolve({
    accepted: true,
    result: {
      intent_id: null,
      suspension_id,
      resolution: 'responded',
      value,
      choice_label: 'Yes',
      responded_by: caller.principal,
      responded_at: '2026-11-20T10:00:00.000Z',
    },
  });
