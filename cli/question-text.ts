import type { InboxEntry, JsonObject, SuspensionView } from '../client/index.js';
import { endedByDeadline, fallbackCounts } from '../contracts/constants/fallback.js';
import { visible, visibleJson } from '../contracts/constants/visible-text.js';
import { contextParts, editedSince } from '../domain/suspension/context-beside.js';
import { isDangerous } from '../domain/suspension/once-more.js';
import { shortId } from './ids.js';
import type { Column } from './table.js';
import { oneLine, shownValue, spanOf } from './text.js';

type Now = number;

/** The time that is left, as it is listed. */
export function timeLeft({ record }: Pick<InboxEntry, 'record'>, now: Now): string {
  const { expires_at } = record;
  if (expires_at === undefined) return '-';
  const ms = Date.parse(expires_at) - now;
  return ms <= 0 ? 'over' : spanOf(ms);
}

/** What is asked for, and how many have agreed where several have to. */
export function kindOf({
  record,
  approvals,
  required,
}: Pick<InboxEntry, 'record' | 'approvals' | 'required'>): string {
  const kind = record.approval === undefined ? record.response_type : 'approval';
  return required > 1 ? `${kind} ${approvals} of ${required}` : kind;
}

/** Who asks, and for whom. */
export function askerOf({ record, asked_by }: Pick<InboxEntry, 'record' | 'asked_by'>): string {
  const { on_behalf_of } = record;
  return oneLine(on_behalf_of === undefined ? asked_by : `${asked_by} for ${on_behalf_of}`);
}

/** Who looks after a question, and for how long yet; empty if nobody does. */
export function claimOf({ claim }: Pick<InboxEntry, 'claim'>, now: Now): string {
  return claim === null
    ? ''
    : ` by ${claim.holder}, for ${spanOf(Date.parse(claim.expires_at) - now)}`;
}

/** The columns of the inbox. */
export function openColumns(
  now: Now,
  id: (whole: string) => string,
): readonly Column<InboxEntry>[] {
  return [
    { head: 'ID', cell: (entry) => id(entry.id) },
    { head: 'LEFT', cell: (entry) => timeLeft(entry, now) },
    { head: 'QUESTION', cell: ({ record }) => record.question, isFlexible: true },
    { head: 'KIND', cell: kindOf },
    { head: 'ASKED BY', cell: askerOf },
    { head: 'HOLDER', cell: ({ claim }) => claim?.holder ?? '-' },
    { head: 'ATTEMPT', cell: ({ attempt, max_attempts }) => `${attempt} of ${max_attempts}` },
    { head: 'BLOCKS', cell: ({ blocks }) => String(blocks) },
  ];
}

/** How a settled question ended, in a few words. */
export function outcomeOf({ record }: Pick<InboxEntry, 'record'>): string {
  const { resolution, response, fallback_value } = record;
  if (resolution === 'responded') return shownValue(response);
  if (resolution === 'cancelled') return 'withdrawn';
  if (endedByDeadline(record)) return 'past the deadline of its portfolio';
  return fallbackCounts(record) && fallback_value !== undefined
    ? `nobody answered: ${shownValue(fallback_value)}`
    : 'nobody answered';
}

/** Who answered or withdrew it; of one that nobody did, what ended it, such as the clock. */
function enderOf({ record }: Pick<InboxEntry, 'record'>): string {
  return record.responded_by ?? record.submitted_by ?? record.settled_by ?? 'nobody';
}

/** The columns of settled questions. */
export function settledColumns(
  now: Now,
  id: (whole: string) => string,
): readonly Column<InboxEntry>[] {
  return [
    { head: 'ID', cell: (entry) => id(entry.id) },
    {
      head: 'ENDED',
      cell: ({ record }) =>
        record.settled_at === undefined ? '' : `${spanOf(now - Date.parse(record.settled_at))} ago`,
    },
    { head: 'QUESTION', cell: ({ record }) => record.question, isFlexible: true },
    { head: 'OUTCOME', cell: outcomeOf },
    { head: 'BY', cell: enderOf },
  ];
}

function indented(text: string): readonly string[] {
  return visible(text)
    .split('\n')
    .map((line) => `  ${line}`);
}

function json(value: unknown): readonly string[] {
  return indented(visibleJson(JSON.stringify(value, null, 2)));
}

