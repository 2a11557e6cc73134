import { defineSignal } from '@temporalio/workflow';
import type { Announced } from '../../contracts/announcement.js';

/** To an intent or a portfolio: tell this workflow (its id) what you are now, and after every change. */
export const observeSignal = defineSignal<[observer: string]>('observe');

/** To an intent or a portfolio: tell this workflow no more. */
export const unobserveSignal = defineSignal<[observer: string]>('unobserve');

/** From an intent or a portfolio to an observer. */
export const announcementSignal = defineSignal<[Announced]>('announcement');
