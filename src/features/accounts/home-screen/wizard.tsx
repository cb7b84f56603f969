import { Check } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Card } from '#ui/layout/card.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { accounts, useMe } from '../guard.tsx';
import { listWizardSteps, type WayHome } from './way-home.ts';

/** Four steps to the home screen; only their end counts as done. */
export function HomeScreenWizard({ way, onClose }: { way: WayHome; onClose: () => void }) {
  const [at, setAt] = useState(0);
  const { askAgain } = useMe();
  // What goes wrong here is no news for anybody: the steps are offered again.
  const note = useWrite(accounts.noteHomeScreen.mutationOptions({ onSuccess: () => askAgain() }));
  const steps = listWizardSteps(way);
  const step = steps[at];
  const isLast = at === steps.length - 1;
  const end = (isDone: boolean) => {
    note.mutate({ isDone });
    onClose();
    if (isDone) toast.success({ title: 'Done!', message: 'You can now use the product like a mobile app!' });
  };
  return (
    <Card aria-labelledby="home-screen" className="grid gap-4">
      <header className="flex items-baseline justify-between gap-3">
        <h2 id="home-screen" className="text-21">
          Add to home screen
        </h2>
        <p className="flex-none text-13 text-quiet tabular-nums">{`Step ${at + 1} of ${steps.length}`}</p>
      </header>
      <div aria-live="polite" className="grid min-h-22 content-start gap-1">
        <h3 className="font-text text-15 font-strong tracking-normal">{step?.title}</h3>
        <p className="text-quiet">{step?.text}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="outline" disabled={at === 0} onClick={() => setAt(at - 1)}>
          Previous
        </Button>
        {isLast ? (
          <Button icon={Check} onClick={() => end(true)}>
            Done!
          </Button>
        ) : (
          <Button onClick={() => setAt(at + 1)}>Next</Button>
        )}
        <Button variant="bare" className="ml-auto" onClick={() => end(false)}>
          Skip for now
        </Button>
      </div>
    </Card>
  );
}
