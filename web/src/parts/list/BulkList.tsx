import { contextParts } from '../../../../domain/suspension/asking/context-beside.js';
import type { BulkResult, Entry, Refused } from '../../api/types.js';
import { differenceIn, type Compared } from '../../state/answering/bulk-differences.js';
import { Context } from '../question/Context.js';
import { Differs, DiffersIn, MarkedText } from '../question/Differs.js';
import { Elsewhere, FoldedContext, QuestionText } from '../question/QuestionText.js';
import { Badge, Folded } from '../ui.js';
import css from './BulkList.module.css';
import { Link } from 'wouter';
import { holderIn } from '../../state/answering/acting.js';
import { atTime } from '../../state/clock.js';
import { beginningOf, forWhom, kindOf } from '../../state/facts.js';
import { Proposal } from '../question/Proposal.js';
import { TimeLeft } from '../question/TimeLeft.js';
import { Written } from '../question/Written.js';

interface Props {
  readonly entry: Entry;
  readonly compared: Compared;
}

/** The whole question of a row with its context, folded, with marks on what differs from the others. */
function BulkDetails({ entry, compared }: Props) {
  const hasContext = Object.keys(entry.record.context ?? {}).length > 0;
  return (
    <Folded summary={hasContext ? 'Question and context' : 'Question'}>
      {() => (
        <div className={css.details}>
          <Text entry={entry} compared={compared} />
          <Given entry={entry} compared={compared} />
          <Descriptions entry={entry} compared={compared} />
        </div>
      )}
    </Folded>
  );
}

function Text({ entry: { record }, compared }: Props) {
  const difference = differenceIn(compared, 'question');
  const { question, text_format } = record;
  return (
    <div>
      {difference && <Differs difference={difference} value={question} />}
      {difference && text_format !== 'markdown' ? (
        <MarkedText text={question} difference={difference} />
      ) : (
        <QuestionText text={question} format={text_format} />
      )}
    </div>
  );
}

function Given({ entry: { record }, compared }: Props) {
  const { beside, elsewhere, plumbing } = contextParts(record);
  const difference = differenceIn(compared, 'context');
  const isShown = Object.keys(beside).length > 0 || difference !== undefined;
  return (
    <>
      {isShown && <Context context={beside} difference={difference} />}
      <Elsewhere context={elsewhere} isOlder={(record.approval?.proposal.version ?? 1) > 1} />
      <FoldedContext title="For engineers" context={plumbing} />
    </>
  );
}

/** The descriptions of the choices, if they differ and so are missing at the one answer for all. */
function Descriptions({ entry, compared }: Props) {
  const difference = differenceIn(compared, 'choices');
  if (!difference) return null;
  const { choices = {} } = compared.said.get(entry.id) ?? {};
  return (
    <Context
      context={{ choices }}
      difference={{ ...difference, within: new Map([['choices', difference]]) }}
    />
  );
}

interface BulkListProps {
  readonly entries: readonly Entry[];
  readonly compared: Compared;
  readonly results: ReadonlyMap<string, BulkResult> | undefined;
  readonly misfits?: readonly Entry[];
}

/** The questions that are answered together, each with the calls that would run, and later with its result. */
export function BulkList({ entries, compared, results, misfits = [] }: BulkListProps) {
  return (
    <ul className={css.list}>
      {entries.map((entry) => {
        const result = results?.get(entry.id);
        const whom = forWhom(entry);
        return (
          <li key={entry.id} className={css.item}>
            <div className={css.words}>
              <Link href={`/q/${entry.id}`} dir="auto">
                {beginningOf(entry.record.question)}
              </Link>
              <span className={css.meta}>
                <Written text={entry.asked_by} />
                {whom !== undefined && (
                  <>
                    {' '}
                    for <Written text={whom} />
                  </>
                )}
                , version {entry.question_version}
              </span>
              <DiffersIn id={entry.id} compared={compared} />
              <BulkDetails entry={entry} compared={compared} />
              {misfits.includes(entry) && <Badge tone="warn">{kindOf(entry)}: does not fit</Badge>}
              {result?.problem && (
                <span className={css.problem}>
                  <Written text={reasonOf(result.problem)} /> <code>{result.problem.code}</code>
                </span>
              )}
              {!result && entry.record.approval && <Proposal approval={entry.record.approval} />}
            </div>
            {result ? (
              <Outcome result={result} />
            ) : (
              <TimeLeft expiresAt={entry.record.expires_at} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function reasonOf(problem: Refused): string {
  const held = holderIn(problem);
  return held ? `${held.holder} has it until ${atTime(held.expires_at)}` : problem.detail;
}

const OUTCOMES = {
  settled: ['good', 'Answered'],
  counted: ['info', 'Counted'],
  handed_over: ['warn', 'Not confirmed yet'],
  refused: ['danger', 'Refused'],
} as const;

function Outcome({ result }: { readonly result: BulkResult }) {
  const [tone, word] = OUTCOMES[result.outcome];
  const { approvals, required } = result.result ?? {};
  const votes =
    result.outcome === 'counted' && required ? `: ${approvals ?? 1} of ${required}` : '';
  return (
    <Badge tone={tone}>
      {word}
      {votes}
    </Badge>
  );
}
