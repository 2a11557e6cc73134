import { parseArgs } from 'node:util';
import { meantBy, meantOption } from '../../runtime/usage.js';
import { VARIANTS, type Variant } from './compliance/story.js';

/** What the command line asks for. */
export interface Choices {
  readonly json: boolean;
  /** The whole story of the approvals; the first story has only its beginning. */
  readonly approvals?: true;
  readonly compliance?: { readonly variants: readonly Variant[]; readonly kills: boolean };
}

const STORIES: readonly string[] = ['approvals', 'compliance'];

/**
 * Reads `[approvals | compliance [--variant <name>|all] [--kill]] [--json]`.
 *
 * @throws Error that says what is accepted
 */
export function choicesOf(args: readonly string[]): Choices {
  const { values, positionals } = parsed(args);
  const { json, variant, kill } = values;
  const [story, ...more] = positionals;
  if (more.length > 0 || (story !== undefined && !STORIES.includes(story))) {
    const known = STORIES.join(', ');
    const meant = meantBy(positionals.join(' '), STORIES);
    throw new Error(`There is no story "${positionals.join(' ')}"; there are: ${known}.${meant}`);
  }
  if (story !== 'compliance') {
    if (variant !== undefined || kill !== undefined) {
      throw new Error('--variant and --kill are for: compliance.');
    }
    return story === undefined ? { json } : { json, approvals: true };
  }
  return { json, compliance: { variants: variantsOf(variant ?? 'rfc'), kills: kill ?? false } };
}

const OPTIONS = {
  json: { type: 'boolean', default: false },
  variant: { type: 'string' },
  kill: { type: 'boolean' },
} as const;

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    const meant = meantOption(error, Object.keys(OPTIONS));
    throw meant === '' ? error : new Error(meant, { cause: error });
  }
}

function variantsOf(name: string): readonly Variant[] {
  const found = name === 'all' ? VARIANTS : VARIANTS.filter((one) => one.name === name);
  if (found.length > 0) return found;
  const names = [...VARIANTS.map((one) => one.name), 'all'].join(', ');
  const meant = meantBy(name, [...VARIANTS.map((one) => one.name), 'all']);
  throw new Error(`There is no variant "${name}"; there are: ${names}.${meant}`);
}
