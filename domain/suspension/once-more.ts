import type { JsonValue } from '../../contracts/primitives.js';
import type { SuspensionChoice } from '../../contracts/suspension.js';

/** What of a question says whether its answers are dangerous. */
interface Asked {
  readonly approval?: object | undefined;
  readonly choices?: readonly Pick<SuspensionChoice, 'value' | 'style'>[] | undefined;
}

/** Whether a choice is one that its asker calls dangerous. */
export function isDangerous(choice: Pick<SuspensionChoice, 'style'> | undefined): boolean {
  return choice?.style === 'danger';
}

/**
 * Whether whoever answers is asked once more before the answer goes: each decision on an approval is, and a choice that its
 * asker calls dangerous.
 */
export function asksOnceMore({ approval, choices }: Asked, value: JsonValue): boolean {
  return approval !== undefined || isDangerous(choices?.find((choice) => choice.value === value));
}
