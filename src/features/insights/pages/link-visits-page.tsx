import { useParams, useSearchParams } from 'react-router';
import { SecurityEvents } from '#features/security/security-events.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { LookingNow } from '../looking-now.tsx';
import { FunnelOfLink } from './funnel.tsx';
import { Timeline } from './timeline.tsx';
import { VisitsOfLink } from './visit-list.tsx';

/** Who came by one link, and who looks now; it stands in the page of the link. */
export default function LinkVisitsPage() {
  const { linkId = '' } = useParams();
  const [search] = useSearchParams();
  const begin = search.get('visits') ?? undefined;
  return (
    <>
      <LookingNow linkId={linkId} />
      <FunnelOfLink key={linkId} linkId={linkId} />
      <section>
        <SectionHeader title="Timeline" more={{ to: '/analytics', label: 'All analytics' }} />
        {begin === undefined ? (
          <Timeline linkId={linkId} />
        ) : (
          <>
            <ButtonLink to={`/magic-links/${linkId}`} variant="bare" className="-mt-2 mb-2">
              Show the newest visits
            </ButtonLink>
            <VisitsOfLink
              key={begin}
              linkId={linkId}
              begin={begin}
              label="Visits"
              empty="No visits are left from then."
            />
          </>
        )}
      </section>
      <SecurityEvents linkId={linkId} />
    </>
  );
}
