import { Suspense, lazy } from 'react';
import type { ComponentProps } from 'react';

const FormAnswer = lazy(async () => ({ default: (await import('./FormAnswer.js')).FormAnswer }));

/** A form, which is loaded once a page needs one. */
export function LazyForm(props: ComponentProps<typeof FormAnswer>) {
  return (
    <Suspense fallback={<p role="status">Loading the form…</p>}>
      <FormAnswer {...props} />
    </Suspense>
  );
}
