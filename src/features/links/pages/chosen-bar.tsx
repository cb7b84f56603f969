import { useQueryClient } from '@tanstack/react-query';
import { Ban, CalendarPlus } from 'lucide-react';
import { formatCount } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useWrite } from '#wire/use-write.tsx';
import type { ExpiryInput, MagicLink } from '../contract.ts';
import { links } from '../link-calls.tsx';

const extensions: readonly { label: string; expiry: ExpiryInput }[] = [
  { label: '24 hours from now', expiry: { kind: 'after', hours: 24 } },
  { label: '7 days from now', expiry: { kind: 'after', hours: 7 * 24 } },
  { label: '30 days from now', expiry: { kind: 'after', hours: 30 * 24 } },
  { label: 'Never', expiry: { kind: 'never' } },
];

/** What can be done with the chosen links; stays at the foot while the list scrolls. */
export function ChosenBar({
  chosen,
  onRevoke,
  onDone,
}: {
  chosen: readonly MagicLink[];
  onRevoke: (chosen: readonly MagicLink[]) => void;
  onDone: () => void;
}) {
  const queries = useQueryClient();
  const extend = useWrite(
    links.extend.mutationOptions({
      onSuccess: async ({ links: extended }) => {
        toast.success({ title: `${formatCount(extended.length, 'link')} extended` });
        onDone();
        await queries.invalidateQueries({ queryKey: links.key() });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't extend", message }),
    }),
  );
  const alive = chosen.filter(({ isRevoked }) => !isRevoked);
  return (
    <div
      data-foot
      className="sticky bottom-[calc(5.5rem+env(safe-area-inset-bottom))] z-10 mt-3 flex flex-wrap items-center gap-2 rounded-card border border-line bg-raised p-3 shadow-soft md:bottom-6"
    >
      <p role="status" className="flex-1 pl-1 font-medium">
        {`${chosen.length.toLocaleString('en')} selected`}
      </p>
      <Menu
        trigger={
          <Button variant="outline" icon={CalendarPlus} disabled={alive.length === 0} busy={extend.isPending}>
            Extend
          </Button>
        }
        items={extensions.map(({ label, expiry }) => ({
          label,
          onSelect: () => extend.mutate({ linkIds: alive.map(({ id }) => id), expiry }),
        }))}
      />
      <Button variant="danger" icon={Ban} disabled={alive.length === 0} onClick={() => onRevoke(alive)}>
        Revoke
      </Button>
    </div>
  );
}
