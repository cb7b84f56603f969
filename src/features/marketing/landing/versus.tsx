import { Check, Minus, X } from 'lucide-react';
import { Link } from 'react-router';
import { SitePart } from '../site/site-part.tsx';

type Verdict = 'yes' | 'no' | 'part';

interface Row {
  what: string;
  ours: { is: Verdict; text: string };
  theirs: { is: Verdict; text: string };
}

/** Whether a word is good news depends on the row: a public profile that is not required is. */
const rows: readonly Row[] = [
  { what: 'Public Profile Required', ours: { is: 'yes', text: 'No' }, theirs: { is: 'no', text: 'Yes' } },
  {
    what: 'Screenshot Prevention',
    ours: { is: 'yes', text: 'Deterred and traceable' },
    theirs: { is: 'part', text: 'Usually a visible mark' },
  },
  { what: 'Secure Subscriptions and Tips', ours: { is: 'yes', text: 'Yes' }, theirs: { is: 'yes', text: 'Yes' } },
  { what: 'Private Gallery Only', ours: { is: 'yes', text: 'Yes' }, theirs: { is: 'no', text: 'No' } },
];

const icons = { yes: Check, no: X, part: Minus };
const tones = { yes: 'text-moss', no: 'text-rust', part: 'text-quiet' };

/** Four rows beside public platforms. */
export function Versus({ takesPayments = false }: { takesPayments?: boolean }) {
  return (
    <SitePart title="Private, instead of public with a paywall" band="wash">
      <div className="overflow-hidden rounded-card border border-line bg-raised">
        <table className="w-full table-fixed text-left max-md:text-13">
          <caption className="sr-only">PrivateFans beside public platforms</caption>
          <thead>
            <tr className="border-b border-line">
              <td className="w-[34%] p-3 md:p-5" />
              <th scope="col" className="p-3 font-display text-15 font-title whitespace-nowrap md:p-5 md:text-21">
                Private<span className="text-plum">Fans</span>
              </th>
              <th scope="col" className="p-3 font-strong text-quiet md:p-5">
                Public platforms
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ what, ours, theirs }) => (
              <tr key={what} className="border-b border-line last:border-0">
                <th scope="row" className="p-3 font-medium md:p-5">
                  {what}
                </th>
                <Cell {...(what.includes('Tips') && !takesPayments ? planned : ours)} />
                <Cell {...theirs} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-5 text-quiet">
        Each of these by name, with its source:{' '}
        <Link to="/comparison" className="font-strong text-plum underline underline-offset-4">
          the comparison
        </Link>
        .
      </p>
    </SitePart>
  );
}

const planned = { is: 'part', text: 'Not on this installation yet' } as const;

function Cell({ is, text }: { is: Verdict; text: string }) {
  const Icon = icons[is];
  return (
    <td className="p-3 align-top md:p-5">
      <span className="flex gap-2 max-sm:flex-col max-sm:gap-1">
        <Icon className={tones[is]} />
        <span>{text}</span>
      </span>
    </td>
  );
}
