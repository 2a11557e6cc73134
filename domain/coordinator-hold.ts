import type { Announcement } from '../contracts/announcement.js';
import type { SuspensionPolicy } from '../contracts/coordinator.js';
import { isClosed } from './status.js';

/**
 * What an announcement means for the phases wired to its intent (R26-33, AM-40): they are held from its
 * suspension until it completes, however often it is resumed and suspended meanwhile. Of one that is closed
 * nothing is left to tell: its end releases them, or leaves them waiting for what will never come (AM-35).
 */
export function holdTurn(
  policy: SuspensionPolicy,
  { status }: Pick<Announcement, 'status'>,
  isHeld: boolean,
): 'hold' | 'forget' | undefined {
  if (isClosed(status)) return isHeld ? 'forget' : undefined;
  if (policy !== 'block_dependents' || isHeld) return undefined;
  return status === 'suspended_awaiting_input' ? 'hold' : undefined;
}
