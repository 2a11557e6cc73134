import { contextParts } from '../../../domain/suspension/asking/context-beside.js';
import type { Entry } from '../api/types.js';
import { differenceIn } from '../state/bulk-differences.js';
import type { Compared } from '../state/bulk-differences.js';
import { Context } from './Context.js';
import { Differs, MarkedText } from './Differs.js';
import { Elsewhere, FoldedContext } from './Elsewhere.js';
import { Folded } from './Folded.js';
import { QuestionText } from './QuestionText.js';
import css from './BulkDetails.module.css';

interface Props {
  readonly entry: Entry;
  readonly compared: Compared;
}

/** The whole question of a row with its context, folded, with marks on what differs from the others. */
export function BulkDetails({ entry, compared }: Props) {
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
