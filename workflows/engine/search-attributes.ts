import {
  defineSearchAttributeKey,
  type SearchAttributePair,
  type TypedSearchAttributes,
} from '@temporalio/common';
import type { Coordinator } from '../../contracts/coordinator/coordinator.js';
import type { Intent } from '../../contracts/intent/intent.js';
import type { LiveView } from '../../contracts/suspension/view.js';

const SPACE = defineSearchAttributeKey('HoldpointSpace', 'KEYWORD');
const STATE = defineSearchAttributeKey('HoldpointState', 'KEYWORD');
const INTENT_ID = defineSearchAttributeKey('HoldpointIntentId', 'KEYWORD');
const SUBJECT = defineSearchAttributeKey('HoldpointSubject', 'KEYWORD');
const ASKED_BY = defineSearchAttributeKey('HoldpointAskedBy', 'KEYWORD');
const CHANNEL = defineSearchAttributeKey('HoldpointChannel', 'KEYWORD');
const EXPIRES_AT = defineSearchAttributeKey('HoldpointExpiresAt', 'DATETIME');

/** The search attribute of every new workflow. It never changes, so nothing else sets it. */
export function spaceAttribute(space: string): SearchAttributePair {
  return { key: SPACE, value: space };
}

export function creationAttributes({ id, status }: Intent): SearchAttributePair[] {
  return [{ key: INTENT_ID, value: id }, ...statusAttributes(status)];
}

export function statusAttributes(status: string): SearchAttributePair[] {
  return [{ key: STATE, value: status }];
}

export function planAttributes(intentId: string, status: string): SearchAttributePair[] {
  return [{ key: INTENT_ID, value: intentId }, ...statusAttributes(status)];
}

export function coordinatorAttributes({ status, intent_id }: Coordinator): SearchAttributePair[] {
  const state = { key: STATE, value: status };
  return intent_id === null ? [state] : [state, { key: INTENT_ID, value: intent_id }];
}

export function approvalAttributes({
  asked_by,
  intent_id,
}: {
  readonly asked_by: string;
  readonly intent_id: string | null;
}): SearchAttributePair[] {
  const asked = [{ key: ASKED_BY, value: asked_by }, ...statusAttributes('pending')];
  return intent_id === null ? asked : [...asked, { key: INTENT_ID, value: intent_id }];
}

export function openingAttributes(view: LiveView): SearchAttributePair[] {
  const { channel_hint, expires_at } = view.record;
  return [
    { key: STATE, value: 'pending' },
    ...(view.intent_id === null ? [] : [{ key: INTENT_ID, value: view.intent_id }]),
    ...(channel_hint === undefined ? [] : [{ key: CHANNEL, value: channel_hint }]),
    ...(expires_at === undefined ? [] : [{ key: EXPIRES_AT, value: new Date(expires_at) }]),
  ];
}

/** The workflow that waits for a suspension, from the suspension's search attributes. */
export function subjectIn(attributes: TypedSearchAttributes): string | undefined {
  return attributes.get(SUBJECT);
}

/** Search attributes of a suspension that never change: the waiting workflow, if any, and who asked. */
export function askerAttributes({
  subject_workflow_id: subject,
  asked_by,
}: {
  readonly subject_workflow_id: string | null;
  readonly asked_by: string;
}): SearchAttributePair[] {
  const asker = { key: ASKED_BY, value: asked_by };
  return subject === null ? [asker] : [{ key: SUBJECT, value: subject }, asker];
}

/** The search attribute that changes if the current attempt goes over another channel than an earlier one. */
export function channelAttributes(
  { schedule, attempt: current }: LiveView,
  earlier: number,
): SearchAttributePair[] {
  const channelOf = (nth: number) =>
    schedule.attempts.find(({ attempt }) => attempt === nth)?.channel_hint;
  const channel = channelOf(current);
  return channel && channel !== channelOf(earlier) ? [{ key: CHANNEL, value: channel }] : [];
}
