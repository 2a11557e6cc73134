import { defineSignal } from '@temporalio/workflow';
import type { Announcement } from '../../contracts/announcement.js';

/** To an intent: tell this workflow (its id) what you are now, and after every change. */
export const observeSignal = defineSignal<[observer: string]>('observe');

/** To an intent: tell this workflow no more. */
export const unobserveSignal = defineSignal<[observer: string]>('unobserve');

/** From an intent to an observer. */
export const announcementSignal = defineSignal<[Announcement]>('announcement');
