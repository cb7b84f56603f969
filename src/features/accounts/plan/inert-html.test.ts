import { expect, test } from 'vitest';
import { isInert } from './inert-html.ts';

test('words, boxes and frames by address are inert', () => {
  for (const html of [
    '',
    'words, 3 > 2 &amp; more',
    '<div></div>',
    '<div class="__PrivateStripeElement" style="margin: 0px !important; display: block !important"></div>',
    '<p>One<br/>two</p>\n<ul role="list"><li hidden data-x-y="1" aria-label="a">three</li></ul>',
    '<iframe name="a" allow="payment *" allowtransparency="true" frameborder="0" src="https://js.stripe.com/v3/a.html#b=c"></iframe>',
  ])
    expect([html, isInert(html)]).toEqual([html, true]);
});

test('whatever could run, ask, lead away or is not written like that is not inert', () => {
  for (const html of [
    '<script></script>',
    '<script src="https://js.stripe.com/a.js"></script>',
    '<img src="https://q.stripe.com/">',
    '<div onclick="run()"></div>',
    '<div class="a"onclick="run()"></div>',
    '<div class="a" onclick=run()></div>',
    "<div class='a'></div>",
    '<div/onclick="run()"></div>',
    '<div class="a<b"></div>',
    '<iframe src="javascript:run()"></iframe>',
    '<iframe src="http://js.stripe.com/"></iframe>',
    '<iframe src="https://me@js.stripe.com/"></iframe>',
    '<iframe srcdoc="words"></iframe>',
    '<a href="https://stripe.com">there</a>',
    '<form action="/"></form>',
    '<input name="card">',
    '<style>p { color: red }</style>',
    '<svg onload="run()"></svg>',
    '<math></math>',
    '<template></template>',
    '<base href="https://example.com/">',
    '<meta http-equiv="refresh" content="0">',
    '<object data="https://js.stripe.com/"></object>',
    '<!-- words -->',
    '<div',
    '<div class="a',
    '</div onclick="run()">',
    '<p\u0000 class="a">',
    'a < b',
  ])
    expect([html, isInert(html)]).toEqual([html, false]);
});

test('a long text is judged in a moment, whatever it is', () => {
  const long = `<div ${'class="a" '.repeat(20_000)}`;
  expect(isInert(long)).toBe(false);
  expect(isInert(`${long}></div>`)).toBe(true);
  expect(isInert(`${'<div>words'.repeat(5_000)}<`)).toBe(false);
});