function choicesOf({ record }: SuspensionView): readonly string[] {
  const { choices, response_type, response_schema } = record;
  if (choices !== undefined && choices.length > 0) {
    const lines = choices.map((choice) => {
      const { value, label, description } = choice;
      const more = description === undefined ? '' : `: ${description}`;
      const rest = `${label}${more}${isDangerous(choice) ? ' (dangerous)' : ''}`;
      return `  ${oneLine(value)}  ${oneLine(rest)}`;
    });
    return ['Choices:', ...lines];
  }
  if (response_schema !== undefined && response_type === 'form') {
    return ['Form:', ...json(response_schema)];
  }
  return [];
}

/** The context as a person needs it: a form is not shown by the command line, so what describes it stays. */
function contextOf(record: SuspensionView['record']): JsonObject {
  return record.approval ? contextParts(record).beside : (record.context ?? {});
}

function titled(title: string, object: JsonObject): readonly string[] {
  return Object.keys(object).length === 0 ? [] : [title, ...json(object)];
}

/** The arguments as they were asked about, where what is approved now is not what the question says. */
function editedOf({ record }: SuspensionView): readonly string[] {
  const edited = editedSince(record);
  return edited ? titled('Edited since it was asked; before:', edited.before) : [];
}

function approvalOf({ record: { approval, context } }: SuspensionView): readonly string[] {
  if (approval === undefined) return [];
  const { proposal, proposal_hash, reason } = approval;
  const silence = context?.['timeout_outcome'];
  return [
    `Proposal, version ${proposal.version}, risk ${proposal.risk_class}:`,
    ...proposal.calls.flatMap(({ id, tool, arguments: args }) => [
      `  ${oneLine(id)} ${oneLine(tool)}`,
      ...json(args).map((line) => `  ${line}`),
    ]),
    ...titled('What belongs to it:', proposal.visible_context),
    ...(reason === undefined ? [] : [`Why it is gated: ${oneLine(reason)}`]),
    ...(typeof silence === 'string' ? [`If nobody answers in time: ${silence}`] : []),
    `Hash: ${proposal_hash}`,
  ];
}

/** What people have done to it besides answering. */
function attendedOf({ claim, delegations, comments }: SuspensionView, now: Now) {
  return [
    ...(claim === null ? [] : [`Claimed${claimOf({ claim }, now)}`]),
    ...delegations.map(
      ({ by, to, reason, in_force }) =>
        `Passed on by ${by} to ${to}: ${shownValue(reason)}${in_force ? '' : ' (no longer)'}`,
    ),
    ...(comments.length === 0 ? [] : ['Comments:']),
    ...comments.flatMap(({ principal, text }) => indented(`${principal}: ${text}`)),
  ];
}

/** What came with an answer in words. */
function noteOf({ actor, comment }: SuspensionView['votes'][number]): readonly string[] {
  return comment === undefined ? [] : [`Note of ${oneLine(actor)}:`, ...indented(comment)];
}

function progressOf(view: SuspensionView, now: Now): readonly string[] {
  const { record, attempt, max_attempts, next_attempt_at, votes, required } = view;
  if (view.state === 'settled') {
    return [
      `Ended: ${outcomeOf(view)}, by ${enderOf(view)}, ${record.settled_at ?? ''}`,
      ...votes.flatMap(noteOf),
      ...editedOf(view),
    ];
  }
  const next =
    next_attempt_at === null ? '' : `, the next in ${spanOf(Date.parse(next_attempt_at) - now)}`;
  return [
    `Time left: ${timeLeft(view, now)}`,
    `Attempt: ${attempt} of ${max_attempts}${next}`,
    ...(required > 1 ? [`Votes: ${view.approvals} of ${required}`] : []),
    ...votes.flatMap((vote) => [`  ${vote.principal}: ${shownValue(vote.value)}`, ...noteOf(vote)]),
  ];
}

/** A question as `show` prints it, and before somebody decides about it. */
export function questionLines(view: SuspensionView, now: Now): readonly string[] {
  const { record } = view;
  return [
    ...indented(record.question).map((line) => line.slice(2)),
    '',
    `Id: ${view.id}`,
    `Asked by: ${askerOf(view)}`,
    `Kind: ${kindOf(view)}`,
    ...progressOf(view, now),
    ...(view.warnings ?? []).map((warning) => `Unusual: ${shownValue(warning)}`),
    ...attendedOf(view, now),
    ...choicesOf(view),
    ...approvalOf(view),
    ...titled('Context:', contextOf(record)),
  ];
}

/** A question in one line, with the beginning of its id. */
export function questionLine({ id, record }: Pick<InboxEntry, 'id' | 'record'>): string {
  return `${shortId(id)} ${shownValue(record.question)}`;
}
