import { useQueryClient } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { FullCheck } from './contract.ts';
import { fullCheck } from './fullcheck-calls.tsx';

/** The time in which a run that was just begun cannot be ended: the second press of a slow double click would. */
const freshMs = 1500;

/** Begins a run of the whole check, or ends the one that is under way. */
export function RunButton({ label, running }: { label: string; running: FullCheck | undefined }) {
  const queries = useQueryClient();
  const [isFresh, setFresh] = useState(false);
  const settle = {
    onSuccess: () => queries.invalidateQueries({ queryKey: fullCheck.key() }),
    onError: (error: unknown) => {
      toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] });
    },
  };
  const start = useWrite(
    fullCheck.start.mutationOptions({
      ...settle,
      onSuccess: () => {
        setFresh(true);
        return settle.onSuccess();
      },
    }),
  );
  const cancel = useWrite(fullCheck.cancel.mutationOptions(settle));
  useEffect(() => {
    if (!isFresh) return;
    const timer = setTimeout(() => setFresh(false), freshMs);
    return () => clearTimeout(timer);
  }, [isFresh]);
  if (running === undefined)
    return (
      <Button icon={Play} busy={start.isPending} onClick={() => start.mutate({})}>
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
