import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findBareText } from '#tests/support/bare-text.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Returns how often a component with this between its lines is found wanting. */
const findIn = (jsx: string, before = '') =>
  findBareText([{ path: 'page.tsx', text: `${before}\nexport const Page = () => <div>${jsx}</div>;` }]).map((line) =>
    line.replace(/^page\.tsx:\d+: /, ''),
  );

describe('a page in a browser that translates', () => {
  it('has no bare text beside what comes and goes, and no bare text that changes beside anything', () => {
    const sources = globSync('src/**/*.tsx', { cwd: root, exclude: (name) => name.endsWith('.test.tsx') })
      .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }))
      .toSorted((one, other) => one.path.localeCompare(other.path));
    expect(sources.length).toBeGreaterThan(100);
    expect(findBareText(sources), 'one template, or a <span> of its own').toEqual([]);
  });

  it.each([
    ['a counter beside its noun', '{count} items', ['count', 'items']],
    ['words behind an icon that comes and goes', '{busy && <Spinner />}Save', ['Save']],
    ['words behind one of two icons', '{busy ? <Spinner /> : <Check />}Save', ['Save']],
    ['words behind a list', '{all.map((one) => <i key={one} />)}Save', ['Save']],
    ['words that come and go before a link', "{isNew && 'New: '}<a href='/'>Open</a>", ["isNew && 'New: '"]],
    ['what a component is given', '{icon && <Icon />}{children}', ['children']],
    ['words in a fragment', '<>{busy && <Spinner />}</>Save', ['Save']],
    ['a fragment of words that comes and goes', '{isNew && <>New</>}<i />', ['isNew && <>New</>']],
  ])('loses %s', (_, jsx, found) => {
    expect(findIn(jsx)).toEqual(found);
  });

  it.each([
    ['words alone', '{count}'],
    ['one of two texts', "{busy ? 'Saving' : 'Save'}"],
    ['a template', '{`$' + '{count} items`}'],
    ['a sentence with a link in it', 'Read the <a href="/terms">terms</a> first.'],
    ['an element of its own', '{busy && <Spinner />}<span>{children}</span>'],
    ['lists of elements', '{all.map((one) => <i key={one} />)}{busy && <Spinner />}'],
  ])('keeps %s', (_, jsx) => {
    expect(findIn(jsx)).toEqual([]);
  });

  it('keeps what its type says is no text', () => {
    const slot =
      'interface Props { children: Elements; draw: (n: number) => Elements }\nconst back = isBack && <Back />;';
    expect(findIn('{busy && <Spinner />}{children}{draw(1)}{back}', slot)).toEqual([]);
    expect(findIn('{busy && <Spinner />}{children}', slot.replace('Elements;', 'ReactNode;'))).toEqual(['children']);
  });
});
