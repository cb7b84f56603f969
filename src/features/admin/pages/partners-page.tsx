import { useQuery } from '@tanstack/react-query';
import { Download, HandCoins, HandHeart } from 'lucide-react';
import { useSearchParams } from 'react-router';
import type { ListedPartner } from '#features/affiliates/desk-contract.ts';
import { partnerStates } from '#features/affiliates/rules.ts';
import { byteOrderMark } from '#kit/csv.ts';
import { formatCount, formatMoney, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Select } from '#ui/forms/select.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { saveFile } from '#ui/save-file.tsx';
import { adminAffiliates } from '../admin-calls.tsx';
import { partnerWords, writePartners } from '../partner-words.ts';

export const meta = () => [{ title: 'Partners · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const all = 'all';
const choices = [
  { value: all, label: 'Everyone' },
  ...partnerStates.map((state) => ({ value: state, label: partnerWords[state].word })),
];

/** Who recommends the place, and who wants to. */
export default function PartnersPage() {
  const [search, setSearch] = useSearchParams();
  const state = partnerStates.find((one) => one === search.get('state'));
  const query = useQuery(adminAffiliates.list.queryOptions({ input: state === undefined ? {} : { state } }));
  const partners = query.data?.partners ?? [];
  const save = () => saveFile(new Blob([byteOrderMark, writePartners(partners)], { type: 'text/csv' }), 'partners.csv');
  return (
    <>
      <PageHeader
        title="Partners"
        actions={
          <>
            <ButtonLink to="/admin/affiliates/pay" icon={HandCoins}>
              Pay partners
            </ButtonLink>
            <Button variant="outline" icon={Download} disabled={partners.length === 0} onClick={save}>
              Download CSV
            </Button>
          </>
        }
      />
      <div className="grid max-w-190 gap-5">
        <Select
          label="Show"
          className="max-w-60"
          options={choices}
          value={state ?? all}
          onChange={(next) => setSearch(next === all ? {} : { state: next }, { replace: true })}
        />
        <Loaded query={query} label="Loading the partners">
          {(found) =>
            found.partners.length === 0 ? (
              <EmptyState icon={HandHeart} title="Nobody is here yet">
                Whoever applies under Partner program on the public pages stands here.
              </EmptyState>
            ) : (
              <List label="Partners">
                {found.partners.map((partner) => (
                  <li key={partner.id}>
                    <PartnerRow partner={partner} />
                  </li>
                ))}
              </List>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

function PartnerRow({ partner }: { partner: ListedPartner }) {
  const { id, name, email, state, code, clicks, signUps, active, payableCents, isClaimed } = partner;
  const { word, tone } = partnerWords[state];
  return (
    <Row
      title={isolate(name)}
      to={`/admin/affiliates/${id}`}
      mark={<Chip tone={tone}>{word}</Chip>}
      quiet={`${isolate(email)}${code === null ? '' : ` · ${code}`}${state === 'approved' && !isClaimed ? ' · not taken up yet' : ''}`}
      story={
        code === null
          ? undefined
          : `About ${formatCount(clicks, 'click')} · ${formatCount(signUps, 'sign-up')} · ${active} paying · ${formatMoney(payableCents)} to be paid`
      }
    />
  );
}
