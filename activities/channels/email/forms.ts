import type { MailContent, Part } from './content.js';
import { neutralised } from './addresses.js';
import { entryText, quoted } from '../entries.js';
import type { Entry } from '../entries.js';
import { anchored, escaped, tagged, unlinked } from './words.js';

const IN_BRACKETS =
  'So that no address becomes a link, brackets stand around dots and other signs of addresses here. The page shows all as it was written.';

/** The plain form of a mail. Programs make links of what they find in it, so texts of others have no addresses, and that is said. */
export function plainForm({ parts }: MailContent): string {
  const shown = parts.map((part) => plainPart(part, neutralised)).join('\n\n');
  const isChanged = shown !== parts.map((part) => plainPart(part, (text) => text)).join('\n\n');
  return isChanged ? `${shown}\n\n${IN_BRACKETS}\n` : `${shown}\n`;
}

function plainPart(part: Part, shown: (text: string) => string): string {
  switch (part.kind) {
    case 'text':
    case 'small':
      return shown(part.text);
    case 'quote':
      return quoted(shown(part.text));
    case 'entries':
      return quoted(shown(part.entries.map(entryText).join('\n')));
    case 'link': {
      const { label, about, url } = part;
      return [shown(label), ...(about ? [quoted(shown(about))] : []), url].join('\n');
    }
  }
}

const BODY = 'font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:1em auto;color:#1a1a1a';
const QUOTE = 'margin:1em 0;padding:0 0 0 1em;border-left:3px solid #767676';
/** Programs that know no `white-space` keep the lines of a `pre` all the same. */
const AS_WRITTEN = 'margin:0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere';
const HANGING = 'margin-left:2em;text-indent:-2em';
const LINK =
  'display:inline-block;padding:12px 20px;border:1px solid #1f4fbf;border-radius:6px;color:#1f4fbf;white-space:pre-wrap';
const SMALL = 'font-size:14px;color:#595959';

/** The HTML form: our own tags around escaped texts, and links that we have made. */
export function htmlForm({ parts }: MailContent): string {
  const body = parts.map(htmlPart).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Holdpoint</title>
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"></head>
<body style="${BODY}">
${body}
</body></html>
`;
}

function htmlPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return `<p>${unlinked(part.text)}</p>`;
    case 'small':
      return `<p style="${SMALL}">${escaped(part.text)}</p>`;
    case 'quote':
      return quote(written(unlinked(part.text)));
    case 'entries':
      return quote(part.entries.map(htmlEntry).join('\n'));
    case 'link': {
      const { url, label, about } = part;
      const link = `<p><a href="${escaped(url)}" dir="auto" style="${LINK}">${tagged(label)}</a></p>`;
      if (about === undefined) return link;
      return `${link}\n${quote(written(unlinked(about), SMALL))}`;
    }
  }
}

/** A bold name before its text, further out than the rows after it. A text of several lines is a quote of its own below. */
function htmlEntry({ name, text }: Entry): string {
  const named = `<strong>${tagged(name)}:</strong>`;
  if (!text.includes('\n')) return written(anchored(`${named} ${tagged(text)}`), HANGING);
  return `${written(anchored(named))}\n${quote(written(unlinked(text)))}`;
}

function quote(html: string): string {
  return `<blockquote style="${QUOTE}">${html}</blockquote>`;
}

/** A text of a person or agent, each line in its own direction. */
function written(html: string, style = ''): string {
  return `<pre dir="auto" style="${AS_WRITTEN};${style}">${html}</pre>`;
}
