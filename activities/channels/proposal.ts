import { unseenInLines, visibleName } from '../../contracts/constants/visible-text.js';
import type { OutgoingMessage } from './channel.js';

const STEERS = unseenInLines('u');

/**
 * The calls of an approval as text; undefined unless every character may be shown and is visible, so that nobody
 * decides what was not shown. Pure.
 */
export function proposalText({
  text,
  approval,
}: Pick<OutgoingMessage, 'text' | 'approval'>): string | undefined {
  if (approval?.whole === undefined) return undefined;
  const { calls, visible_context } = approval.whole;
  const shown = [
    ...calls.map(({ tool, arguments: args }, index) =>
      [`${index + 1}. ${visibleName(tool)}`, JSON.stringify(args, null, 1)].join('\n'),
    ),
    ...(Object.keys(visible_context).length === 0
      ? []
      : [`Context: ${JSON.stringify(visible_context, null, 1)}`]),
  ].join('\n');
  return STEERS.test(shown) || STEERS.test(text) ? undefined : shown;
}
