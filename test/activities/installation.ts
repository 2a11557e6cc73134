import type { EntityKey } from '../../contracts/kernel/primitives.js';
import assert from 'node:assert/strict';
import type {
  AskedToWrite,
  Contradicted,
  Place,
  QuestionEnd,
  TimeRange,
} from '../../activities/ports/reconciliation.js';
import { reconcile } from '../../activities/reconcile.js';
import type { ReconcileRequest, Reconciled } from '../../activities/types.js';
import type { JournalRow } from '../../contracts/log/journal.js';
import type { LiveView } from '../../contracts/suspension/view.js';
import type { SuspensionRecord } from '../../contracts/suspension/suspension.js';
import { recordWith } from '../domain/samples.js';
import { noQuestions } from './support.js';

const NOW = new Date('2026-03-24T10:00:00.000Z');
export const SINCE = '2026-03-24T09:59:00.000Z';
export const ANSWER = { resolution: 'responded', response: 'yes', settled_by: 'operator' } as const;

/** Of a Temporal that nobody reaches. */
export class Away extends Error {}

/** A store and a Temporal in memory; `ends` are the workflows that have ended. */
export class Installation {
  readonly records = new Map<string, SuspensionRecord>();
  readonly ends = new Map<string, QuestionEnd>();
  readonly told: (readonly [id: string, record: SuspensionRecord, space: string])[] = [];
  readonly rows: JournalRow[] = [];
  readonly ranges: (TimeRange | string)[] = [];
  readonly found: string[] = [];
  readonly warned: string[] = [];
  /** Questions whose opening the store does not have. */
  readonly unopened = new Map<string, SuspensionRecord>();
  /** Running intents that the store does not have, and those that it has not as they are, by their questions. */
  readonly uncreated: string[] = [];
  readonly behind = new Map<string, string>();
  readonly asked: string[] = [];
  /** How far open questions have come that the store has as they were before. */
  readonly progress = new Map<string, JournalRow>();
  readonly queried: string[] = [];
  /** Questions of whose end the next report fails. */
  readonly untellable = new Set<string>();
  /** What cannot be told to write the first time. */
  readonly unreachable = new Set<string>();
  /** Questions that the store has as settled, and that their workflows have open. */
  readonly forgotten = new Set<string>();
  readonly contradicted: Contradicted[] = [];
  /** What takes no message. */
  readonly closed = new Set<string>();
  /** Questions that cannot be looked at. */
  readonly broken = new Map<string, Error>();
  isSilent = false;
  pages: EntityKey[][] = [];
  goOn = (): void => undefined;
  isOver = (): boolean => false;
  /** What the last look had done when it was last asked whether it goes on. */
  soFar: Reconciled | undefined;
  /** Questions of whose workflows somebody asked how they ended. */
  readonly looked: string[] = [];

  /** A question that is open in the store while its workflow has ended so. */
  open(id: string, end?: QuestionEnd): this {
    this.records.set(id, recordWith({ id }));
    if (end) this.ends.set(id, end);
    this.pages.push([{ id, space: 'team-b' }]);
    return this;
  }

  look(request: ReconcileRequest = { since: SINCE }) {
    return reconcile(this, request, {
      goOn: (soFar) => {
        this.soFar = soFar;
        this.goOn();
      },
      isOver: () => this.isOver(),
      found: ({ id, asked_by = '' }, finding, _type, reason = '') =>
        this.found.push([id, finding, asked_by, reason].filter((part) => part !== '').join(' ')),
      warn: (event, reason) => this.warned.push(`${event}: ${reason}`),
    });
  }

