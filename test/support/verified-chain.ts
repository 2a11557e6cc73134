import type { ChainHead, ChainReport } from '../../contracts/intent/event.js';
import { checkEvent, endCheck, startCheck, type ReadEvent } from '../../domain/log/chain.js';

/** Checks a whole log. */
export function verifyChain(events: Iterable<ReadEvent>, head?: ChainHead): ChainReport {
  let progress = startCheck();
  for (const event of events) progress = checkEvent(progress, event);
  return endCheck(progress, head);
}
