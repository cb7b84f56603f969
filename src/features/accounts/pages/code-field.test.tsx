import { ORPCError } from '@orpc/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CodeForm } from '../code-form.tsx';
import { ResendButton, readJustSent, readResendMs } from './code-field.tsx';

const onResend = async () => ({ resendAfterMs: 10_000 });
const textOf = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the button that sends an email again', () => {
  it.each([
    [300_000, 'Resend in 300 s'],
    [10_000, 'Resend in 10 s'],
    [28_700, 'Resend in 29 s'],
    [0, 'Resend'],
    [undefined, 'Resend in 60 s'],
  ])('first counts from what the answer said: %s ms', (resendAfterMs, words) => {
    const html = renderToStaticMarkup(<ResendButton resendAfterMs={resendAfterMs} onResend={onResend} />);
    expect(textOf(html).trim()).toBe(words);
  });

  it('counts from it under the code of an email', () => {
    const form = (
      <QueryClientProvider client={new QueryClient()}>
        <CodeForm onCode={onResend} resendAfterMs={300_000} onResend={onResend} other={<i>Other</i>} />
      </QueryClientProvider>
    );
    expect(textOf(renderToStaticMarkup(form))).toContain('Resend in 300 s');
  });
});

describe('an email that was sent a moment ago', () => {
  it('can be followed by another one after the time that the refusal says', () => {
    const refusal = new ORPCError('RATE_LIMITED', { data: { reason: 'JUST_SENT', retryAfter: 287 } });
    expect(readJustSent(refusal)).toEqual({ resendAfterMs: 287_000 });
  });

  it.each([
    ['too many', new ORPCError('RATE_LIMITED', { data: { retryAfter: 287 } })],
    ['a broken line', new TypeError('Failed to fetch')],
  ])('is not what %s says', (_, error) => {
    expect(() => readJustSent(error)).toThrow(error);
  });
});

it('what is kept in the history is read from there, and nothing else is', () => {
  expect(readResendMs({ resendAfterMs: 300_000 })).toBe(300_000);
  expect([null, {}, { resendAfterMs: 'soon' }].map(readResendMs)).toEqual([undefined, undefined, undefined]);
});
