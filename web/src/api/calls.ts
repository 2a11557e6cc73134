import type { LinkAnswered, LinkView } from '../../../contracts/channel/links.js';
import type { Me, SessionView } from '../../../contracts/people/session.js';
import type { PushState, QuietHours, StartPush } from '../../../contracts/people/noticing.js';
import type { Candidates, DelegationTarget } from '../../../contracts/suspension/verbs.js';
import type { SavedView, Snooze } from '../../../contracts/suspension/personal.js';
import type { EngagementReport } from '../../../contracts/suspension/engagement.js';
import type { SettledRecord } from '../../../contracts/suspension/suspension.js';
import type {
  Blocked,
  BulkAnswers,
  InboxCounts,
  InboxPage,
  RespondResult,
} from '../../../contracts/suspension/view.js';
import { end, keepCsrf, post, put, read } from './http.js';
import type { Answer, BulkAnswer, Question, Sendable } from './types.js';

const SUSPENSIONS = '/v1/suspensions';
const VIEWS = '/v1/me/views';
const ENGAGEMENT = '/v1/metrics/engagement';
const PAGE_SIZE = 100;

/** Parameters of a list; undefined ones are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

function queryOf(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return new URLSearchParams(given).toString();
}

function at(id: string): string {
  return `${SUSPENSIONS}/${encodeURIComponent(id)}`;
}

export const api = {
  methods: (signal?: AbortSignal) =>
    read<{ readonly key: boolean; readonly oidc: boolean }>('/session/methods', signal),
  session: async (signal?: AbortSignal) => begun(await read<SessionView>('/session', signal)),
  signIn: async (proof: { readonly key: string } | { readonly link: string }) =>
    begun((await post<SessionView>('/session', proof)).body),
  async signOut() {
    await end('/session');
    keepCsrf('');
  },
  me: (signal?: AbortSignal) => read<Me>('/v1/me', signal),
  push: (signal?: AbortSignal) => read<PushState>('/v1/me/push', signal),
  startPush: (browser: Omit<StartPush, 'keys'> & { readonly keys?: unknown }) =>
    put<PushState>('/v1/me/push', browser),
  endPush: () => end('/v1/me/push'),
  quietHours: async (signal?: AbortSignal) =>
    (await read<{ readonly quiet_hours: QuietHours | null }>('/v1/me/quiet-hours', signal))
      .quiet_hours,
  setQuietHours: (hours: QuietHours) => put<unknown>('/v1/me/quiet-hours', hours),
  endQuietHours: () => end('/v1/me/quiet-hours'),

  list: (query: Query, signal?: AbortSignal) =>
    read<InboxPage>(`${SUSPENSIONS}?${queryOf({ limit: String(PAGE_SIZE), ...query })}`, signal),
  engagement: (query: Query, signal?: AbortSignal) =>
    read<EngagementReport>(`${ENGAGEMENT}?${queryOf(query)}`, signal),
  /** Returns the address of the same report as a table, which the browser saves. */
  engagementTable: (query: Query) => `${ENGAGEMENT}.csv?${queryOf(query)}`,
  counts: (query: Query, signal?: AbortSignal) =>
    read<InboxCounts>(`${SUSPENSIONS}/counts?${queryOf(query)}`, signal),
  question: (id: string, signal?: AbortSignal) => read<Question>(at(id), signal),
  blocks: async (id: string, signal?: AbortSignal) =>
    (await read<{ readonly blocks: readonly Blocked[] }>(`${at(id)}/blocks`, signal)).blocks,

  /**
   * With the same key, a repeat after a lost reply is harmless.
   * @param isLast - whether the request has to outlive the page
   */
  respond: (id: string, answer: Answer, key: string, isLast: boolean) =>
    post<RespondResult>(`${at(id)}/respond`, answer, key, isLast),
  respondToAll: async (answer: BulkAnswer, key: string, isLast: boolean) =>
    (await post<BulkAnswers>(`${SUSPENSIONS}/respond`, answer, key, isLast)).body.results,
  claim: (id: string, question_version: number) =>
    post<Question>(`${at(id)}/claim`, { question_version }),
  /** Names what it ends, so that a repeat after a lost reply does not end the other one too. */
  release: (id: string, what: 'claim' | 'delegation') =>
    post<Question>(`${at(id)}/release`, { what }),
  delegate: (id: string, target: DelegationTarget, reason: string) =>
    post<Question>(`${at(id)}/delegate`, { ...target, reason }),
  snoozes: async (signal?: AbortSignal) =>
    (await read<{ readonly snoozes: readonly Snooze[] }>('/v1/snoozes', signal)).snoozes,
  /** `until` is an instant, or `next_reminder`. */
  snooze: (id: string, until: string) => post<Snooze>(`${at(id)}/snooze`, { until }),
  endSnooze: (id: string) => end(`${at(id)}/snooze`),
  savedViews: async (signal?: AbortSignal) =>
    (await read<{ readonly views: readonly SavedView[] }>(VIEWS, signal)).views,
  saveView: (id: string, view: { readonly name: string; readonly filter: Query }) =>
    put<SavedView>(`${VIEWS}/${id}`, view),
  deleteView: (id: string) => end(`${VIEWS}/${id}`),
  /** Returns the people and groups whose names begin with the text, to whom the question may be delegated. */
  candidates: (id: string, text: string, signal?: AbortSignal) =>
    read<Candidates>(`${at(id)}/candidates?${queryOf({ text })}`, signal),
  comment: (id: string, text: string) => post<Question>(`${at(id)}/comments`, { text }),
  withdraw: (id: string, reason: string) =>
    post<SettledRecord>(`${at(id)}/cancel`, reason === '' ? {} : { reason }),
  askSample: () => post<Question>(SUSPENSIONS, SAMPLE),

  /** Reads the question of a link. The token goes into the body, so that it is in no log and no referrer. */
  readLink: async (token: string) => (await post<LinkView>('/v1/links/read', { token })).body,
  /** Answers by a link, once. Resolves to undefined if the answer was handed over and not judged yet. */
  async answerByLink(token: string, answer: Sendable) {
    const body = { token, ...answer, metadata: { via: 'link' } };
    const reply = await post<LinkAnswered>('/v1/links/answer', body);
    return reply.status === 202 ? undefined : reply.body;
  },
} as const;

function begun(session: SessionView): SessionView {
  keepCsrf(session.csrf);
  return session;
}

/** The question that the button of an empty inbox asks. */
const SAMPLE = {
  question: 'Is this the inbox that you expected?',
  response_type: 'choice',
  choices: [
    { value: 'yes', label: 'Yes, it works', style: 'primary' },
    { value: 'no', label: 'No, something is missing' },
  ],
  context: { note: 'A sample, asked from the inbox. No agent waits for its answer.' },
  timeout_seconds: 3_600,
};
