import type { JsonObject } from '../../../contracts/kernel/primitives.js';
import { Context } from './Context.js';
import { Folded } from './Folded.js';
import { Written } from './Written.js';

interface ElsewhereProps {
  readonly context: JsonObject;
  readonly isOlder?: boolean;
}

/** Context that the page shows in another place too, in its latest version. */
export function Elsewhere({ context, isOlder = false }: ElsewhereProps) {
  const title = isOlder ? 'As it was asked, before the edit' : 'Shown on this page already';
  return <FoldedContext title={title} context={context} />;
}

interface FoldedContextProps {
  readonly title: string;
  readonly context: JsonObject;
}

/** Context that is folded under a title and the names of its parts. */
export function FoldedContext({ title, context }: FoldedContextProps) {
  const names = Object.keys(context);
  if (names.length === 0) return null;
  return (
    <Folded
      summary={
        <>
          {title}: <Written text={names.join(', ')} />
        </>
      }
    >
      {() => <Context context={context} />}
    </Folded>
  );
}
