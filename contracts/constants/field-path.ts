/** Writes a path as JavaScript would, such as `choices[0].label` or `state["a/b"]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = String(part);
    if (!/^[\w-]+$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

const SHOWN_PARTS = 20;
const SHOWN_CHARACTERS = 60;
/** The first half of a surrogate pair at a cut. */
const HALF_AT_THE_END = /[\uD800-\uDBFF]$/;

/** Cuts a path for a refusal, because the caller chooses its names and their number. */
export function cutPath(path: readonly PropertyKey[]): readonly (string | number)[] {
  const shown = path
    .slice(0, SHOWN_PARTS)
    .map((part) => (typeof part === 'number' ? part : cut(String(part))));
  return path.length > SHOWN_PARTS ? [...shown, '…'] : shown;
}

function cut(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS).replace(HALF_AT_THE_END, '')}…`;
}
