import { sql } from 'kysely';
import type { Store } from '../../store/schema.js';

const ID = 'kept: an id that the server or its caller made; it names no person';
const TIME = 'kept: when something happened, which the log proves';
const NUMBER = 'kept: a number that orders or counts';
const KIND = 'kept: one of a few words';
const PRINCIPAL = 'kept: who acted, which the log proves';
const HASH = 'kept: a hash over a salted commitment, which says nothing of the payload';
const RULES = 'kept: who may do what';
const OTHERS = 'kept: of another subject than one intent';
const OWN = 'kept: a list of one person, who sees it alone and deletes it';
const SPACE = 'kept: a name from the configuration';
const WORK = 'kept: tasks and plans are records of their own, with workflows of their own';

/**
 * The columns of each table, by what becomes of them when the personal data of an intent is erased: `erased`, or why
 * they are kept. A test fails for a column that is not listed here.
 */
export const FATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  agents: { [SPACE]: 'space', [OTHERS]: 'agent_id record bytes' },
  approvals: {
    [SPACE]: 'space',
    [ID]: 'id run_id intent_id suspension_id',
    [NUMBER]: 'revision',
    [PRINCIPAL]: 'asked_by on_behalf_of',
    [KIND]: 'status risk_class checkpoint',
    [TIME]: 'created_at resolved_at ended_at',
    erased: 'proposed record bytes',
  },
  channel_checks: { [OTHERS]: 'channel worker at outcome reason' },
  looks: { [KIND]: 'work', [TIME]: 'at' },
  runs_set_aside: { [ID]: 'run_id workflow_id', [TIME]: 'since' },
  checkpoint_leaves: {
    [KIND]: 'kind removed',
    [ID]: 'id',
    [NUMBER]: 'checkpoint sequence',
    [HASH]: 'head_hash',
  },
  checkpoints: {
    [NUMBER]: 'number tree_size',
    [TIME]: 'signed_at filed_at posted_at',
    [HASH]: 'root_hash previous_hash',
    'kept: a public key of the installation': 'public_key',
    'kept: a signature over a hash': 'signature',
  },
  coordinators: {
    [SPACE]: 'space',
    [ID]: 'id intent_id portfolio_id',
    [NUMBER]: 'version bytes',
    [TIME]: 'granted_at',
    'kept: the lease of an agent': 'record',
    'kept: the hash of a request whose record is kept': 'creation_hash',
  },
  deliveries: {
    [SPACE]: 'space channel',
    [ID]: 'delivery_id',
    erased: 'reference',
    [TIME]: 'delivered_at follow_at',
    'kept: who was told, as the delivery id says': 'person',
    [NUMBER]: 'shows follow_tries news',
    [KIND]: 'due',
  },
  delivery_tries: {
    [SPACE]: 'space channel',
    [ID]: 'delivery_id',
    [TIME]: 'at',
    [NUMBER]: 'try_number status_code duration_ms',
    [KIND]: 'outcome',
  },
  dependencies: { [ID]: 'intent_id dependency_id', [NUMBER]: 'revision', [KIND]: 'present' },
  erasures: {
    [KIND]: 'kind',
    [ID]: 'id',
    [TIME]: 'erased_at',
    [PRINCIPAL]: 'erased_by',
    [NUMBER]: 'through_sequence event_sequence',
  },
  events: {
    [SPACE]: 'space',
    [ID]: 'intent_id',
    [NUMBER]: 'sequence feed_position',
    [HASH]: 'id payload_commitment previous_event_hash event_hash',
    'kept: its hash covers it; a client must not put data into the name of a type': 'event_type',
    [PRINCIPAL]: 'actor principal',
    [KIND]: 'claimed',
    erased: 'payload payload_salt bytes',
    [TIME]: 'created_at',
    'kept: its hash covers it; an id of a tracing system': 'trace_id',
    'kept: its hash covers it; an id of an event': 'parent_event_id',
  },
  feed_members: { [KIND]: 'kind', [PRINCIPAL]: 'audience', [ID]: 'intent_id' },
  intents: {
    [SPACE]: 'space',
    [ID]: 'id parent_id',
    [NUMBER]: 'version last_sequence',
    [KIND]: 'status',
    erased: 'title record bytes creation_hash summary summary_bytes',
    [PRINCIPAL]: 'created_by owner',
    [TIME]: 'created_at updated_at',
    [HASH]: 'head_hash',
    [RULES]: 'access',
  },
  journal_quarantine: {
    [SPACE]: 'space',
    erased: 'id content',
    [KIND]: 'kind reason',
    [ID]: 'intent_id suspension_id approval_id',
    [NUMBER]: 'sequence',
    [TIME]: 'refused_at',
  },
  key_principals: { [SPACE]: 'space', [OTHERS]: 'principal signs_in_by answers groups' },
  plans: {
    [SPACE]: 'space',
    [ID]: 'id intent_id',
    [KIND]: 'state',
    [NUMBER]: 'revision',
    [TIME]: 'created_at',
    [WORK]: 'record bytes summary summary_bytes creation_hash',
  },
  portfolio_memberships: {
    [ID]: 'portfolio_id intent_id',
    [NUMBER]: 'revision',
    'kept: when an intent joined, and in which role': 'membership',
  },
  portfolios: {
    [SPACE]: 'space',
    [OTHERS]:
      'id version status created_by created_at last_sequence head_hash record bytes summary summary_bytes creation_hash',
  },
  principal_sights: {
    [SPACE]: 'space',
    [OTHERS]: 'principal signs_in_by digest sight until noted_at',
  },
  question_facts: {
    [SPACE]: 'space',
    [ID]: 'suspension_id',
    [TIME]: 'asked_at settled_at claimed_at viewed_at until_viewed until_claimed until_answered',
    [PRINCIPAL]: 'asked_by',
    erased: 'tools channels denied as_expected',
    [RULES]: 'groups',
    [KIND]: 'resolution edited',
  },
  push_news: { [ID]: 'suspension_id', [SPACE]: 'space', [TIME]: 'at' },
  push_subscriptions: {
    [ID]: 'session_id',
    [SPACE]: 'space',
    [OTHERS]: 'caller endpoint p256dh auth',
    'kept: a public key of the installation': 'public_key',
    [KIND]: 'shows_words',
    [TIME]: 'noted_at send_at',
    [NUMBER]: 'tries',
  },
  pushes: { [ID]: 'session_id suspension_id', [NUMBER]: 'mark', [KIND]: 'due' },
  quiet_hours: { [SPACE]: 'space', [OTHERS]: 'principal hours' },
  retention_tombstones: {
    [KIND]: 'kind reason swept',
    [ID]: 'id',
    [NUMBER]: 'last_sequence',
    [HASH]: 'head_hash',
    [TIME]: 'marked_at removed_at',
  },
  run_events: {
    [SPACE]: 'space',
    [ID]: 'run_id key',
    [NUMBER]: 'sequence feed_position',
    [HASH]: 'id payload_commitment previous_event_hash event_hash',
    [KIND]: 'event_type',
    [PRINCIPAL]: 'actor principal asked_as',
    erased: 'payload payload_salt bytes',
    [TIME]: 'created_at',
  },
  runs: {
    [SPACE]: 'space',
    [ID]: 'run_id',
    [NUMBER]: 'last_sequence removed_through',
    [HASH]: 'head_hash removed_hash',
    [TIME]: 'last_at',
    [KIND]: 'kept',
  },
  saved_views: { [SPACE]: 'space', [OWN]: 'principal name filter', [ID]: 'id', [TIME]: 'saved_at' },
  sessions: {
    [ID]: 'id',
    [SPACE]: 'space',
    [OTHERS]: 'principal proof',
    [TIME]: 'started_at seen_at expires_at ended_at',
  },
  sign_in_links: { [ID]: 'id', [OTHERS]: 'key_digest', [TIME]: 'expires_at used_at' },
  snapshots: { [SPACE]: 'space', erased: 'hash run_id turn_index saved_at snapshot' },
  subscriptions: {
    [SPACE]: 'space',
    [OTHERS]: 'id',
    [ID]: 'intent_id portfolio_id',
    [PRINCIPAL]: 'created_by',
    [TIME]: 'created_at',
    [KIND]: 'active',
    'kept: the address of a receiver, which its maker deletes': 'record',
    [NUMBER]: 'bytes',
    'kept: the hash of a request whose record is kept': 'creation_hash',
  },
  suspension_timeline: {
    [SPACE]: 'space',
    [ID]: 'suspension_id',
    [NUMBER]: 'sequence',
    [TIME]: 'at',
    [KIND]: 'kind',
    erased: 'detail payload_salt',
    [HASH]: 'payload_commitment previous_event_hash event_hash',
  },
  snoozes: {
    [SPACE]: 'space',
    'kept: whose list it is; the row ends when its time is over': 'principal',
    [ID]: 'suspension_id',
    [TIME]: 'ends_at snoozed_at',
    [NUMBER]: 'attempt question_version',
  },
  suspensions: {
    [SPACE]: 'space',
    [ID]: 'id intent_id waiting_workflow',
    [PRINCIPAL]: 'asked_by asked_as answered_by',
    erased:
      'question channel_hint schedule record answer_body_hash asked_channels asked_recipients searched grams bytes request_hash votes claim delegates delegate_groups closed_to risk answer_keys',
    [KIND]: 'response_type state resolution change pause_reason',
    [TIME]: 'suspended_at expires_at next_attempt_at settled_at',
    [NUMBER]: 'progress_revision attempt max_attempts settled_revision comment_count feed_position',
    'kept: a hash of principal, question and Idempotency-Key, without the answer': 'answer_key',
    'kept: a name that its caller chose; it finds the outcome again': 'request_key',
    [RULES]: 'eligibility eligible',
  },
  tasks: {
    [SPACE]: 'space',
    [ID]: 'id intent_id plan_id',
    [KIND]: 'status',
    [NUMBER]: 'revision',
    [TIME]: 'created_at',
    [WORK]: 'record bytes summary summary_bytes creation_hash',
  },
};

/** All that the store has, as a line for each row, by its table. */
export async function everythingIn(db: Store): Promise<readonly (readonly [string, string])[]> {
  const lines: (readonly [string, string])[] = [];
  for (const table of Object.keys(FATES)) {
    const { rows } = await sql<{ text: string }>`
      select to_jsonb(it)::text as text from ${sql.table(table)} it order by text`.execute(db);
    lines.push(...rows.map(({ text }) => [table, text] as const));
  }
  return lines;
}

/** The tables that have something with a text in it. */
export async function tablesWith(db: Store, text: string): Promise<readonly string[]> {
  const found = (await everythingIn(db)).filter(([, line]) => line.includes(text));
  return [...new Set(found.map(([table]) => table))];
}
