import type {
  Announcement,
  DependencyEdge,
  MembershipPage,
  MembershipRequest,
} from '../../../contracts/graph/announcement.js';
import type { IntentEvent } from '../../../contracts/intent/event.js';
import type { Intent } from '../../../contracts/intent/intent.js';
import type { JournalRow, RowOf } from '../../../contracts/log/journal.js';
import type { TimelineEntry } from '../../../contracts/suspension/suspension.js';
import type { LiveView } from '../../../contracts/suspension/view.js';
import { announcementOf } from '../../../domain/graph/announcement.js';
import { guardFor } from '../../../domain/policy/access-list.js';
import { timelineEvent, type TimelineEvent } from '../../../domain/log/seal.js';
import { viewOf } from '../../../domain/suspension/record/view.js';

/** Rows as workflows have them written, and what the store would read from them. */
export class StoredRows {
  readonly rows: JournalRow[] = [];
  /** Edges that were looked at, which the store has before their rows. */
  protected readonly linked: JournalRow[] = [];

  /** The edges as the store would have them. */
  edges(): readonly DependencyEdge[] {
    const latest = new Map<string, JournalRow & { kind: 'dependency' }>();
    for (const row of [...this.linked, ...this.rows]) {
      if (row.kind !== 'dependency') continue;
      const key = `${row.intent_id} ${row.dependency_id}`;
      if ((latest.get(key)?.revision ?? 0) <= row.revision) latest.set(key, row);
    }
    return [...latest.values()].filter(({ present }) => present);
  }

  /** The rows of an approval in the order in which they came. */
  approvalRows(id: string): RowOf<'approval'>[] {
    return this.rows.flatMap((row) =>
      row.kind === 'approval' && row.approval.approval_id === id ? [row] : [],
    );
  }

  /** The task as the store holds it last. */
  taskRow(taskId: string): RowOf<'task'> | undefined {
    return this.rows.findLast((row) => row.kind === 'task' && row.task.id === taskId) as
      RowOf<'task'> | undefined;
  }

  eventsOf(intentId: string | null): IntentEvent[] {
    return this.rows
      .flatMap((row) =>
        row.kind === 'event' && row.event.intent_id === intentId ? [row.event] : [],
      )
      .filter((event, index, all) => all.findIndex(({ id }) => id === event.id) === index);
  }

  /** The intent as the store holds it last. */
  intentOf(intentId: string | null): Intent {
    const row = this.rows.findLast((one) => one.kind === 'intent' && one.intent.id === intentId);
    if (row?.kind !== 'intent') throw new Error(`the store has no intent ${String(intentId)}`);
    return row.intent;
  }

  /** The intent as the store would announce it. */
  announcementOf(intentId: string): Announcement | undefined {
    const row = this.rows.findLast((one) => one.kind === 'intent' && one.intent.id === intentId);
    if (row?.kind !== 'intent') return undefined;
    const asked = this.rows.findLast(
      (one) => one.kind === 'suspension_opened' && one.intent_id === intentId,
    );
    const question =
      asked?.kind === 'suspension_opened'
        ? { suspension_id: asked.record.id, attempt: 1 }
        : undefined;
    const { intent, last_sequence } = row;
    const guard = guardFor(intent);
    const rest = { question, held_upstream: false, holds: 0, guard };
    return announcementOf(intent, { last_sequence, ...rest });
  }

  /** The suspension as the store would give it: its opening with its end. */
  suspensionOf(id: string): LiveView | undefined {
    const opened = this.rows.find(
      (row) => row.kind === 'suspension_opened' && row.record.id === id,
    );
    if (opened?.kind !== 'suspension_opened') return undefined;
    const ended = this.rows.find(
      (row) => row.kind === 'suspension_settled' && row.suspension_id === id,
    );
    const settlement = ended?.kind === 'suspension_settled' ? ended.settlement : {};
    const record = { ...opened.record, ...settlement };
    return viewOf({ intent_id: opened.intent_id, record, attempt: 1 }, opened, this.timelineOf(id));
  }

  /** The timeline rows of a suspension in the order in which they arrived, repeats included. */
  timelineOf(suspensionId: string): TimelineEntry[] {
    return this.rows.flatMap((row) =>
      row.kind === 'timeline' && row.suspension_id === suspensionId ? [row.entry] : [],
    );
  }

  /** The same as they are hashed, each once. */
  timelineEventsOf(suspensionId: string): TimelineEvent[] {
    const rows = this.rows.flatMap((row) =>
      row.kind === 'timeline' && row.suspension_id === suspensionId ? [row] : [],
    );
    const events = rows.map(({ entry, seal }) => timelineEvent(suspensionId, entry, seal));
    return [...new Map(events.map((event) => [event.sequence, event])).values()];
  }
}

/** Members that one page holds; few, so that tests see more than one. */
const PAGE = 2;

/** Who came into a portfolio and left it, as the store would tell it from such rows. */
export function membersIn(
  rows: readonly JournalRow[],
  { portfolio_id, since, last_sequence }: MembershipRequest,
): MembershipPage | undefined {
  const stored = rows.findLast(
    (row) => row.kind === 'portfolio' && row.portfolio.id === portfolio_id,
  );
  if (stored?.kind !== 'portfolio' || stored.last_sequence < last_sequence) return undefined;
  const newest = new Map(
    rows.flatMap((row) =>
      row.kind === 'portfolio_member' && row.portfolio_id === portfolio_id
        ? [[row.intent_id, row] as const]
        : [],
    ),
  );
  const changed = [...newest.values()]
    .filter(({ revision }) => revision > since)
    .sort((one, other) => one.revision - other.revision);
  const page = changed.slice(0, PAGE);
  const more = changed.length > PAGE;
  return {
    through: more ? (page.at(-1)?.revision ?? since) : stored.portfolio.version,
    more,
    changes: page.map(({ intent_id, membership }) => [intent_id, membership !== null]),
  };
}
