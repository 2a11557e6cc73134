/** More do not fit. */
const MOST_SHOWN = 9;

let plain: string | undefined;

/** Shows in the icon of the tab, and of the installed page, how many questions wait for this person; none for 0. */
export function showInIcon(count: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon === null) return;
  plain ??= icon.href;
  icon.href = count === 0 ? plain : `data:image/svg+xml,${encodeURIComponent(iconWith(count))}`;
  // Only browsers that install pages have badges, and they may refuse one.
  if ('setAppBadge' in navigator) navigator.setAppBadge(count).catch(() => undefined);
}

function iconWith(count: number): string {
  const text = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
  const size = text.length > 1 ? 13 : 16;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2057c4"/>
<path d="M7 10v16M16 10v16M7 18h9" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/>
<circle cx="22" cy="10" r="10" fill="#c4201f"/>
<text x="22" y="${10 + size * 0.36}" font-family="sans-serif" font-weight="bold" font-size="${size}" text-anchor="middle" fill="#fff">${text}</text>
</svg>`;
}
