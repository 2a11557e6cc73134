import type { InboxEntry, JsonObject, SuspensionView } from '../client/index.js';
import type { EditedCall, ProposedCall } from '../contracts/approval/approval.js';
import { endedByDeadline, fallbackCounts } from '../contracts/constants/fallback.js';
import { visible, visibleName } from '../contracts/constants/visible-text.js';
import { contextParts } from '../domain/suspension/asking/context-beside.js';
import { editedSince, editsIn } from '../domain/suspension/telling/proposal-edits.js';
import { isDangerous } from '../domain/suspension/form/once-more.js';
import { shortId } from '../contracts/constants/names.js';
import { hanging, shownValue, spanOf, valueText, type Column } from './text.js';

type Now = number;
type Edits = readonly EditedCall[];

export function timeLeft({ record }: Pick<InboxEntry, 'record'>, now: Now): string {
  const { expires_at } = record;
  if (expires_at === undefined) return '-';
  const ms = Date.parse(expires_at) - now;
  return ms <= 0 ? 'over' : spanOf(ms);
}

type Counted = Pick<InboxEntry, 'record' | 'approvals' | 'required'>;

/** Returns the kind of answer, and the number of people who agree if several must. */
function kindOf({ record, approvals, required }: Counted): string {
  const kind = record.approval === undefined ? record.response_type : 'approval';
  return required > 1 ? `${kind} ${approvals} of ${required}` : kind;
}

function askerOf({ record, asked_by }: Pick<InboxEntry, 'record' | 'asked_by'>): string {
  const { on_behalf_of } = record;
  return on_behalf_of === undefined ? asked_by : `${asked_by} for ${on_behalf_of}`;
}

/** Returns the holder of a claim and its remaining time; empty without a claim. */
export function claimOf({ claim }: Pick<InboxEntry, 'claim'>, now: Now): string {
  return claim === null
    ? ''
    : ` by ${claim.holder}, for ${spanOf(Date.parse(claim.expires_at) - now)}`;
}

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
  ];
}

export function outcomeOf({ record }: Pick<InboxEntry, 'record'>): string {
  const { resolution, response, fallback_value } = record;
  if (resolution === 'responded') return shownValue(response);
  if (resolution === 'cancelled') return 'withdrawn';
  if (endedByDeadline(record)) return 'past the deadline of its portfolio';
  return fallbackCounts(record) && fallback_value !== undefined
    ? `nobody answered: ${shownValue(fallback_value)}`
    : 'nobody answered';
}

/** Returns the person who answered or withdrew a question, or another cause of its end, such as the clock. */
function enderOf({ record }: Pick<InboxEntry, 'record'>): string {
  return record.responded_by ?? record.submitted_by ?? record.settled_by ?? 'nobody';
}

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

/** Returns an entry that contains a text of somebody else. */
function entry(name: string, text: string, indent = ''): readonly string[] {
  return hanging(`${name}: ${text}`, indent);
}

/** Returns named texts and values for people. None of their lines looks like a separate entry. */
function entries(title: string, object: JsonObject): readonly string[] {
  const named = Object.entries(object);
  if (named.length === 0) return [];
  return [
    title,
    ...named.flatMap(([name, value]) => entry(visibleName(name), valueText(value), '  ')),
  ];
}

export function json(value: unknown, indent: string): readonly string[] {
  return valueText(value)
    .split('\n')
    .map((line) => `${indent}${line}`);
}

function choicesOf({ record }: SuspensionView): readonly string[] {
  const { choices, response_type, response_schema } = record;
  if (choices !== undefined && choices.length > 0) {
    const lines = choices.flatMap((choice) => {
      const { value, label, description } = choice;
      const more = description === undefined ? '' : `: ${description}`;
      const danger = isDangerous(choice) ? ' (dangerous)' : '';
      return hanging(`${visibleName(value)}  ${label}${more}${danger}`, '  ');
    });
    return ['Choices:', ...lines];
  }
  if (response_schema !== undefined && response_type === 'form') {
    return ['Form:', ...json(response_schema, '  ')];
  }
  return [];
}

/** Returns the context, with the description of a form, because the command line shows no form. */
function contextOf(record: SuspensionView['record']): JsonObject {
  if (record.approval === undefined) return record.context ?? {};
  const { beside, plumbing } = contextParts(record);
  return { ...beside, ...plumbing };
}

/** Returns the original arguments of each call whose approved ones differ from the question. */
function beforeOf({ record, timeline }: SuspensionView): readonly string[] {
  return editedSince(record, timeline).flatMap(({ call, position, before }) => {
    if (before === undefined) return [];
    if (position === undefined)
      return ['Edited since it was asked; before:', ...json(before, '  ')];
    return [
      ...hanging(`Edited since it was asked; ${call.id} ${call.tool} before:`),
      ...json(before, '  '),
    ];
  });
}

/** Returns the edits with their editors, and the notes with votes on the earlier version. */
function editsOf({ timeline }: SuspensionView): readonly string[] {
  return editsIn(timeline).flatMap(({ by, version, calls, notes }) => [
    ...hanging(`Edited by ${by}, to version ${version}:`),
    ...calls.flatMap(({ call_id, tool, before, after }) => [
      ...hanging(`${call_id} ${tool}`, '  '),
      ...(before === undefined ? [] : ['    before:', ...json(before, '      ')]),
      ...(after === undefined ? [] : ['    after:', ...json(after, '      ')]),
    ]),
    ...notes.flatMap(({ actor, comment }) =>
      entry(`Note of ${actor}, on what was there before`, comment, '  '),
    ),
  ]);
}

