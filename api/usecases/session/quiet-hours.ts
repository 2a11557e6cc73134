import type { QuietHours } from '../../../contracts/people/quiet-hours.js';
import { toInstant } from '../../../domain/kernel/time.js';
import { quietHoursOf, setQuietHours as set } from '../../../store/queries/quiet-hours.js';
import { useCase } from '../usecase.js';
import type { Call } from '../usecase.js';

/** The quiet hours of the caller. */
export const readQuietHours = useCase({
  name: 'readQuietHours',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ caller, parts }: Call) {
    return { quiet_hours: (await parts.fromStore(quietHoursOf, caller)) ?? null };
  },
});

/** Sets them. What was held back is looked at anew. */
export const setQuietHours = useCase({
  name: 'setQuietHours',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ caller, parts }: Call, hours: QuietHours) {
    await parts.fromStore(set, caller, hours, toInstant(parts.clock.now()));
    return { quiet_hours: hours };
  },
});

/** Ends them. */
export const endQuietHours = useCase({
  name: 'endQuietHours',
  resource: 'server',
  refusals: ['store_unavailable'],
  async run({ caller, parts }: Call) {
    await parts.fromStore(set, caller, null, toInstant(parts.clock.now()));
    return { quiet_hours: null };
  },
});
