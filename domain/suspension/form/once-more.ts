import type { JsonValue } from '../../../contracts/kernel/primitives.js';
import type { SuspensionChoice } from '../../../contracts/suspension/suspension.js';

interface Asked {
  readonly approval?: object | undefined;
  readonly choices?: readonly Pick<SuspensionChoice, 'value' | 'style'>[] | undefined;
}

export function isDangerous(choice: Pick<SuspensionChoice, 'style'> | undefined): boolean {
  return choice?.style === 'danger';
}

/** Whether an answer needs a confirmation: each decision on an approval, and each dangerous choice. */
export function asksOnceMore({ approval, choices }: Asked, value: JsonValue): boolean {
  return approval !== undefined || isDangerous(choices?.find((choice) => choice.value === value));
}
