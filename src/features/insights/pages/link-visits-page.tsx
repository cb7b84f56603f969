import { useParams } from 'react-router';
import { SectionHeader } from '#ui/section-header.tsx';
import { LookingNow } from '../looking-now.tsx';
import { VisitsOfLink } from './visit-list.tsx';

/** Who came by one link, and who looks now; it stands in the page of the link. */
export default function LinkVisitsPage() {
  const { linkId = '' } = useParams();
  return (
    <>
      <LookingNow linkId={linkId} />
      <section>
        <SectionHeader title="Visits" more={{ to: '/analytics', label: 'All analytics' }} />
        <VisitsOfLink linkId={linkId} label="Visits" empty="Nobody has opened this link yet." />
      </section>
    </>
  );
}
