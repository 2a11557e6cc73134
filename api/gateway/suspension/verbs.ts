import type { UpdateDefinition } from '@temporalio/common';
import type { ServerConfig } from '../../../contracts/config.js';
import type { AmendRequest } from '../../../contracts/suspension-requests.js';
import type {
  ClaimRequest,
  CommentRequest,
  DelegateRequest,
  ReleaseRequest,
} from '../../../contracts/suspension-verbs.js';
import type { LiveView, SuspensionView } from '../../../contracts/suspension-view.js';
import { checkDelegate } from '../../../domain/directory/directory.js';
import { viewAt } from '../../../domain/suspension/view.js';
import type { Doing } from '../../../domain/suspension/verb.js';
import {
  amendUpdate,
  claimUpdate,
  commentUpdate,
  delegateUpdate,
  releaseUpdate,
} from '../../../workflows/suspension/messages.js';
import { demand, refusalOf } from '../../errors.js';
import type { RefusalError } from '../../errors.js';
import { sentBy } from '../caller.js';
import type { Caller } from '../caller.js';
import type { Clock } from '../calls/deadline.js';
import { createLiveWrite } from '../calls/live.js';
import type { Temporal } from '../calls/temporal.js';
import type { Reads } from '../intent/reads.js';
import type { Consistency } from '../reads/consistency.js';
import { isEntityId, refused } from '../refusals.js';
import { createAmendments } from './amending.js';
import type { Diagnose } from './diagnosis.js';

interface Deps {
  /** Principals that never answer for others: they have keys, none of which lets them. */
  readonly agents: Pick<ReadonlySet<string>, 'has'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<ServerConfig, 'suspension' | 'directory'>;
  readonly space: string;
  readonly consistency: Pick<Consistency, 'touch'>;
  readonly temporal: Pick<Temporal, 'update'>;
  readonly reads: Pick<Reads, 'getIntent' | 'getSuspension'>;
  readonly diagnose: Diagnose;
}

function toMute(): RefusalError {
  return refused('not_eligible', 'No key of this principal lets it answer for somebody else.', {
    field: 'to',
    accepted: 'the principal of a person who may answer',
  });
}

/**
 * What people do to an open question without answering it. Each returns the question as it stands, and throws
 * `suspension_not_found`, `suspension_settled`, what its rule refuses, or `workflow_unavailable`: it may then still happen
 * later. Doing it once more changes nothing; only a release is then refused, for there is no claim any more.
 */
export function createVerbs(deps: Deps) {
  const { agents, clock, config, consistency, temporal, diagnose, space } = deps;
  const { separation_of_duties } = config.suspension;
  const amend = createAmendments(deps.reads);

  async function send<Input extends Doing>(
    suspensionId: string,
    update: UpdateDefinition<LiveView, [Input]>,
    input: Input,
  ): Promise<SuspensionView> {
    const whyNot = () => diagnose(undefined, suspensionId);
    if (!isEntityId(suspensionId)) throw await whyNot();
    const write = createLiveWrite(temporal, 'suspension', whyNot);
    try {
      const view = await write(suspensionId, update, input);
      if (view.intent_id !== null) consistency.touch(view.intent_id);
      return viewAt(view, clock.now());
    } catch (error) {
      throw refusalOf(error)?.code === 'suspension_settled' ? await whyNot() : error;
    }
  }

  function doingOf(caller: Caller): Doing {
    return { ...sentBy(caller), ...(separation_of_duties && { separation_of_duties }) };
  }

  return {
    /**
     * Throws `forbidden`, `not_amendable`, `question_version_mismatch`, `too_many_changes`, or what `createAmendments` throws,
     * besides.
     */
    async amendSuspension(caller: Caller, suspensionId: string, request: AmendRequest) {
      const amending = { ...doingOf(caller), ...(await amend(suspensionId, request)) };
      return send(suspensionId, amendUpdate, amending);
    },

    /** Throws `forbidden`, `not_eligible` or `too_many_comments` besides. */
    commentOnSuspension: (
      caller: Caller,
      suspensionId: string,
      { text }: CommentRequest,
    ): Promise<SuspensionView> => send(suspensionId, commentUpdate, { ...doingOf(caller), text }),

    /**
     * Throws `forbidden`, `not_eligible`, `unknown_recipient`, `already_voted`, `delegation_not_allowed`, `claimed_by_other` or
     * `too_many_changes` besides.
     */
    async delegateSuspension(
      caller: Caller,
      suspensionId: string,
      { to, reason }: DelegateRequest,
    ): Promise<SuspensionView> {
      if (agents.has(to)) throw toMute();
      demand(checkDelegate(config.directory, to, space));
      return send(suspensionId, delegateUpdate, { ...doingOf(caller), to, reason });
    },

    /**
     * Throws `forbidden`, `question_version_mismatch`, `not_eligible`, `already_voted`, `claimed_by_other` or
     * `too_many_changes` besides.
     */
    async claimSuspension(caller: Caller, suspensionId: string, seen: ClaimRequest = {}) {
      return send(suspensionId, claimUpdate, { ...doingOf(caller), ...seen });
    },

    /** Throws `forbidden` or `not_claimed` besides. */
    releaseSuspension: (
      caller: Caller,
      suspensionId: string,
      { what }: ReleaseRequest = {},
    ): Promise<SuspensionView> =>
      send(suspensionId, releaseUpdate, { ...doingOf(caller), ...(what && { what }) }),
  };
}
