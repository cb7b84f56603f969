import { Copy, Download } from 'lucide-react';
import { byteOrderMark, writeLine } from '#kit/csv.ts';
import { formatCount, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { copyLater } from '#ui/copy-later.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import { saveFile } from '#ui/save-file.tsx';
import { markShared } from '../sharing.tsx';
import type { MadeLink } from './use-making-many.tsx';

/** The list as a table: a name and an address a line. */
const tableOf = (made: readonly MadeLink[]): string =>
  byteOrderMark + [['Name', 'Address'], ...made.map(({ name, url }) => [name, url])].map(writeLine).join('');

/** The links that were made, to copy one by one, all at once or as a table. */
export function BulkResult({ made, onAgain }: { made: readonly MadeLink[]; onAgain: () => void }) {
  const copy = async (chosen: readonly MadeLink[]) => {
    const text = chosen.length === 1 ? chosen[0]?.url : chosen.map(({ name, url }) => `${name}\t${url}`).join('\n');
    if (!(await copyLater(Promise.resolve(text ?? ''))))
      return void toast.error({ title: "Couldn't copy", message: 'Download the table instead.' });
    for (const link of chosen) markShared(link);
    toast.success({ title: `${formatCount(chosen.length, 'link')} copied` });
  };
  const download = () => {
    saveFile(new Blob([tableOf(made)], { type: 'text/csv;charset=utf-8' }), 'magic-links.csv');
    for (const link of made) markShared(link);
  };
  return (
    <>
      <SectionHeader title={`${formatCount(made.length, 'link')} created`} />
      <div className="mb-4 flex flex-wrap gap-2">
        <Button icon={Copy} onClick={() => copy(made)}>
          Copy all
        </Button>
        <Button variant="outline" icon={Download} onClick={download}>
          Download CSV
        </Button>
        <ButtonLink to="/magic-links" variant="outline">
          Magic links
        </ButtonLink>
        <Button variant="bare" onClick={onAgain}>
          Another list
        </Button>
      </div>
      <List label="New links">
        {made.map((link) => (
          <li key={link.id}>
            <Row
              title={isolate(link.name)}
              to={`/magic-links/${link.id}`}
              quiet={<span className="break-all">{link.url}</span>}
              start={<Avatar name={link.name} />}
              end={<IconButton icon={Copy} label={`Copy the link for ${link.name}`} onClick={() => copy([link])} />}
            />
          </li>
        ))}
      </List>
    </>
  );
}