function callLines({ id, tool, arguments: args }: ProposedCall, edits: Edits): readonly string[] {
  const edited = edits.find(({ call_id }) => call_id === id)?.arguments;
  return [
    ...hanging(`${id} ${tool}`, '  '),
    ...json(edited ?? args, '    '),
    ...(edited === undefined ? [] : ['    Before your edit:', ...json(args, '      ')]),
  ];
}

function approvalOf(
  { record: { approval, context } }: SuspensionView,
  edits: Edits,
): readonly string[] {
  if (approval === undefined) return [];
  const { proposal, proposal_hash, reason } = approval;
  const silence = context?.['timeout_outcome'];
  const isEdited = edits.length > 0;
  return [
    `Proposal, version ${proposal.version}, risk ${proposal.risk_class}${isEdited ? ', with your edits' : ''}:`,
    ...proposal.calls.flatMap((call) => callLines(call, edits)),
    ...entries('What belongs to it:', proposal.visible_context),
    ...(reason === undefined ? [] : entry('Why it is gated', reason)),
    ...(typeof silence === 'string' ? entry('If nobody answers in time', silence) : []),
    `${isEdited ? 'Hash before your edits' : 'Hash'}: ${proposal_hash}`,
  ];
}

function attendedOf({ claim, delegations, comments }: SuspensionView, now: Now) {
  return [
    ...(claim === null ? [] : hanging(`Claimed${claimOf({ claim }, now)}`)),
    ...delegations.flatMap(({ by, to = '', to_group, reason, in_force }) => {
      const whom = to_group === undefined ? to : `the group ${to_group}`;
      return entry(`${in_force ? 'Passed on' : 'No longer passed on'} by ${by} to ${whom}`, reason);
    }),
    ...(comments.length === 0 ? [] : ['Comments:']),
    ...comments.flatMap(({ principal, text }) => entry(principal, text, '  ')),
  ];
}

function noteOf(
  { actor, comment }: SuspensionView['votes'][number],
  indent = '',
): readonly string[] {
  if (comment === undefined) return [];
  const lines = visible(comment).split('\n');
  return [...hanging(`Note of ${actor}:`, indent), ...lines.map((line) => `${indent}  ${line}`)];
}

/** Returns how a question ended, and by whom. A free text, or a form, has its own entry. */
function endOf(view: SuspensionView): readonly string[] {
  const { record } = view;
  const { resolution, response, fallback_value, reason, settled_at = '' } = record;
  const ended = (how: string) => hanging(`Ended: ${how}, by ${enderOf(view)}, ${settled_at}`);
  const isOffered = (value: unknown) =>
    record.response_type === 'confirm' || record.choices?.some((one) => one.value === value);
  const isFallback = resolution === 'expired' && fallbackCounts(record);
  if (resolution === 'responded' && !isOffered(response)) {
    return [...ended('answered'), ...entry('Answer', valueText(response))];
  }
  if (isFallback && fallback_value !== undefined && !isOffered(fallback_value)) {
    return [...ended('nobody answered'), ...entry('Fallback', valueText(fallback_value))];
  }
  const isSaid = resolution === 'cancelled' && reason !== undefined;
  return [...ended(outcomeOf(view)), ...(isSaid ? entry('Why', reason) : [])];
}

function progressOf(view: SuspensionView, now: Now): readonly string[] {
  const { attempt, max_attempts, next_attempt_at, votes, required } = view;
  if (view.state === 'settled') {
    const notes = votes.flatMap((vote) => noteOf(vote));
    return [...endOf(view), ...notes, ...editsOf(view), ...beforeOf(view)];
  }
  const next =
    next_attempt_at === null ? '' : `, the next in ${spanOf(Date.parse(next_attempt_at) - now)}`;
  return [
    `Time left: ${timeLeft(view, now)}`,
    `Attempt: ${attempt} of ${max_attempts}${next}`,
    ...(required > 1 ? [`Votes: ${view.approvals} of ${required}`] : []),
    ...votes.flatMap((vote) => [
      ...entry(vote.principal, valueText(vote.value), '  '),
      ...noteOf(vote, '    '),
    ]),
    ...editsOf(view),
  ];
}

/** Returns a question as `show` prints it, and as it is shown before a decision, with the edits of this answer. */
export function questionLines(
  view: SuspensionView,
  now: Now,
  edits: Edits = [],
): readonly string[] {
  const { record } = view;
  return [
    ...hanging(record.question),
    '',
    `Id: ${view.id}`,
    ...entry('Asked by', askerOf(view)),
    `Kind: ${kindOf(view)}`,
    ...progressOf(view, now),
    ...(view.warnings ?? []).flatMap((warning) => entry('Unusual', warning)),
    ...attendedOf(view, now),
    ...choicesOf(view),
    ...approvalOf(view, edits),
    ...entries('Context:', contextOf(record)),
  ];
}

export function questionLine({ id, record }: Pick<InboxEntry, 'id' | 'record'>): string {
  return `${shortId(id)} ${shownValue(record.question)}`;
}
