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
import { unknownTaker } from '../../../domain/directory/known-people.js';
import { viewAt } from '../../../domain/suspension/view.js';
import type { QuestionAction } from '../../../domain/suspension/rights.js';
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
import type { Who } from './who.js';

interface Deps {
  readonly people: Who;
  /** Principals that never answer for others: they have keys, none of which lets them. */
  readonly agents: Pick<ReadonlySet<string>, 'has'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly config: Pick<ServerConfig, 'suspension' | 'directory' | 'notifications'>;
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

/** Sends what is done to a question, and returns that as it stands then. */
function createSend({ clock, consistency, temporal, diagnose }: Deps) {
  return async <Input extends Doing>(
    action: QuestionAction,
    suspensionId: string,
    update: UpdateDefinition<LiveView, [Input]>,
    input: Input,
  ): Promise<SuspensionView> => {
    const whyNot = () => diagnose({ by: input.by, action }, undefined, suspensionId);
    if (!isEntityId(suspensionId)) throw await whyNot();
    const write = createLiveWrite(temporal, 'suspension', whyNot);
    try {
      const view = await write(suspensionId, update, input);
      if (view.intent_id !== null) consistency.touch(view.intent_id);
      return viewAt(view, clock.now());
    } catch (error) {
      throw refusalOf(error)?.code === 'suspension_settled' ? await whyNot() : error;
    }
  };
}

/**
 * What people do to an open question without answering it. Each returns the question as it stands, and throws
 * `suspension_not_found`, `suspension_settled`, what its rule refuses, or `workflow_unavailable`: it may then still happen
 * later. Doing it once more changes nothing; only a release is then refused, for there is no claim any more.
 */
export function createVerbs(deps: Deps) {
  const { agents, config, people, space } = deps;
  const { separation_of_duties } = config.suspension;
  const amend = createAmendments(deps);
  const send = createSend(deps);

  function doingOf(caller: Caller): Doing {
    return { ...sentBy(caller), ...(separation_of_duties && { separation_of_duties }) };
  }

  return {
    /**
     * Throws `forbidden`, `not_amendable`, `question_version_mismatch`, `too_many_changes`, or what `createAmendments` throws,
     * besides.
     */
    async amendSuspension(caller: Caller, suspensionId: string, request: AmendRequest) {
      const amending = { ...doingOf(caller), ...(await amend(caller, suspensionId, request)) };
      return send('amendSuspension', suspensionId, amendUpdate, amending);
    },

    /** Throws `forbidden`, `not_eligible` or `too_many_comments` besides. */
    commentOnSuspension: (
      caller: Caller,
      suspensionId: string,
      { text }: CommentRequest,
    ): Promise<SuspensionView> =>
      send('commentOnSuspension', suspensionId, commentUpdate, { ...doingOf(caller), text }),

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
      const known = people();
      const warnings = known ? unknownTaker(to, known) : [];
      const told = warnings.length > 0 && { warnings };
      const delegating = { ...doingOf(caller), to, reason, ...told };
      return send('delegateSuspension', suspensionId, delegateUpdate, delegating);
    },

    /**
     * Throws `forbidden`, `question_version_mismatch`, `not_eligible`, `already_voted`, `claimed_by_other` or
     * `too_many_changes` besides.
     */
    async claimSuspension(caller: Caller, suspensionId: string, seen: ClaimRequest = {}) {
      const claiming = { ...doingOf(caller), ...seen };
      return send('claimSuspension', suspensionId, claimUpdate, claiming);
    },

    /** Throws `forbidden` or `not_claimed` besides. */
    releaseSuspension: (
      caller: Caller,
      suspensionId: string,
      { what }: ReleaseRequest = {},
    ): Promise<SuspensionView> => {
      const releasing = { ...doingOf(caller), ...(what && { what }) };
      return send('releaseSuspension', suspensionId, releaseUpdate, releasing);
    },
  };
}
