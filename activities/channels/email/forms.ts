import type { MailContent, Part } from './content.js';
import { escaped } from './words.js';

/** The plain form of a mail. */
export function plainForm({ parts }: MailContent): string {
  return `${parts.map(plainPart).join('\n\n')}\n`;
}

function plainPart(part: Part): string {
  switch (part.kind) {
    case 'text':
    case 'small':
      return part.text;
    case 'quote':
      return part.text.replace(/^/gm, '> ');
    case 'link':
      return [part.label, part.about, part.url].filter(Boolean).join('\n');
  }
}

const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:1em auto;color:#1a1a1a';
const QUOTE = 'margin:1em 0;padding:0 0 0 1em;border-left:3px solid #767676;white-space:pre-wrap';
const LINK =
  'display:inline-block;padding:12px 20px;border:1px solid #1f4fbf;border-radius:6px;color:#1f4fbf';
const SMALL = 'font-size:14px;color:#595959';

/** The HTML form: our own tags around escaped texts, and links that we have made. */
export function htmlForm({ parts }: MailContent): string {
  const body = parts.map(htmlPart).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Holdpoint</title></head>
<body style="${BODY}">
${body}
</body></html>
`;
}

function htmlPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return `<p>${escaped(part.text)}</p>`;
    case 'small':
      return `<p style="${SMALL}">${escaped(part.text)}</p>`;
    case 'quote':
      return `<blockquote style="${QUOTE}">${escaped(part.text)}</blockquote>`;
    case 'link': {
      const about =
        part.about === undefined ? '' : ` <span style="${SMALL}">${escaped(part.about)}</span>`;
      return `<p><a href="${escaped(part.url)}" style="${LINK}">${escaped(part.label)}</a>${about}</p>`;
    }
  }
}
