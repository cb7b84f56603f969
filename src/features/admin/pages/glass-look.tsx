import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import type { GlassSubject, PastLook } from '#features/reports/glass-contract.ts';
import { formatCount, isolate } from '#kit/text.ts';
import { formatMoment, minuteMs } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import type { AdminScope } from '#wire/promise.ts';
import { useWrite } from '#wire/use-write.tsx';
import { adminGlass } from '../admin-calls.tsx';
import { BehindGlass } from './behind-glass.tsx';
import { GlassDialog } from './glass-dialog.tsx';

interface GlassLookProps {
  about: GlassSubject;
  scopes: readonly AdminScope[];
  /** They are the administrator's own photos and videos. */
  isOwn: boolean;
}

/** The private photos and videos that a decision is about: closed, until an administrator says why they look. */
export function GlassLook({ about, scopes, isOwn }: GlassLookProps) {
  const query = useQuery(adminGlass.about.queryOptions({ input: { about }, refetchInterval: minuteMs }));
  const now = useNow();
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: adminGlass.key() });
  const close = useWrite(
    adminGlass.close.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'It is closed again' });
        return refresh();
      },
      onError: (error) => toast.error({ title: "Couldn't close it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <Card className="grid gap-3">
      <h2 className="text-17">What it shows</h2>
      <Loaded query={query} label="Loading who has looked">
        {({ open, looks }) => {
          const isOpen = open !== null && open.endsAt > now;
          const minutes = isOpen ? Math.max(1, Math.ceil((open.endsAt.getTime() - now.getTime()) / minuteMs)) : 0;
          return (
            <div className="grid gap-3">
              {isOpen ? (
                <>
                  <div className="flex flex-wrap items-center justify-between gap-3">
                    <p role="status">{`Open for ${formatCount(minutes, 'more minute', 'more minutes')}.`}</p>
                    <Button
                      variant="outline"
                      icon={EyeOff}
                      busy={close.isPending}
                      onClick={() => close.mutate({ glassId: open.id })}
                    >
                      Close now
                    </Button>
                  </div>
                  <BehindGlass key={open.id} glass={open} />
                </>
              ) : (
                <Closed isOwn={isOwn} mayKeepQuiet={scopes.includes('owner')} onAsk={() => setAsking(true)} />
              )}
              <Looks looks={looks} now={now} />
            </div>
          );
        }}
      </Loaded>
      {isAsking && (
        <GlassDialog
          about={about}
          mayKeepQuiet={scopes.includes('owner')}
          onClose={() => setAsking(false)}
          onOpened={refresh}
        />
      )}
    </Card>
  );
}

function Closed({ isOwn, mayKeepQuiet, onAsk }: { isOwn: boolean; mayKeepQuiet: boolean; onAsk: () => void }) {
  if (isOwn) return <p className="text-quiet">These are your own photos and videos. Someone else looks at them.</p>;
  return (
    <>
      <p className="text-quiet">
        {`They are private. You can look for 30 minutes when you say why: what you see is marked with your name, that you looked is written down, and the creator is told${mayKeepQuiet ? ', unless a law forbids it' : ''}.`}
      </p>
      <Button variant="outline" icon={Eye} className="justify-self-start" onClick={onAsk}>
        Look at it
      </Button>
    </>
  );
}

/** Who has looked so far, the newest first. */
function Looks({ looks, now }: { looks: readonly PastLook[]; now: Date }) {
  if (looks.length === 0) return null;
  return (
    <ul className="grid gap-2 border-t border-line pt-3">
      {looks.map(({ id, adminName, reason, isTold, openedAt }) => (
        <li key={id} className="grid text-13 text-quiet wrap-anywhere">
          <span>{`${adminName === '' ? 'An administrator' : isolate(adminName)} looked on ${formatMoment(openedAt, now)}${isTold ? '' : '; the creator was not told'}`}</span>
          <span>{isolate(reason)}</span>
        </li>
      ))}
    </ul>
  );
}
