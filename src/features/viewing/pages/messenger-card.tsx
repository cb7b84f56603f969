import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Card } from '#ui/layout/card.tsx';

/** What a messenger reads in the page of a link. */
interface CardFacts {
  title: string;
  text: string;
  image: string;
}

const readMeta = (html: string, property: string): string =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1] ?? '';

/** Reads the page that a messenger fetches; it is the same for every link, and nothing is looked up for it. */
async function readCard(address: string): Promise<CardFacts> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("The card couldn't be loaded.");
  const html = await answer.text();
  const image = new URL(readMeta(html, 'og:image'), location.origin).pathname;
  return { title: readMeta(html, 'og:title'), text: readMeta(html, 'og:description'), image };
}

const messengers = [
  { value: 'whatsapp', label: 'WhatsApp' },
  { value: 'instagram', label: 'Instagram' },
] as const;
type Messenger = (typeof messengers)[number]['value'];

/** How a link looks in a chat, by what its page really tells a messenger. @param slug left out where there is no link yet */
export function MessengerCard({ slug = 'a-new-link' }: { slug?: string | undefined }) {
  const [messenger, setMessenger] = useState<Messenger>('whatsapp');
  const path = `/view/${slug}`;
  const card = useQuery({ queryKey: ['messenger-card', path], queryFn: () => readCard(path) });
  return (
    <Card className="grid content-start gap-4">
      <h2 className="text-21">In a chat</h2>
      <Segmented label="Messenger" options={messengers} value={messenger} onChange={setMessenger} />
      {card.isPending && <Skeleton className="aspect-[1.91] w-full rounded-photo" />}
      {card.isError && <ErrorState error={card.error} onRetry={() => void card.refetch()} busy={card.isRefetching} />}
      {card.data && <Bubble messenger={messenger} card={card.data} address={location.host + path} />}
      <p className="text-13 text-quiet">
        Every link looks like this, with or without a price: no name, no picture of yours. Each app draws it a little
        differently.
      </p>
    </Card>
  );
}

/** One message with the card of its link. */
function Bubble({ messenger, card, address }: { messenger: Messenger; card: CardFacts; address: string }) {
  const picture = (
    <img src={card.image} alt="" width="1200" height="630" className="aspect-[1.91] w-full object-cover" />
  );
  const words = (
    <span className="grid gap-0.5 px-3 py-2.5">
      <span className="font-strong">{card.title}</span>
      <span className="text-13 text-quiet">{card.text}</span>
      <span className="text-13 text-quiet">{location.host}</span>
    </span>
  );
  if (messenger === 'instagram')
    return (
      <figure
        aria-label="The card in Instagram"
        className="grid max-w-80 justify-self-end overflow-hidden rounded-card border border-line bg-paper"
      >
        <span className="px-3 py-2.5 text-plum wrap-anywhere">{address}</span>
        {picture}
        {words}
      </figure>
    );
  return (
    <figure aria-label="The card in WhatsApp" className="grid max-w-80 justify-self-end rounded-card bg-moss-wash p-1">
      <span className="grid overflow-hidden rounded-photo bg-paper">
        {picture}
        {words}
      </span>
      <span className="px-2 py-1.5 text-plum wrap-anywhere">{address}</span>
    </figure>
  );
}
