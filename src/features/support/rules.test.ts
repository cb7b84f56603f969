import { describe, expect, it } from 'vitest';
import { cleanErrorText, redactPage } from './rules.ts';

describe('what an error says', () => {
  it.each([
    ['nothing private', 'Cannot read properties of undefined', 'Cannot read properties of undefined'],
    ['the slug of a link', 'failed at https://fans.example/view/summer-4Gh7KpQ2xZ', 'failed at /view/*'],
    ['a path alone', "GET '/view/summer-4Gh7KpQ2xZ?code=1' 500", "GET '/view/*' 500"],
    ['a query with a token', 'fetch(https://fans.example/auth?token=abc) failed', 'fetch(/auth) failed'],
    ['an address of a mailbox', 'no mailbox "lena.m+x@example.co.uk" here', 'no mailbox "*@*" here'],
    ['two mailboxes', 'from a@b.io to c@d.io', 'from *@* to *@*'],
    ['the bytes of a picture', 'cannot show data:image/png;base64,AAAA now', 'cannot show * now'],
    ['a picture of the browser', 'blob:https://fans.example/1f2e-33 is gone', '* is gone'],
    ['a live channel', 'wss://fans.example/view/x4Gh7KpQ2xZ closed', '/view/* closed'],
  ])('tells %s no further', (_, text, reported) => {
    expect(cleanErrorText(text)).toBe(reported);
  });
  it('keeps the place in our own program, by which it is mended', () => {
    expect(cleanErrorText('at f (https://fans.example/assets/root-Ab12.js:10:5)')).toBe(
      'at f (/assets/root-Ab12.js:10:5)',
    );
    expect(cleanErrorText('at f (https://fans.example/viewer/assets/frame-Ab12.js)')).toBe(
      'at f (/viewer/assets/frame-Ab12.js)',
    );
    expect(cleanErrorText('at f (https://fans.example/assets/../view/secret4Gh7KpQ2)')).not.toContain('secret');
  });
  it('leaves alone what only looks like a mailbox', () => {
    expect(cleanErrorText('react@19 and me@localhost')).toBe('react@19 and me@localhost');
  });
});

describe('the page on which it happened', () => {
  it('is its kind, without what names somebody', () => {
    expect(redactPage('https://fans.example/view/summer-4Gh7KpQ2xZ?x=1#y')).toBe('/view/*');
    expect(redactPage('/auth?token=abc')).toBe('/auth');
  });
  it('is unknown where it is no address', () => {
    expect(redactPage('https://')).toBeUndefined();
  });
});
