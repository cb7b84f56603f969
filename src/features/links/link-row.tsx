import { Ban, Copy, Ellipsis, QrCode, Share2, Undo2 } from 'lucide-react';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Menu, type MenuItem } from '#ui/dialogs/menu.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Row } from '#ui/layout/list.tsx';
import { SwipeRow } from '#ui/layout/swipe-row.tsx';
import { wholeParts } from '#ui/layout/whole-parts.ts';
import { LiveDot } from '#ui/live-dot.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import type { MagicLink } from './contract.ts';
import { badgeWords, describeSecondState, describeStory, describeTerms, nameLink } from './link-texts.ts';
import { badgeOf, canUndo } from './rules.ts';
import { canShare, copyLink, shareLink } from './sharing.tsx';

const badgeTones = { active: 'moss', expired: 'plain', revoked: 'rust' } as const;

/** Active, Expired or Revoked, and beside it what is happening now. */
export function LinkBadge({ link }: { link: MagicLink }) {
  const badge = badgeOf(link, useNow());
  if (link.isLookingNow)
    return (
      <span className="flex flex-none items-center gap-2 text-13 font-medium text-ember-ink">
        <LiveDot />
        looking now
      </span>
    );
  return <Chip tone={badgeTones[badge]}>{badgeWords[badge]}</Chip>;
}

interface LinkRowProps {
  link: MagicLink;
  /** The album in whose list it stands. */
  albumId?: string | undefined;
  onRevoke: (link: MagicLink) => void;
  onUndo: (link: MagicLink) => void;
  /** Shows the address as a QR code and as text. */
  onShow: (link: MagicLink) => void;
  /** Asked before a revocation that did not begin with a slide. */
  onAskRevoke: (link: MagicLink) => void;
  /** While several are being chosen. */
  chosen?: { isChosen: boolean; choose: (isChosen: boolean) => void } | undefined;
}

/** One link as a story: who, under which rule, what happened. */
export function LinkRow({ link, albumId, onRevoke, onUndo, onShow, onAskRevoke, chosen }: LinkRowProps) {
  const now = useNow();
  const row = (
    <Row
      title={nameLink(link)}
      to={chosen ? undefined : `/magic-links/${link.id}`}
      mark={<LinkBadge link={link} />}
      quiet={<QuietLine link={link} albumId={albumId} />}
      story={describeStory(link, now)}
      start={
        chosen ? (
          <Checkbox
            label={<span className="sr-only">{`Select ${nameLink(link)}`}</span>}
            checked={chosen.isChosen}
            onChange={chosen.choose}
          />
        ) : (
          <Avatar name={link.recipientName || nameLink(link)} />
        )
      }
      end={!chosen && <LinkMenu link={link} onUndo={onUndo} onShow={onShow} onAskRevoke={onAskRevoke} />}
    />
  );
  if (chosen || badgeOf(link, now) === 'revoked') return <li>{row}</li>;
  return (
    <SwipeRow action="Revoke" icon={Ban} onAction={() => onRevoke(link)}>
      {row}
    </SwipeRow>
  );
}

/** What keeps it from being open comes first. */
function QuietLine({ link, albumId }: Pick<LinkRowProps, 'link' | 'albumId'>) {
  const now = useNow();
  const state = describeSecondState(link, now);
  return (
    <>
      {state && <span className="font-medium text-ink">{`${state} · `}</span>}
      <span>{wholeParts(describeTerms(link, now, albumId))}</span>
    </>
  );
}

type LinkMenuProps = Pick<LinkRowProps, 'link' | 'onUndo' | 'onShow' | 'onAskRevoke'>;

/** What can be done with a link, from the row and from its own page. */
function LinkMenu({ link, onUndo, onShow, onAskRevoke }: LinkMenuProps) {
  const now = useNow();
  const show = () => onShow(link);
  const share = async () => {
    if (!(await shareLink(link))) show();
  };
  const ending: MenuItem[] = link.isRevoked
    ? []
    : ['line', { label: 'Revoke…', icon: Ban, danger: true, onSelect: () => onAskRevoke(link) }];
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${nameLink(link)}`} />}
      items={[
        { label: 'Copy link', icon: Copy, onSelect: () => void copyLink(link, show) },
        ...(canShare() ? [{ label: 'Share…', icon: Share2, onSelect: () => void share() }] : []),
        { label: 'QR code', icon: QrCode, onSelect: show },
        ...(canUndo(link, now) ? [{ label: 'Undo revoke', icon: Undo2, onSelect: () => onUndo(link) }] : []),
        ...ending,
      ]}
    />
  );
}
