import type { RequestHandler } from 'express';
import type { FieldIssue } from '../../contracts/parse-fields.js';
import { isUnsound } from '../../domain/kernel/text.js';
import { RefusalError } from '../errors.js';

/** What is accepted in place of such a text. */
export const SOUND_TEXT = 'Unicode text in UTF-8 without U+0000';

/** The refusal of such a text in a field. */
export function unsoundText(field: string): RefusalError {
  const issue: FieldIssue = {
    field,
    accepted: SOUND_TEXT,
    detail: `${field} holds U+0000, half of a surrogate pair, or bytes that are not UTF-8.`,
  };
  return new RefusalError({ code: 'invalid_text', ...issue });
}

/** Whether a part of a URL, decoded, is sound. Node reads bytes that are not UTF-8 as U+FFFD, which loses them. */
function isSoundPart(part: string): boolean {
  try {
    return !isUnsound(decodeURIComponent(part.replaceAll('+', ' ')));
  } catch {
    return false;
  }
}

/**
 * Refuses a path or query whose texts could not be kept or compared as they are: with `%00`, with half of a
 * surrogate pair, or with bytes that are not UTF-8.
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
