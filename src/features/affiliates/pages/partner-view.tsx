import { Copy, Landmark } from 'lucide-react';
import { useState } from 'react';
import { formatCount, formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { copyLater } from '#ui/copy-later.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { QrCode } from '#ui/pictures/qr-code.tsx';
import type { OwnPartner, PartnerPage } from '../contract.ts';

interface PartnerViewProps {
  partner: PartnerPage;
  terms: OwnPartner['terms'];
}

/** A partner's link, figures, payouts and texts to share. */
export function PartnerView({ partner, terms }: PartnerViewProps) {
  return (
    <>
      {partner.state === 'paused' && (
        <p role="status" className="max-w-160 rounded-card border border-line bg-raised p-5">
          {`Your link is paused: nobody is counted by it, and nothing is paid out. ${partner.note}`}
        </p>
      )}
      {partner.state === 'closed' && (
        <p role="status" className="max-w-160 rounded-card border border-line bg-raised p-5">
          Your link is closed. What you have earned is still paid while you keep your account.
        </p>
      )}
      {partner.state === 'approved' && <OwnLink partner={partner} />}
      <Figures partner={partner} terms={terms} />
      {partner.notCounted.length > 0 && <NotCounted notCounted={partner.notCounted} />}
      <OwnPayouts payouts={partner.payouts} payoutCents={terms.payoutCents} />
      {partner.state === 'approved' && <Materials link={partner.link} />}
    </>
  );
}

function OwnLink({ partner: { link, code } }: { partner: PartnerPage }) {
  return (
    <Card aria-label="Your link" className="grid gap-6 p-6 sm:grid-cols-[1fr_auto]">
      <div className="grid content-start gap-3">
        <h2 className="text-28">Your link</h2>
        <p className="wrap-anywhere font-medium">{link}</p>
        <p className="text-quiet">
          <span>{`Or your code: `}</span>
          <strong className="font-strong text-ink">{code}</strong>
        </p>
        <CopyButton text={link} label="Copy link" />
      </div>
      <div className="w-40 justify-self-center">
        <QrCode text={link} label="Your link as a QR code" />
      </div>
    </Card>
  );
}

function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div>
      <Button variant="outline" icon={Copy} onClick={async () => setCopied(await copyLater(Promise.resolve(text)))}>
        {isCopied ? 'Copied' : label}
      </Button>
    </div>
  );
}

function Figures({ partner, terms }: PartnerViewProps) {
  const { clicks, signUps, active, earnedCents, pendingCents, payableCents, paidCents, debtCents } = partner;
  return (
    <section>
      <SectionHeader title="What came of it" />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatTile label="Clicks" value={clicks} note="An estimate: one for each browser" />
        <StatTile label="Sign-ups" value={signUps} />
        <StatTile label="With a paid plan" value={active} />
        <StatTile label="Earned" value={formatMoney(earnedCents)} />
        <StatTile
          label="Waiting"
          value={formatMoney(pendingCents)}
          note={`Each share waits ${formatCount(terms.pendingDays, 'day')}`}
        />
        <StatTile
          label="To be paid"
          value={formatMoney(payableCents)}
          note={`Paid from ${formatMoney(terms.payoutCents)}`}
        />
        <StatTile label="Paid" value={formatMoney(paidCents)} />
        {debtCents > 0 && (
          <StatTile label="Gone back" value={formatMoney(debtCents)} note="Taken from your next payout" />
        )}
      </div>
    </section>
  );
}

const notCountedWords: Readonly<Record<PartnerPage['notCounted'][number]['reason'], string>> = {
  same_person: 'it looks like your own account',
  same_card: 'the plan was paid by the card that you pay your own plan with',
  spam: 'it came by unwanted messages',
  brand_ads: 'it came by search ads on our name',
  other: "it doesn't fit the terms of the program",
};

/** Sign-ups that bring nothing, and why; who they are is not told. */
function NotCounted({ notCounted }: Pick<PartnerPage, 'notCounted'>) {
  return (
    <section>
      <SectionHeader title="What doesn't count" />
      <ul className="grid gap-1.5">
        {notCounted.map(({ reason, count }) => (
          <li key={reason}>{`${formatCount(count, 'sign-up')}: ${notCountedWords[reason]}.`}</li>
        ))}
      </ul>
      <p className="mt-3 max-w-160 text-quiet">
        Nothing is earned by these, and shares of them that were not paid yet were taken back. If one of them is
        somebody else, such as somebody who shares a card with you, write to us: a person looks at it and can let it
        count.
      </p>
    </section>
  );
}

function OwnPayouts({ payouts, payoutCents }: { payouts: PartnerPage['payouts']; payoutCents: number }) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="Payouts" />
      {payouts.length === 0 ? (
        <p className="text-quiet">{`None yet. We pay once a month, from ${formatMoney(payoutCents)}.`}</p>
      ) : (
        <List label="Payouts">
          {payouts.map(({ id, amountCents, currency, isPaid, createdAt, settledAt }) => (
            <li key={id}>
              <Row
                title={formatMoney(amountCents, currency.toUpperCase())}
                start={<Landmark className="size-5 flex-none text-quiet" />}
                mark={<Chip tone={isPaid ? 'moss' : 'ember'}>{isPaid ? 'Paid' : 'On its way'}</Chip>}
                quiet={formatDate(settledAt ?? createdAt, now)}
              />
            </li>
          ))}
        </List>
      )}
    </section>
  );
}

const listMaterials = (link: string): { title: string; text: string }[] => [
  {
    title: 'Short',
    text: `Ad: I recommend PrivateFans for private albums. You see who looked and can take a link back at any moment. ${link}`,
  },
  {
    title: 'For creators',
    text: `Ad – I get a share if you take a plan. PrivateFans lets you share photos and videos through links that only work for the people they are for, and traces copies that leak. It can't make screenshots impossible, and says so. ${link}`,
  },
];

/** Texts to share, each of which says that it is an ad. */
function Materials({ link }: { link: string }) {
  return (
    <section>
      <SectionHeader title="Texts to share" />
      <div className="grid gap-3 md:grid-cols-2">
        {listMaterials(link).map(({ title, text }) => (
          <Card key={title} className="grid content-start gap-3">
            <h3 className="text-21">{title}</h3>
            <p className="wrap-anywhere text-quiet">{text}</p>
            <CopyButton text={text} label="Copy text" />
          </Card>
        ))}
      </div>
    </section>
  );
}
