import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes, formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { ProgressBar } from '#ui/feedback/progress-bar.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminJunk } from '../admin-calls.tsx';
import type { JunkPlan, JunkRow } from '../junk-contract.ts';
import { junkWords, planStates } from '../junk-words.ts';

export const meta = () => [{ title: 'Junk · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const busyMs = 1000;
const restMs = 30_000;

/** What lies about and is of no use to anybody: looked at first, then cleaned, exactly that. */
export default function JunkPage() {
  const query = useQuery(
    adminJunk.list.queryOptions({
      input: {},
      refetchInterval: ({ state }) => (state.data?.kinds.some(isBusy) ? busyMs : restMs),
    }),
  );
  return (
    <>
      <PageHeader
        title="Junk"
        facts="A look lists what is of no use, and touches nothing. Cleaning removes exactly what was listed, as far as it is still of no use then."
      />
      <div className="max-w-190">
        <Loaded query={query} label="Counting">
          {({ kinds }) => (
            <List label="Kinds of junk">
              {kinds.map((row) => (
                <li key={row.kind}>
                  <Kind row={row} />
                </li>
              ))}
            </List>
          )}
        </Loaded>
      </div>
    </>
  );
}

const isBusy = ({ plan }: JunkRow) => plan?.state === 'looking' || plan?.state === 'cleaning';

function Kind({ row }: { row: JunkRow }) {
  const { kind, plan } = row;
  const { name, about } = junkWords[kind];
  return (
    <div className="grid gap-2 px-4 py-3.5">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-strong">{name}</span>
        <span className="tabular-nums">{describeCount(row)}</span>
      </p>
      <p className="text-13 text-pretty text-quiet">{about}</p>
      {plan !== null && <Plan plan={plan} name={name} />}
      <Actions row={row} name={name} />
    </div>
  );
}

const describeCount = ({ count, sizeBytes }: JunkRow): string => {
  if (count === null) return 'A look tells';
  return sizeBytes === null || count === 0 ? String(count) : `${count}, ${formatBytes(sizeBytes)}`;
};

/** What the last look has found, and how far that is cleaned. */
function Plan({ plan, name }: { plan: JunkPlan; name: string }) {
  const { state, askedAt, listed, done, samples } = plan;
  const { word, tone } = planStates[state];
  return (
    <div className="grid gap-1.5 text-13">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Chip tone={tone}>{word}</Chip>
        <RelativeTime at={askedAt} />
        {state !== 'looking' && <span>{describeFound(plan)}</span>}
      </p>
      {state === 'cleaning' && <ProgressBar label={`Cleaning ${name}`} done={listed === 0 ? 1 : done / listed} />}
      {state === 'found' && samples.length > 0 && (
        <details>
          <summary className="grid min-h-11 cursor-pointer content-center text-quiet">{`The first ${samples.length}`}</summary>
          <ul className="mt-1 grid gap-0.5 text-quiet">
            {samples.map((id) => (
              <li key={id} className="wrap-anywhere">
                {isolate(id)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function describeFound({ state, found, listed, sizeBytes, more, fewer, done, cleaned }: JunkPlan): string {
  if (state !== 'found') return `${cleaned} of ${listed} cleaned, ${done - cleaned} kept: of use again`;
  return [
    `${formatCount(found, 'found', 'found')}`,
    ...(found > listed ? [`the first ${listed} are listed`] : []),
    ...(sizeBytes === null || found === 0 ? [] : [formatBytes(sizeBytes)]),
    ...(more + fewer === 0 ? [] : [`since the look before ${more} more, ${fewer} gone`]),
  ].join(', ');
}

function Actions({ row: { kind, isOnlyShown, plan }, name }: { row: JunkRow; name: string }) {
  const [isAsking, setAsking] = useState(false);
  const look = useWrite(adminJunk.look.mutationOptions(useSettled()));
  const clean = useWrite(adminJunk.clean.mutationOptions(useSettled()));
  const cancel = useWrite(adminJunk.cancel.mutationOptions(useSettled()));
  const hash = plan?.state === 'found' && plan.listed > 0 && !isOnlyShown ? plan.hash : undefined;
  if (plan?.state === 'cleaning')
    return (
      <p>
        <Button variant="outline" busy={cancel.isPending} onClick={() => cancel.mutate({ kind })}>
          End cleaning
        </Button>
      </p>
    );
  return (
    <p className="flex flex-wrap gap-2">
      <Button
        variant="outline"
        aria-label={`${plan === null ? 'Look' : 'Look again'} for: ${name}`}
        busy={look.isPending || plan?.state === 'looking'}
        onClick={() => look.mutate({ kind })}
      >
        {plan === null ? 'Look' : 'Look again'}
      </Button>
      {hash !== undefined && (
        <Button variant="danger" aria-label={`Clean ${plan?.listed ?? 0}: ${name}`} onClick={() => setAsking(true)}>
          {`Clean ${plan?.listed ?? 0}`}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking && hash !== undefined}
        onClose={() => setAsking(false)}
        title={`Clean ${name}?`}
        description={`${formatCount(plan?.listed ?? 0, 'thing')} for good. What is of use again by then is kept.`}
        confirm="Clean"
        danger
        onConfirm={() => {
          if (hash !== undefined) clean.mutate({ kind, hash });
          setAsking(false);
        }}
      />
    </p>
  );
}

/** What follows on each of the three. */
function useSettled() {
  const queries = useQueryClient();
  return {
    onSuccess: () => queries.invalidateQueries({ queryKey: adminJunk.key() }),
    onError: (error: unknown) => {
      toast.error({ title: "That didn't work", message: Object.values(faultsOf(error))[0] });
    },
  };
}
