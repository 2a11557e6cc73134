import writtenCss from './Written.module.css';
import { useMemo, useState, type ReactNode } from 'react';
import { visible } from '../../state/list/visible.js';
import { Button, CopyButton, cx } from '../ui.js';
import css from './Text.module.css';
import { atTime } from '../../state/clock.js';
import { kindOfLine, lookOf, pictureIn, useImageHost } from '../../state/list/looks.js';
import { Ago } from './TimeLeft.js';
import { Written, WrittenIn } from './Written.js';

/** Whether a text names the target of its link. An address can begin with a host name and still lead to another host. */
function saysPlace(text: string, { origin }: URL): boolean {
  return text === origin || text.startsWith(`${origin}/`);
}

interface OutsideLinkProps {
  readonly href: string;
  /** The text of the link, made visible. */
  readonly words: string;
  /** The same text, if it has a style. */
  readonly children?: ReactNode;
}

/** A link to another site, with its host, because its text is the agent's. */
export function OutsideLink({ href, words, children = words }: OutsideLinkProps) {
  const place = URL.canParse(href) ? new URL(href) : undefined;
  if (!place?.host) return children;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!saysPlace(words, place) && <span className={writtenCss.host} data-host={place.host} />}
    </>
  );
}

interface PictureProps {
  readonly src: string;
  /** The name of the text with the picture, as it was written. */
  readonly name: string;
  /** In px, if it is known before the picture is loaded. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly children: ReactNode;
  readonly onBroken: () => void;
}

/** A picture in a frame, so that nobody takes it for a part of the page. */
function Picture({ src, name, size, children, onBroken }: PictureProps) {
  return (
    <figure className={css.picture}>
      <img
        src={src}
        alt={`Picture: ${visible(name)}`}
        {...size}
        referrerPolicy="no-referrer"
        onError={onBroken}
      />
      <figcaption>{children}</figcaption>
    </figure>
  );
}

interface RemotePictureProps {
  readonly address: string;
  readonly host: string;
  readonly name: string;
}

/** A picture of another host, loaded on request only: the host then learns that it is viewed, and from which network. */
function RemotePicture({ address, host, name }: RemotePictureProps) {
  const [state, setState] = useState<'hidden' | 'shown' | 'broken'>('hidden');
  const isShown = state === 'shown';
  return (
    <>
      <div className={css.button}>
        <Button
          kind="quiet"
          onPress={() => {
            setState(isShown ? 'hidden' : 'shown');
          }}
        >
          {isShown ? 'Hide the picture' : `Show the picture from ${host}`}
          <span className="only-heard"> of {visible(name)}</span>
        </Button>
      </div>
      <p role="status" className={css.broken}>
        {state === 'broken' && `No picture came from ${host}.`}
      </p>
      {isShown && (
        <Picture
          src={address}
          name={name}
          onBroken={() => {
            setState('broken');
          }}
        >
          A picture from {host}, not a part of this page
        </Picture>
      )}
    </>
  );
}

/** A longer text is folded until somebody unfolds it. */
const MOST_LINES = 20;
const MOST_CHARACTERS = 1_600;

/** A longer text of a picture is folded, because a picture is there to be seen. */
const SHORT_PICTURE = 200;

interface TextProps {
  readonly text: string;
  readonly name?: string | undefined;
}

interface NamedText {
  readonly text: string;
  readonly name: string;
}

/**
 * A text of a context as it was written, with its other forms beside it: the local time, the picture, the colours of
 * a diff.
 */
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

/** A link, with the picture at its address if the page may load that. */
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

/** An instant, first in the reader's local time. Only the original text is copied. */
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
