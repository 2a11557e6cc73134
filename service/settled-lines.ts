import { Operator } from '../client/operator.js';
import { spanOf } from '../cli/text.js';
import { shortId } from '../contracts/constants/names.js';
import { visibleLine } from '../contracts/constants/visible-text.js';
import type { SuspensionView } from '../contracts/suspension/view.js';
import { matchedChoice } from '../domain/suspension/answering/response.js';
import type { Stack } from './stack.js';

/** A key that is configured by its digest cannot be sent. */
const DIGEST = /^sha256:/;

/** What was decided: only a choice by its label, because an answer may hold personal data. */
function endOf({ record }: SuspensionView): string {
  const { resolution, response, responded_by } = record;
  if (resolution === 'expired') return 'expired';
  if (resolution === 'cancelled') return 'withdrawn';
  const choice = response === undefined ? undefined : matchedChoice(record, response);
  const what = choice === undefined ? '' : ` "${choice.label}"`;
  return `answered${what} by ${responded_by ?? 'somebody'}`;
}

/** Returns the line of a question that is over: what was decided, by whom, and after how long. */
export function settledLine(view: SuspensionView): string {
  const { id, record } = view;
  const { suspended_at, settled_at = suspended_at, question } = record;
  const after = spanOf(Date.parse(settled_at) - Date.parse(suspended_at));
  return visibleLine(`[settled] ${shortId(id)} ${endOf(view)} after ${after}: ${question}`);
}

/** Prints a line for each question that is settled from now on, until the signal is aborted; none without a key of an operator. */
export async function tellSettled(
  { apiUrl, keys }: Pick<Stack, 'apiUrl' | 'keys'>,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const found = keys.find(({ key, roles }) => roles.includes('operator') && !DIGEST.test(key));
  if (found === undefined) return;
  const logger = { warn: () => undefined };
  const operator = new Operator({ baseUrl: apiUrl, apiKey: found.key, logger });
  try {
    for await (const news of operator.follow({ signal })) {
      if (news.kind !== 'suspension' || news.state !== 'settled') continue;
      log(settledLine(await operator.getSuspension(news.id, { signal })));
    }
  } catch (error) {
    if (!signal.aborted) log(`No more lines about settled questions: ${String(error)}`);
  }
}
