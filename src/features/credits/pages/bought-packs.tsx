import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount, formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { BoughtPack } from '../contract.ts';
import { credits } from './credits-calls.tsx';

/** What was bought, and what of it can still be had back. */
export function BoughtPacks({ packs }: { packs: readonly BoughtPack[] }) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="Your packs" />
      <List label="Your packs">
        {packs.map((pack) => (
          <li key={pack.id}>
            <Row
              title={formatCount(pack.credits, 'credit')}
              mark={<State pack={pack} />}
              quiet={`${formatDate(pack.at, now)} · ${formatMoney(pack.amountCents, pack.currency.toUpperCase())} · ${pack.unused} unused`}
              story={pack.back && `Refundable until ${formatDate(pack.back.until, now)}`}
              end={pack.back && <AskBack pack={pack} cents={pack.back.cents} />}
            />
          </li>
        ))}
      </List>
    </section>
  );
}

const words: Readonly<Record<BoughtPack['state'], string | undefined>> = {
  bought: undefined,
  returning: 'Refund on its way',
  refunded: 'Refunded',
  disputed: 'In dispute',
  charged_back: 'Returned by your bank',
};

function State({ pack: { state } }: { pack: BoughtPack }) {
  const text = words[state];
  return text === undefined ? null : <Chip tone="plain">{text}</Chip>;
}

function AskBack({ pack, cents }: { pack: BoughtPack; cents: number }) {
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  const ask = useWrite(
    credits.askBack.mutationOptions({
      onSuccess: ({ state }) => {
        setAsked(false);
        toast.success({ title: state === 'refunded' ? 'Refunded' : 'Your refund is on its way' });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't refund", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: credits.key() }),
    }),
  );
  const amount = formatMoney(cents, pack.currency.toUpperCase());
  return (
    <>
      <Button variant="bare" onClick={() => setAsked(true)}>
        Refund
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Refund ${amount}?`}
        description={`The ${formatCount(pack.unused, 'unused credit')} of this pack ${pack.unused === 1 ? 'goes' : 'go'} at once, and ${amount} goes back to the card you paid with. This works once for each pack.`}
        confirm={`Refund ${amount}`}
        danger
        busy={ask.isPending}
        onConfirm={() => ask.mutate({ packId: pack.id })}
      />
    </>
  );
}
