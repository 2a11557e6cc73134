import { defineSignal } from '@temporalio/workflow';
import type { SuspensionReport } from '../intent/messages.js';

/** What a suspension tells the workflow of an agent, by the workflow's id. */
export const inputReportSignal = defineSignal<[SuspensionReport]>('holdpointInputReport');
