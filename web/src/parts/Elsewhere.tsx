import type { JsonObject } from '../../../contracts/primitives.js';
import { Context } from './Context.js';
import { Folded } from './Folded.js';
import { Written } from './Written.js';

/** Context that the page shows in another place too, there in its latest version: folded, and named. */
export function Elsewhere({
  context,
  isOlder = false,
}: {
  readonly context: JsonObject;
  readonly isOlder?: boolean;
}) {
  const names = Object.keys(context);
  if (names.length === 0) return null;
  return (
    <Folded
      summary={
        <>
          {isOlder ? 'As it was asked, before the edit' : 'Shown on this page already'}:{' '}
          <Written text={names.join(', ')} />
        </>
      }
    >
      {() => <Context context={context} />}
    </Folded>
  );
}
