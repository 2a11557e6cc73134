import type { RequestHandler } from 'express';
import type { FieldIssue } from '../../contracts/kernel/parse-fields.js';
import { isUnsound } from '../../domain/kernel/text.js';
import { RefusalError } from '../errors.js';

const SOUND_TEXT = 'Unicode text in UTF-8 without U+0000';

export function unsoundText(field: string): RefusalError {
  const issue: FieldIssue = {
    field,
    accepted: SOUND_TEXT,
    detail: `${field} holds U+0000, half of a surrogate pair, or bytes that are not UTF-8.`,
  };
  return new RefusalError({ code: 'invalid_text', ...issue });
}

/** Whether a part of a URL, decoded, can be stored. Bytes that are not UTF-8 cannot: Node would replace them by U+FFFD. */
function isSoundPart(part: string): boolean {
  try {
    return !isUnsound(decodeURIComponent(part.replaceAll('+', ' ')));
  } catch {
    return false;
  }
}

/**
 * Refuses a path or query whose texts cannot be stored or compared as they are: those with `%00`, half of a surrogate pair, or
 * bytes that are not UTF-8.
 *
 * @throws RefusalError `invalid_text` with the name of the parameter
 */
export const refuseUnsoundUrl: RequestHandler = (req, _res, next) => {
  const [path = '', ...rest] = req.originalUrl.split('?');
  if (!isSoundPart(path)) throw unsoundText('path');
  for (const pair of rest.join('?').split('&')) {
    if (isSoundPart(pair)) continue;
    const [name = ''] = pair.split('=');
    throw unsoundText(isSoundPart(name) ? decodeURIComponent(name) : 'query');
  }
  next();
};
