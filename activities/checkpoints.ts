import { ApplicationFailure, Context, log } from '@temporalio/activity';
import { beating } from './own-call.js';
import type { Checkpoint } from '../contracts/log/checkpoint.js';
import type { ActivityDependencies } from './dependencies.js';
import type { CheckpointPlace } from './ports/upkeep.js';

type Dependencies = Pick<ActivityDependencies, 'checkpoints' | 'config' | 'now'>;

/** Signs the next checkpoint. Logs an error for each log that is no continuation of an earlier checkpoint. */
export async function signCheckpoint({
  checkpoints,
}: Pick<Dependencies, 'checkpoints'>): Promise<Checkpoint> {
  const taken = await checkpoints.sign(beating());
  if (taken === undefined) {
    const message = 'This worker has no key to sign checkpoints with.';
    throw ApplicationFailure.nonRetryable(message, 'checkpoints_not_configured');
  }
  const { checkpoint, broken } = taken;
  for (const { kind, id } of broken) {
    const shown = kind === 'suspension' ? id.slice(0, 8) : id;
    log.error('log does not continue its checkpoint', { kind, id: shown });
  }
  return checkpoint;
}

/**
 * Delivers undelivered checkpoints to each place, the oldest first. A checkpoint counts as delivered once that is
 * stored, so one may arrive twice. Throws the error of a place after all places were tried.
 */
export async function deliverCheckpoints(dependencies: Dependencies): Promise<void> {
  const { file, webhook } = dependencies.config.checkpoints;
  const places = [file && 'file', webhook && 'webhook'].filter((place) => place !== undefined);
  const tried = await Promise.allSettled(
    places.map((place) => deliverTo(dependencies, place as CheckpointPlace)),
  );
  const failed = tried.find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  log.warn('checkpoint not delivered', {});
  throw failed.reason;
}

async function deliverTo(
  { checkpoints, config, now }: Dependencies,
  place: CheckpointPlace,
): Promise<void> {
  const context = Context.current();
  const { file = '', webhook } = config.checkpoints;
  for (;;) {
    const checkpoint = await checkpoints.firstUndelivered(place);
    if (checkpoint === undefined) return;
    context.heartbeat();
    const body = JSON.stringify(checkpoint);
    if (place === 'file') await checkpoints.append(file, `${body}\n`);
    else if (webhook) {
      await checkpoints.post({
        url: new URL(webhook.url),
        id: `checkpoint-${checkpoint.number}`,
        body,
        secrets: webhook.secrets,
        signal: context.cancellationSignal,
      });
    }
    await checkpoints.noteDelivered(checkpoint.number, place, now().toISOString());
  }
}
