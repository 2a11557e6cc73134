import type { TextFormat } from '../../../contracts/suspension.js';
import { Markdown } from './Markdown.js';
import { Written } from './Written.js';

/** The whole text of a question: as it stands, or with the looks of Markdown where its asker has declared that. */
export function QuestionText({
  text,
  format = 'plain',
}: {
  readonly text: string;
  readonly format?: TextFormat | undefined;
}) {
  return format === 'markdown' ? <Markdown text={text} /> : <Written text={text} as="div" />;
}
