import type { Notice } from '../../contracts/channel/notification.js';
import { readNotice } from './notice.js';

/*
 * The service worker of the inbox: it keeps the built files, so that the page opens without a network, and shows
 * notifications. It caches no reply of the API or page of the server, and does not handle links of messages.
 */

declare const self: ServiceWorkerGlobalScope;

/** Files of the build with a hash in their names, and the one of them that is the page. The build inserts it. */
declare const HOLDPOINT_BUILD: { readonly files: readonly string[]; readonly shell: string };

const { files, shell } = HOLDPOINT_BUILD;
const PREFIX = 'holdpoint-';
const CACHE = PREFIX + shell;
const INBOX = '/inbox';
/** Its address holds a secret after `#`, and its page has to show the present state. */
const LINK = '/inbox/link';
const ICON = '/inbox/icon-192.png';
/** The icon that Android shows in its status bar. */
const BADGE = '/inbox/badge-96.png';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...files])));
});

// It waits until the pages of an earlier release are closed, because they need that release's files.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then(async (names) => {
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
    }),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (files.includes(pathname)) {
    event.respondWith(kept(pathname).then((found) => found ?? fetch(request)));
  } else if (request.mode === 'navigate' && isPage(pathname)) {
    // The server's page comes first: it names the files of the release that runs now.
    event.respondWith(fetch(request).catch(async () => (await kept(shell)) ?? Response.error()));
  }
});

function kept(path: string): Promise<Response | undefined> {
  return caches.open(CACHE).then((cache) => cache.match(path));
}

function isPage(path: string): boolean {
  const isLink = path === LINK || path.startsWith(`${LINK}/`);
  return path === INBOX || (path.startsWith(`${INBOX}/`) && !isLink);
}

self.addEventListener('push', (event) => {
  event.waitUntil(show(readNotice(event.data?.text())));
});

/** Shows what an open page sends, unless somebody looks at one of its tabs. */
self.addEventListener('message', (event) => {
  const sent = event.data as unknown;
  if (typeof sent !== 'string') return;
  event.waitUntil(
    windows().then(async (open) => {
      if (!open.some(({ focused }) => focused)) await show(readNotice(sent));
    }),
  );
});

/** A notice with the tag of an earlier one silently replaces it. */
function show({ title, body, tag, path }: Notice): Promise<void> {
  return self.registration.showNotification(title, {
    body,
    tag,
    icon: ICON,
    badge: BADGE,
    data: path,
    dir: 'auto',
  });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = event.notification.data as string;
  event.waitUntil(open(path));
});

/** Opens a page of the inbox, in an existing tab if there is one, which navigates by itself and keeps its drafts. */
async function open(path: string): Promise<void> {
  const [tab] = await windows();
  if (tab === undefined) {
    await self.clients.openWindow(path);
    return;
  }
  tab.postMessage({ open: path });
  await tab.focus();
}

async function windows(): Promise<readonly WindowClient[]> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return all.filter(({ url }) => isPage(new URL(url).pathname));
}
