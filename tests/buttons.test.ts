import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseRegister } from '#features/support/control-register.ts';
import { readPressed } from '../scripts/buttons/journeys.ts';
import { pagesByFile, readPages } from '../scripts/buttons/pages.ts';
import { proceduresOf, readCallNames } from '../scripts/buttons/procedures.ts';
import { readControls } from '../scripts/buttons/read-controls.ts';

const source = `
import {
  type Answer,
  useAnswers,
} from './use-answers.tsx';
export const albums = callsOf('albums', albumsContract);
function Page({ name, ...rest }) {
  const remove = useWrite(albums.remove.mutationOptions({}));
  const ask = () => remove.mutate({ albumId });
  const { approve, isBusy } = useAnswers(id);
  const given = () => albums.update.call({});
  const form = useForm({ send: (input) => albums.create.call(input) });
  const opener = <Button>Handed on</Button>;
  const items = [{ label: 'Rename', onSelect: () => void albums.update.call({}) }, { label: 'No entry' }];
  return (
    <form onSubmit={ask}>
      <Button onClick={ask}>Delete {name}</Button>
      <IconButton label={\`Close \${name}\`} onClick={() => setOpen(false)} />
      <Button onClick={isOn ? stop : start}>{isOn ? 'Stop' : 'Start'}</Button>
      <Switch label="Quiet" checked={isOn} onChange={setOn} />
      <Button type="submit">Save</Button>
      <Button type="submit" form={formId}>Send</Button>
      <Button onClick={() => approve()}>Approve</Button>
      <Button>Nothing</Button>
      <Button {...rest}>Given</Button>
      <Menu trigger={<IconButton label="More" />} items={items} />
      <ButtonLink to="/albums">All albums</ButtonLink>
      <a href="/help">Help</a>
      <form id={formId} onSubmit={() => albums.update.call({})} />
      <Select label="Cover" onChange={form.set} />
    </form>
  );
}

function Other() {
  const form = useForm({ send: (input) => albums.archive.call(input) });
  return (
    <form onSubmit={form.submit}>
      <Button type="submit">Archive</Button>
      <ButtonLink to={given}>Help page</ButtonLink>
    </form>
  );
}
`;

const answers = `
import { access as calls } from '../access-calls.tsx';
export function useAnswers(id) {
  const approve = useWrite(calls.approve.mutationOptions({}));
  const deny = useWrite(access.deny.mutationOptions({}));
  return { approve: () => approve.mutate(id), deny: () => deny.mutate(id) };
}
`;

test('controls are read with their names, and what does nothing is told from what is handed on', () => {
  const controls = readControls('page.tsx', source).map(({ kind, name, handler }) => [
    kind,
    name,
    handler !== undefined,
  ]);
  expect(controls).toEqual([
    ['button', 'Handed on', true],
    ['menu item', 'Rename', true],
    ['form', '', true],
    ['button', 'Delete …', true],
    ['button', 'Close …', true],
    ['button', 'Stop / Start', true],
    ['switch', 'Quiet', true],
    ['button', 'Save', true],
    ['button', 'Send', true],
    ['button', 'Approve', true],
    ['button', 'Nothing', false],
    ['button', 'Given', true],
    ['button', 'More', true],
    ['link', 'All albums', true],
    ['form', '', true],
    ['choice', 'Cover', true],
    ['form', '', true],
    ['button', 'Archive', true],
    ['link', 'Help page', true],
  ]);
});

test('what a control calls is found by what its handler is declared as', () => {
  const sources = new Map([
    ['src/features/a/page.tsx', source],
    ['src/features/a/use-answers.tsx', answers],
    ['src/features/access-calls.tsx', `export const access = callsOf('access', accessContract);`],
  ]);
  const names = readCallNames(sources);
  const calls = readControls('page.tsx', source).map(({ name, handler = '', offset }) => [
    name,
    proceduresOf({ words: handler, offset }, 'src/features/a/page.tsx', sources, names),
  ]);
  expect(Object.fromEntries(calls)).toMatchObject({
    'Delete …': ['albums.remove'],
    Rename: ['albums.update'],
    Approve: ['access.approve'],
    Save: ['albums.remove'],
    Send: ['albums.update'],
    Archive: ['albums.archive'],
    Cover: [],
    'Help page': [],
    Given: [],
    Quiet: [],
    Nothing: [],
  });
});

test('a journey presses what it names, in words or by a pattern, and nothing that is only known while it runs', () => {
  const pressed = readPressed(
    'creator/albums',
    `await page.getByRole('button', { name: 'Delete Summer' }).click();
     await page.getByRole('menuitem', { name: /^re(name|move)$/i }).click();
     await page.getByLabel('Quiet').check();
     await page.getByRole('heading', { name: 'Nothing' });`,
  );
  const isPressed = (name: string) => pressed.some(({ matches }) => matches(name));
  expect(['Delete …', 'Rename', 'Quiet', 'Stop / Rename'].map(isPressed)).toEqual([true, true, true, true]);
  expect(['…', '', 'Nothing', 'Start', 'Save …'].map(isPressed)).toEqual([false, false, false, false, false]);
});

test('a page has the address and the people of its layout, and all that it draws stands on it', () => {
  const pages = readPages(`export default [
  index('pages/home-page.tsx'),
  layout('pages/admin-page.tsx', [
    route('/admin', '../features/admin/pages/today-page.tsx', [
      route('more', '../features/admin/pages/more-page.tsx'),
    ]),
  ]),
  route('/demo', '../features/marketing/demo-page.tsx'),
]`);
  expect(pages.map(({ address, who }) => `${address} ${who}`)).toEqual([
    '/ anybody',
    '/admin administrators',
    '/admin/more administrators',
    '/demo anybody',
  ]);
  const sources = new Map([
    ['src/features/admin/pages/today-page.tsx', `import { List } from './list.tsx';`],
    ['src/features/admin/pages/list.tsx', `import { Chip } from '#ui/chip.tsx';`],
    ['src/ui/chip.tsx', ''],
  ]);
  const of = (file: string) =>
    pagesByFile(pages, sources)
      .get(file)
      ?.map(({ address }) => address);
  expect(of('src/ui/chip.tsx')).toEqual(['/admin']);
});

test('the register has a line for what everybody presses, each id once, and nothing in it is dead', () => {
  const rows = parseRegister(readFileSync('src/features/support/controls.tsv', 'utf8'));
  expect(rows.length).toBeGreaterThan(500);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(rows.filter(({ isDead }) => isDead).map(({ id }) => id)).toEqual([]);
  expect(rows.find(({ id }) => id === 'admin/pages/junk-page#button:End cleaning')).toMatchObject({
    procedures: ['adminJunk.cancel'],
    pages: ['/admin/junk'],
    who: 'administrators',
  });
});
