import { Ban, Ellipsis, Send } from 'lucide-react';
import { BetaBadge } from '#ui/beta-badge.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Counter } from '#ui/figures/counter.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { GallerySection } from '#ui/gallery/gallery-section.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { SwipeRow } from '#ui/layout/swipe-row.tsx';
import { Tabs } from '#ui/layout/tabs.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const longAgo = new Date('2025-12-20T18:00:00Z');

/** What holds a page together. */
export function Structure({ theme }: { theme: string }) {
  return (
    <>
      <GallerySection title="A page">
        <div>
          <PageHeader
            title="Golden hour"
            back={{ to: '/albums', label: 'Albums' }}
            facts="24 photos · 2 links open · location, device and time removed"
            actions={<Button icon={Send}>Share</Button>}
          />
          <Tabs
            label={`Album sections, ${theme}`}
            tabs={[
              { to: '/dev/ui', label: 'Items', end: true },
              { to: '/dev/ui/links', label: 'Links', count: 2 },
              { to: '/dev/ui/requests', label: 'Requests', count: 1, waiting: true },
              { to: '/dev/ui/sales', label: 'Sales' },
              { to: '/dev/ui/settings', label: 'Settings' },
            ]}
          />
        </div>
        <Live />
        <StatTile
          size="large"
          label="Viewed this month"
          value="4 h 12 min"
          note="38 views by 21 people, 4 of them new"
          chip={<Chip tone="moss">up a third</Chip>}
        />
        <p className="font-display text-56 font-title">
          <Counter value={1204} />
        </p>
        <div className="grid grid-cols-2 gap-3">
          <StatTile label="Views" value="1,204" note="last 30 days" />
          <StatTile label="Viewers" value="—" note="none yet" />
        </div>
        <div className="flex flex-wrap gap-2">
          <Chip tone="moss">Active</Chip>
          <Chip tone="plain">Expired</Chip>
          <Chip tone="rust">Revoked</Chip>
          <Chip tone="ember">Waiting</Chip>
          <Chip>Draft</Chip>
          <BetaBadge />
        </div>
      </GallerySection>
      <Rows />
    </>
  );
}

function Live() {
  return (
    <Card tone="ember">
      <p className="flex items-center gap-2.5 font-strong">
        <LiveDot />
        Bob is looking now
      </p>
      <p className="mb-3 text-13 text-quiet">Golden hour · picture 7 of 24 · 2 min 08 s</p>
      <Button variant="outline">Close their screen</Button>
    </Card>
  );
}

function Rows() {
  const revoke = () =>
    toast.success({
      title: "Lena's link is revoked",
      message: 'Their screen closed 0.4 s later.',
      action: { label: 'Undo', onPress: () => undefined },
    });
  const more = <IconButton icon={Ellipsis} label="More" />;
  const looking = (
    <span className="flex flex-none items-center gap-2 pl-1 text-13 font-strong text-ember-ink">
      <LiveDot />
      looking now
    </span>
  );
  return (
    <section>
      <SectionHeader title="Links" more={{ to: '/magic-links', label: 'All links' }} />
      <List label="Links">
        <SwipeRow action="Revoke" icon={Ban} onAction={revoke}>
          <Row
            title="Bob"
            to="/dev/ui"
            start={<Avatar name="Bob" />}
            mark={looking}
            quiet="Golden hour · 24 h after first opening"
            story="Opened 3× · 4 min 12 s · Germany · iPhone"
            end={more}
          />
        </SwipeRow>
        <li>
          <Row
            title="Lena, WhatsApp"
            start={<Avatar name="Lena" />}
            quiet="Sea week · until 20 Dec"
            story={
              <>
                Opened 2× · last <RelativeTime at={longAgo} /> · France
              </>
            }
            end="$10"
          />
        </li>
        <li>
          <Row
            title="Theo, whose name is longer than any telephone is wide"
            start={<Avatar name="Theo" />}
            mark={<Chip tone="rust">Revoked</Chip>}
            quiet="Linen · one person only"
            story="Ended 12 Nov · was opened 6×"
          />
        </li>
      </List>
    </section>
  );
}
