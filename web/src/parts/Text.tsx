import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { atTime } from '../state/clock.js';
import { useImageHost } from '../state/image-hosts.js';
import { kindOfLine, lookOf, pictureIn } from '../state/looks.js';
import { visible } from '../state/visible.js';
import { CopyButton } from './CopyButton.js';
import { OutsideLink } from './OutsideLink.js';
import { Picture, RemotePicture } from './Picture.js';
import { Ago } from './TimeLeft.js';
import { Button, cx } from './ui.js';
import { Written, WrittenIn } from './Written.js';
import css from './Text.module.css';

/** A longer text is folded until somebody wants all of it. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1_600;

/** A picture is there to be seen, not to be read. */
const SHORT_PICTURE = 200;

interface TextProps {
  readonly text: string;
  /** What the text is about, for screen readers. */
  readonly name?: string | undefined;
}

interface NamedText {
  readonly text: string;
  readonly name: string;
}

/** A text of a context as it was written. What else it is stands beside it: the local time, the picture, the colours of a diff. */
export function Text({ text, name = 'this text' }: TextProps) {
  const look = useMemo(() => lookOf(text), [text]);
  switch (look) {
    case 'address':
      return <Address text={text} name={name} />;
    case 'instant':
      return <Instant text={text} />;
    case 'picture':
      return <WithPicture text={text} name={name} />;
    case 'diff':
      return (
        <Block text={text} name={name}>
          <Diff text={text} />
        </Block>
      );
    case 'code':
      return (
        <Block text={text} name={name}>
          <Written text={text} as="div" className={css.code} />
        </Block>
      );
    case 'plain':
      return (
        <Block text={text} name={name}>
          <Written text={text} as="div" />
        </Block>
      );
  }
}

/** A link, and the picture to which it leads if the page may load that. */
function Address({ text, name }: NamedText) {
  const host = useImageHost(text);
  return (
    <>
      <WrittenIn>
        <OutsideLink href={text} words={visible(text)} />
      </WrittenIn>
      {host !== undefined && <RemotePicture address={text} host={host} name={name} />}
    </>
  );
}

/** An instant, first in the time of whoever reads it. Only what was written is copied. */
function Instant({ text }: { readonly text: string }) {
  return (
    <>
      <span className={css.beside}>
        {atTime(text)} your time, <Ago at={text} />
      </span>{' '}
      <Written text={text} className={css.original} />
    </>
  );
}

/** Longer text in its form, with a button that copies it as it was written. It is folded if it is very long. */
function Block({ text, name, children }: NamedText & { readonly children: ReactNode }) {
  const lines = text.split('\n').length;
  const isLong = lines > MOST_LINES || text.length > MOST_CHARACTERS;
  if (lines === 1 && !isLong) return children;
  const size = lines > 1 ? `${lines} lines` : `${text.length.toLocaleString()} characters`;
  return (
    <Folding isLong={isLong} size={size} name={name} text={text}>
      {children}
    </Folding>
  );
}

interface FoldingProps extends NamedText {
  readonly isLong: boolean;
  readonly size: string;
  readonly children: ReactNode;
}

function Folding({ isLong, size, name, text, children }: FoldingProps) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = isLong && !isOpen;
  return (
    <div className={css.block}>
      <div className={cx(isFolded && css.folded)}>{children}</div>
      <div className={css.buttons}>
        {isLong && (
          <Button
            kind="quiet"
            onPress={() => {
              setOpen(!isOpen);
            }}
          >
            {isOpen ? 'Show less' : `Show all ${size}`}
            <span className="only-heard"> of {visible(name)}</span>
          </Button>
        )}
        <CopyButton text={text} label="Copy" of={visible(name)} />
      </div>
    </div>
  );
}

/** A unified diff: each line stays, signs and all, and has the colour of what it does. */
function Diff({ text }: { readonly text: string }) {
  const lines = visible(text).split('\n');
  return (
    <WrittenIn className={css.code}>
      {lines.map((line, index) => (
        <span key={index}>
          <span className={css[kindOfLine(line)]}>{line}</span>
          {index < lines.length - 1 && '\n'}
        </span>
      ))}
    </WrittenIn>
  );
}

/** A picture in a data URL, and the text that it was given as. */
function WithPicture({ text, name }: NamedText) {
  const [isBroken, setBroken] = useState(false);
  const size = useMemo(() => pictureIn(text), [text]);
  return (
    <>
      {size && !isBroken && (
        <Picture
          src={text}
          name={name}
          size={size}
          onBroken={() => {
            setBroken(true);
          }}
        >
          A picture from whoever asked, not a part of this page
        </Picture>
      )}
      <Folding
        isLong={text.length > SHORT_PICTURE}
        size={`${text.length.toLocaleString()} characters`}
        name={name}
        text={text}
      >
        <Written text={text} as="div" className={css.code} />
      </Folding>
    </>
  );
}
