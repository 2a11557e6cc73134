import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { ChildNews, ChildRef } from '../../domain/flow/child-ref.js';

/** From a flow that another one started: that it waits for a person, or goes on (JC-69). */
export const childNewsSignal = defineSignal<[ChildNews]>('composer.child');

/** The flows that a workflow's flows have started, the oldest first (JC-64). */
export const childrenQuery = defineQuery<readonly ChildRef[]>('composer_children');
