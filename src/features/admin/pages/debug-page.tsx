import { useState } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { ErrorGroups } from './debug/error-groups.tsx';
import { Found } from './debug/found.tsx';
import { OwnProcess } from './debug/own-process.tsx';
import { PageSpeed } from './debug/page-speed.tsx';
import { StatementList } from './debug/statement-list.tsx';
import { SearchBox } from './search-box.tsx';
import { useSought } from './use-sought.ts';

export const meta = () => [{ title: 'Debug · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const parts = [
  { value: 'errors', label: 'Errors' },
  { value: 'pages', label: 'Pages' },
  { value: 'statements', label: 'Database' },
] as const;
const ownerParts = [...parts, { value: 'process', label: 'Process' }] as const;
type Part = (typeof ownerParts)[number]['value'];

const spans = [
  { value: '1', label: 'A day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const;
type Span = (typeof spans)[number]['value'];

/** What goes wrong or takes long: by the id that somebody was shown, and in sums. */
export default function DebugPage() {
  const { me } = useMe();
  const isOwner = me?.adminScopes.includes('owner') === true;
  const [sought, search] = useSought();
  const [part, setPart] = useState<Part>('errors');
  const [span, setSpan] = useState<Span>('1');
  const spanChoice = <Segmented label="Since" value={span} onChange={setSpan} options={spans} />;
  return (
    <>
      <PageHeader title="Debug" />
      <SearchBox
        key={sought}
        label="Find what happened"
        hint="The id of a request, an error or an account, or an account’s address."
        initial={sought}
        onSearch={search}
      />
      <div className="grid max-w-190 gap-8">
        {sought !== '' && <Found sought={sought} />}
        <Segmented label="What is shown" value={part} onChange={setPart} options={isOwner ? ownerParts : parts} />
        {part === 'errors' && (
          <section>
            <SectionHeader title="What goes wrong">{spanChoice}</SectionHeader>
            <ErrorGroups days={Number(span)} />
          </section>
        )}
        {part === 'pages' && (
          <section>
            <SectionHeader title="How fast pages are">{spanChoice}</SectionHeader>
            <PageSpeed days={Number(span)} />
          </section>
        )}
        {part === 'statements' && (
          <section>
            <SectionHeader title="What the database is asked" />
            <StatementList />
          </section>
        )}
        {part === 'process' && isOwner && <OwnProcess />}
      </div>
    </>
  );
}