  readonly now = (): Date => NOW;
  readonly store = {
    findSuspension: async (id: string) => {
      const record = this.records.get(id);
      const isSettled = record !== undefined && 'resolution' in record;
      return (
        record && ({ id, record, state: isSettled ? 'settled' : 'pending', attempt: 1 } as LiveView)
      );
    },
    settleSuspension: async (id: string, settlement: object) => this.settle(id, settlement),
  };
  readonly reconciliation = {
    approvals: noQuestions().approvals,
    entities: noQuestions().entities,
    forgotten: {
      settledIn: (range: TimeRange) => this.settledIn(range),
      settledOf: async (page: readonly EntityKey[]) => page.filter(({ id }) => this.isSettled(id)),
      runningOf: async (page: readonly EntityKey[]) => page.filter(({ id }) => !this.ends.has(id)),
      handIn: async ({ id }: EntityKey) => this.forgotten.delete(id),
      contradicted: (range: TimeRange | string) => this.refusedIn(range),
    },
    endedIn: (range: TimeRange, place?: Place) => this.listed(range, place),
    openIn: (until: string, place?: Place) => this.listed(until, place),
    runningSince: (type: AskedToWrite, range: TimeRange | string) => this.running(type, range),
    notOpened: async (page: readonly EntityKey[]) => page.filter(({ id }) => !this.records.has(id)),
    lookUp: async ({ id }: EntityKey) => {
      const asked = this.unopened.get(id);
      const who = { intent_id: null, asked_by: 'agent-1', schedule: { attempts: [] } };
      return asked && ({ ...who, record: asked } as Partial<LiveView> as LiveView);
    },
    progressOf: async ({ id }: EntityKey) => {
      this.queried.push(id);
      if (this.isSilent) return 'no_worker' as const;
      return this.progress.get(id);
    },
    notCreated: async (page: readonly EntityKey[]) => page,
    intentsBehind: async (page: readonly EntityKey[]) =>
      page.flatMap(({ id, space }) => {
        const intent = this.behind.get(id);
        return intent === undefined ? [] : [{ id: intent, space }];
      }),
    askToWrite: async (type: AskedToWrite, { id }: EntityKey) => {
      if (this.unreachable.delete(id)) throw new Error('Temporal is busy');
      this.asked.push(`${type} ${id}`);
      return !this.closed.has(id);
    },
    notSettled: async (page: readonly EntityKey[]) => page.filter(({ id }) => !this.isSettled(id)),
    endOf: async ({ id }: EntityKey) => {
      this.looked.push(id);
      const error = this.broken.get(id);
      if (error) throw error;
      return this.ends.get(id);
    },
    writeRows: async (rows: readonly JournalRow[]) => {
      this.rows.push(...rows);
      for (const row of rows) {
        if (row.kind === 'suspension_opened') this.records.set(row.record.id, row.record);
        if (row.kind === 'suspension_settled') this.settle(row.suspension_id, row.settlement);
      }
    },
    isAway: (error: unknown) => error instanceof Away,
    tell: async ({ id, record }: LiveView, space: string) => {
      if (this.untellable.delete(id)) throw new Error('Temporal is busy');
      this.told.push([id, record, space]);
    },
  };

  private async *settledIn({ to }: TimeRange) {
    assert.equal(typeof to, 'string');
    const settled = [...this.records.keys()].filter((id) => this.isSettled(id));
    if (settled.length > 0) yield settled.map((id) => ({ id, space: 'team-b' }));
  }

  private async *refusedIn(_range: TimeRange | string) {
    if (this.contradicted.length > 0) yield this.contradicted;
  }

  private async *listed(range: TimeRange | string, place?: Place) {
    this.ranges.push(range);
    for (const [index, page] of this.pages.entries()) {
      if (index < Number(place?.after ?? 0)) continue;
      yield page;
      place?.reached(String(index + 1));
    }
  }

  private async *running(type: AskedToWrite, range: TimeRange | string) {
    if (type === 'approval') return;
    this.ranges.push(range);
    const questions = [...this.unopened.keys(), ...this.records.keys()];
    const ids = type === 'intent' ? this.uncreated : questions;
    yield ids.filter((id) => !this.ends.has(id)).map((id) => ({ id, space: 'team-b' }));
  }

  isSettled(id: string): boolean {
    return 'resolution' in (this.records.get(id) ?? {});
  }

  private settle(id: string, settlement: object): void {
    const record = this.records.get(id);
    if (record) this.records.set(id, { ...record, ...settlement });
  }
}
