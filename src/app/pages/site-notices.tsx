import { Wrench } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { describeMaintenance, type SiteState } from '#features/settings/site-state.ts';
import { SiteStrip } from '#features/settings/site-strip.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';

const none: SiteState = { banner: '', isMaintenance: false };

/** Returns what the operator says above every page. */
const useSite = (): SiteState => useMe().me?.site ?? none;

const dismissedName = 'pf-banner-dismissed';

/** The banner that was dismissed in this tab; private windows may remember none. */
function readDismissed(): string {
  try {
    return sessionStorage.getItem(dismissedName) ?? '';
  } catch {
    return '';
  }
}

function keepDismissed(banner: string): void {
  try {
    sessionStorage.setItem(dismissedName, banner);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** What stands above a page of the studio; a banner can be put away until it says something else. */
export function StudioNotice({ isDesk }: { isDesk: boolean }) {
  const site = useSite();
  const [dismissed, setDismissed] = useState(readDismissed);
  if (!site.isMaintenance && (site.banner === '' || site.banner === dismissed)) return null;
  const dismiss = () => {
    keepDismissed(site.banner);
    setDismissed(site.banner);
  };
  return (
    <div className="pb-4">
      <SiteStrip site={site} onDismiss={dismiss}>
        {isDesk && site.isMaintenance && <DeskWords site={site} />}
      </SiteStrip>
    </div>
  );
}

function DeskWords({ site }: { site: SiteState }) {
  return (
    <>
      <span className="font-strong">Maintenance is on. </span>
      <span>{`Everybody but administrators reads: “${describeMaintenance(site)}” `}</span>
      <Link to="/admin/settings" className="font-strong underline underline-offset-4">
        Settings
      </Link>
    </>
  );
}

/** Pages on which links are taken back, devices signed out and plans ended: they work during maintenance. */
const safePages =
  /^\/(magic-links|access-requests|profile\/security|subscription|account\/(billing|two-step)|admin)(\/|$)/;

/** Returns whether maintenance stands in place of a page: one that was open before stays, with whatever was typed into it. */
export function useIsShut(): boolean {
  const { isMaintenance } = useSite();
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  useEffect(() => {
    if (!isMaintenance) setOpenAt(pathname);
  }, [isMaintenance, pathname]);
  return isMaintenance && openAt !== pathname && !safePages.test(pathname);
}

/** What stands in place of a page during maintenance, with the ways to what must always work. */
export function Shut() {
  const site = useSite();
  return (
    <EmptyState
      icon={Wrench}
      title="Under maintenance"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink to="/magic-links" variant="outline">
            Revoke links
          </ButtonLink>
          <ButtonLink to="/profile/security" variant="outline">
            Lock everything
          </ButtonLink>
        </div>
      }
    >
      {`${describeMaintenance(site)} This page comes back by itself.`}
    </EmptyState>
  );
}
