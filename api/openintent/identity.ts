import type { Request } from 'express';
import { LIMITS } from '../../contracts/constants/limits.js';
import type { Caller } from '../gateway/types.js';
import { callerOf } from '../middleware/authenticate.js';

/** The agent that `X-Agent-ID` names; undefined where it is missing or empty. */
export function agentIdOf(req: Request): string | undefined {
  const sent = req.get('X-Agent-ID')?.trim().slice(0, LIMITS.nameCharacters);
  return sent === '' ? undefined : sent;
}

/** A caller of this door. */
type DoorCaller = Caller & Required<Pick<Caller, 'door'>>;

/**
 * The caller of this door: what it may do follows from its key alone, while the events it causes name the
 * agent of `X-Agent-ID`.
 *
 * @param actor - a name in the body, which goes before that
 */
export function doorCaller(req: Request, actor?: string): DoorCaller {
  const caller = callerOf(req);
  return { ...caller, door: { actor: actor ?? agentIdOf(req) ?? caller.principal } };
}
