import { Plus } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { Button } from '#ui/button.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { LinkList } from '../link-list.tsx';
import { LinkSheet } from '../share-sheet/share-sheet.tsx';
import { useLinkCount } from '../use-links.tsx';
import { RevokeAll } from './revoke-all.tsx';

export const meta = () => [{ title: 'Magic links · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Every link as a story; `?new=1` opens the sheet for a new one. */
export default function LinksPage() {
  const isEmpty = useLinkCount() === 0;
  const [search, setSearch] = useSearchParams();
  const openSheet = (isOpen: boolean) => setSearch(isOpen ? { new: '1' } : {}, { replace: true });
  return (
    <>
      <PageHeader
        title="Magic links"
        actions={
          !isEmpty && (
            <Button icon={Plus} onClick={() => openSheet(true)}>
              New link
            </Button>
          )
        }
      />
      <LinkList menu={<RevokeAll />} onNew={() => openSheet(true)} />
      <LinkSheet open={search.has('new')} onClose={() => openSheet(false)} />
    </>
  );
}
