import type { Notice } from '../../contracts/channel/notification.js';

/** Shown if a message cannot be read: the browser demands a notification for each push. */
const UNKNOWN: Notice = {
  title: 'Holdpoint',
  body: 'Open the inbox.',
  tag: 'inbox',
  path: '/inbox',
};
const PAGE = /^\/inbox(?:\/[\w-]+)*$/;

/** Reads what the server, or the page, has sent. It opens only pages of the inbox. */
export function readNotice(text: string | undefined): Notice {
  try {
    const { title, body, tag, path } = JSON.parse(text ?? '') as Partial<Record<string, unknown>>;
    const isRead = isText(title) && isText(body) && isText(tag) && isText(path) && PAGE.test(path);
    return isRead ? { title, body, tag, path } : UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
