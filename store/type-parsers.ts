import pg from 'pg';
import { fromJsonText, fromText } from './text-codec.js';

type TypeId = Parameters<typeof pg.types.getTypeParser>[0];
type Parser = (text: string) => unknown;

const { builtins } = pg.types;
const parseTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date;

const PARSERS = new Map<TypeId, Parser>([
  [builtins.TIMESTAMPTZ, (text) => parseTimestamp(text).toISOString()],
  [builtins.TEXT, fromText],
  [builtins.JSON, fromJsonText],
  [builtins.JSONB, fromJsonText],
]);

/**
 * How the store's connections read columns: instants as ISO strings with milliseconds and `Z`, texts
 * and JSON as they were before they were made storable; the rest as the driver does.
 */
export const storeTypes = {
  getTypeParser(id: TypeId, format?: 'text' | 'binary'): Parser {
    const parser = format === 'binary' ? undefined : PARSERS.get(id);
    return parser ?? (pg.types.getTypeParser(id, format) as Parser);
  },
};
