import { LIMITS } from '../../../contracts/constants/limits.js';
import type { Snooze, SnoozeRequest } from '../../../contracts/suspension/snooze.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { judgeSnooze } from '../../../domain/suspension/people/snooze.js';
import {
  deleteSnooze,
  listSnoozes as storedSnoozes,
  putSnooze,
} from '../../../store/queries/snooze.js';
import { demand } from '../../errors.js';
import { personOf } from '../../parts/caller.js';
import { refused } from '../../parts/refusals.js';
import { READ, useCase } from '../usecase.js';
import type { Call } from '../usecase.js';
import { concerning } from './read.js';

/*
 * A snooze hides an open question from the lists of one person. It is a row of the store and no part of the question: it decides
 * nothing, nobody else sees it, and reminders go on.
 */

/** The caller does not want to see the question for a while. Throws `suspension_not_found` and `forbidden` besides. */
export const snoozeSuspension = useCase({
  name: 'snoozeSuspension',
  resource: 'suspension',
  refusals: [
    'suspension_settled',
    'reason_mismatch',
    'no_reminder_left',
    'snooze_not_possible',
    'too_many_snoozes',
    ...READ,
  ],
  async run(call: Call, id: string, request: SnoozeRequest): Promise<Snooze> {
    const { clock, fromStore, reads } = call.parts;
    const { value } = await concerning(call, 'getSuspension', reads.getSuspension(id));
    const now = clock.now();
    const judged = demand(judgeSnooze(value, request, now));
    const isStored = await fromStore(
      putSnooze,
      { ...personOf(call.caller), now: toInstant(now) },
      judged,
    );
    if (!isStored) {
      throw refused('too_many_snoozes', `You have put ${LIMITS.snoozes} questions off.`, {
        accepted: 'end one of them first',
      });
    }
    const { attempt: _attempt, question_version: _version, ...snooze } = judged;
    return snooze;
  },
});

/** Ends a snooze of the caller; nothing happens if there is none. */
export const endSnooze = useCase({
  name: 'endSnooze',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: (call: Call, id: string): Promise<void> =>
    call.parts.fromStore(deleteSnooze, personOf(call.caller), id),
});

/** The snoozes of the caller that still hide something. */
export const listSnoozes = useCase({
  name: 'listSnoozes',
  resource: 'suspension',
  refusals: ['store_unavailable'],
  run: ({ caller, parts: { clock, fromStore } }: Call): Promise<readonly Snooze[]> =>
    fromStore(storedSnoozes, { by: caller.principal, now: toInstant(clock.now()) }),
});
