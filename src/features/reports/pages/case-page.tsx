import { useSearchParams } from 'react-router';
import { GuestFrame } from '#ui/layout/guest-frame.tsx';
import { useMailedToken } from '#ui/use-mailed-token.ts';
import { ReportCasePart } from './report-outcome.tsx';
import { SupportCasePart } from './support-part.tsx';

export const meta = () => [
  { title: 'Where it stands · PrivateFans' },
  { name: 'robots', content: 'noindex' },
  { name: 'referrer', content: 'no-referrer' },
];

/** Where whoever wrote to support or reported something sees how it stands, by the link in the emails about it. */
export default function CasePage() {
  const secret = useMailedToken();
  const [search] = useSearchParams();
  const [of, number] = [search.get('of'), search.get('number')];
  if (secret === undefined || number === null || !/^\d{8}$/.test(number))
    return (
      <GuestFrame title="This link is incomplete" text="Open it from the email once more.">
        {null}
      </GuestFrame>
    );
  const reference = { number, secret };
  return of === 'report' ? <ReportCasePart reference={reference} /> : <SupportCasePart reference={reference} />;
}
