import { isGrpcServiceError } from '@temporalio/client';
import { isStoreAway } from '../store/failures.js';

/** gRPC status UNAVAILABLE: nobody reaches Temporal, or it takes no calls. */
const AWAY: readonly number[] = [14];

/** Whether an error says that Temporal or the store is away. Temporal's client keeps the error of a call as the cause. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const isTemporal = [error, cause].some(
    (each) => isGrpcServiceError(each) && AWAY.includes(each.code),
  );
  return isTemporal || isStoreAway(error);
}
