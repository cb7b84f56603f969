import { Plus, Ticket, Users } from 'lucide-react';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useOver } from '#ui/use-over.tsx';
import { LinkSheet } from '../share-sheet/share-sheet.tsx';
import { useLinkCount } from '../use-links.tsx';
import { LinkList } from './link-list.tsx';
import { RevokeAll } from './revoke-all.tsx';

export const meta = () => [{ title: 'Magic links · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Every link as a story; `?new=1` opens the sheet for a new one. */
export default function LinksPage() {
  const isEmpty = useLinkCount() === 0;
  const sheet = useOver('new');
  return (
    <>
      <PageHeader
        title="Magic links"
        hasManyActions
        actions={
          <>
            <ButtonLink to="/magic-links/many" variant="outline" icon={Users}>
              Many at once
            </ButtonLink>
            <ButtonLink to="/magic-links/passes" variant="outline" icon={Ticket}>
              Free pass
            </ButtonLink>
            {!isEmpty && (
              <Button icon={Plus} onClick={() => sheet.open('1')}>
                New link
              </Button>
            )}
          </>
        }
      />
      <LinkList menu={<RevokeAll />} onNew={() => sheet.open('1')} />
      <LinkSheet open={sheet.value !== undefined} onClose={sheet.close} />
    </>
  );
}
