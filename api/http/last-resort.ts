import type { Express, NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ERRORS } from '../../contracts/constants/errors.js';
import { RefusalError } from '../errors.js';
import { handleErrors } from './problem.js';

/** How Express takes a request; what it leaves over goes to `done`. Its types do not have it. */
interface Handling {
  handle: (req: Request, res: Response, done?: NextFunction) => void;
}

/**
 * Makes every reply of an app one of ours. Express replies by itself, with a page that may hold a stack trace, where it
 * cannot read the URL of a request, and where an error gets past every handler.
 */
export function withoutExpressPages(app: Express, log: Logger): Express {
  const reply = handleErrors(log);
  const own = app as unknown as Handling;
  const handle = own.handle.bind(app);
  own.handle = (req, res) => {
    const done = (error: unknown): void => {
      const left = error ?? new RefusalError({ code: 'not_found', detail: ERRORS.not_found[2] });
      void reply(left, req, res, () => undefined);
    };
    try {
      handle(req, res, done);
    } catch (error) {
      done(error);
    }
  };
  return app;
}
