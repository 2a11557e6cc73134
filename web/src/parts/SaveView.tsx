import { Suspense, lazy, useState } from 'react';
import { useSavedAs } from '../state/saved-views.js';
import { useMay } from '../state/session.js';
import type { Filters, View } from '../state/views.js';
import { Button } from './ui.js';

const SavedViewDialog = lazy(async () => ({
  default: (await import('./SavedViewDialog.js')).SavedViewDialog,
}));

interface SaveViewProps {
  readonly view: View;
  readonly filters: Filters;
}

/** Saves the list as it is filtered and sorted, or changes what it was saved as. */
export function SaveView({ view, filters }: SaveViewProps) {
  const [isOpen, setOpen] = useState(false);
  const saved = useSavedAs(view, filters);
  const maySave = useMay()('saveView');
  const isPlain = Object.keys(filters).length === 0;
  if (!maySave || (isPlain && saved === undefined && !isOpen)) return null;
  return (
    <>
      <Button
        onPress={() => {
          setOpen(true);
        }}
      >
        {saved ? 'Edit view…' : 'Save view…'}
      </Button>
      <Suspense>
        {isOpen && (
          <SavedViewDialog
            view={view}
            filters={filters}
            saved={saved}
            onClose={() => {
              setOpen(false);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
