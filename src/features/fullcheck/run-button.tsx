import { useQueryClient } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { FullCheck } from './contract.ts';
import { fullCheck } from './fullcheck-calls.tsx';

/** The time in which the button does nothing after it has changed: a press that was meant for what it was before does no more. */
const freshMs = 1500;

/** Returns whether the button has become the other one just now: a run was begun here, or has ended by itself. */
function useJustChanged(isRunning: boolean): boolean {
  const [settled, setSettled] = useState(isRunning);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(isRunning), freshMs);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return settled !== isRunning;
}

/** Begins a run of the whole check, or ends the one that is under way. */
export function RunButton({ label, running }: { label: string; running: FullCheck | undefined }) {
  const queries = useQueryClient();
  const isFresh = useJustChanged(running !== undefined);
  const settle = {
    onSuccess: () => queries.invalidateQueries({ queryKey: fullCheck.key() }),
    onError: (error: unknown) => {
      toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] });
    },
  };
  const start = useWrite(fullCheck.start.mutationOptions(settle));
  const cancel = useWrite(fullCheck.cancel.mutationOptions(settle));
  if (running === undefined)
    return (
      <Button icon={Play} busy={start.isPending} onClick={() => (isFresh ? undefined : start.mutate({}))}>
        {label}
      </Button>
    );
  return (
    <Button
      variant="outline"
      icon={Square}
      busy={cancel.isPending || running.isEnding}
      onClick={() => (isFresh ? undefined : cancel.mutate({}))}
    >
      End it
    </Button>
  );
}
