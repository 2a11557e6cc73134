import type { InboxCounts, RespondResult } from '../../../contracts/suspension-view.js';
import type { SettledRecord } from '../../../contracts/suspension.js';
import { read, send, keepCsrf } from './http.js';
import type {
  Answer,
  Blocked,
  BulkAnswer,
  BulkResult,
  Me,
  Page,
  Question,
  Session,
} from './types.js';

const SUSPENSIONS = '/v1/suspensions';
const PAGE_SIZE = 100;

/** Parameters of a list; those that are undefined are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

function queryOf(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return new URLSearchParams(given).toString();
}

function at(id: string): string {
  return `${SUSPENSIONS}/${encodeURIComponent(id)}`;
}

/** How somebody can sign in here. */
export interface Methods {
  readonly key: boolean;
  readonly oidc: boolean;
}

/** Reads of the session and of the questions, and everything that the page can do to one. */
export const api = {
  methods: (signal?: AbortSignal) => read<Methods>('/session/methods', signal),
  session: async (signal?: AbortSignal) => begun(await read<Session>('/session', signal)),
  signIn: async (proof: { readonly key: string } | { readonly link: string }) =>
    begun((await send<Session>('POST', '/session', proof)).body),
  async signOut() {
    await send('DELETE', '/session', undefined);
    keepCsrf('');
  },
  me: (signal?: AbortSignal) => read<Me>('/v1/me', signal),

  list: (query: Query, signal?: AbortSignal) =>
    read<Page>(`${SUSPENSIONS}?${queryOf({ limit: String(PAGE_SIZE), ...query })}`, signal),
  counts: (query: Query, signal?: AbortSignal) =>
    read<InboxCounts>(`${SUSPENSIONS}/counts?${queryOf(query)}`, signal),
  question: (id: string, signal?: AbortSignal) => read<Question>(at(id), signal),
  blocks: async (id: string, signal?: AbortSignal) =>
    (await read<{ readonly blocks: readonly Blocked[] }>(`${at(id)}/blocks`, signal)).blocks,

  /** The same key makes a repeat harmless, where the first reply was lost. */
  respond: (id: string, answer: Answer, key: string) =>
    send<RespondResult>('POST', `${at(id)}/respond`, answer, {
      headers: { 'Idempotency-Key': key },
    }),
  respondToAll: async (body: BulkAnswer, key: string) =>
    (
      await send<{ readonly results: readonly BulkResult[] }>(
        'POST',
        `${SUSPENSIONS}/respond`,
        body,
        { headers: { 'Idempotency-Key': key } },
      )
    ).body.results,
  claim: (id: string, question_version: number) =>
    send<Question>('POST', `${at(id)}/claim`, { question_version }),
  /** A repeat, where the first reply was lost, does not end the other. */
  release: (id: string, what: 'claim' | 'delegation') =>
    send<Question>('POST', `${at(id)}/release`, { what }),
  delegate: (id: string, to: string, reason: string) =>
    send<Question>('POST', `${at(id)}/delegate`, { to, reason }),
  comment: (id: string, text: string) => send<Question>('POST', `${at(id)}/comments`, { text }),
  withdraw: (id: string, reason: string) =>
    send<SettledRecord>('POST', `${at(id)}/cancel`, reason === '' ? {} : { reason }),
  askSample: () => send<Question>('POST', SUSPENSIONS, SAMPLE),
} as const;

function begun(session: Session): Session {
  keepCsrf(session.csrf);
  return session;
}

/** What the button of an empty inbox asks. */
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
