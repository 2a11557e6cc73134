import { useState } from 'react';
import type { ReactNode } from 'react';
import { visible } from '../state/visible.js';
import { Button } from './ui.js';
import css from './Picture.module.css';

interface PictureProps {
  readonly src: string;
  /** What it is about, as it was written. */
  readonly name: string;
  /** In px, if it is known before the picture is there. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Whose picture it is. */
  readonly children: ReactNode;
  readonly onBroken: () => void;
}

/** A picture in a frame, so that nobody takes it for a part of the page. */
export function Picture({ src, name, size, children, onBroken }: PictureProps) {
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

/** A picture of another host once somebody wants it, because the host then learns that, and from which network. */
export function RemotePicture({ address, host, name }: RemotePictureProps) {
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
