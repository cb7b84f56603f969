import { describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '#kit/time.ts';
import { htmlOf } from './email-html.ts';
import { accountEmail, code, facts, link, noticeEmail, type Part } from './email-words.ts';
import { emailsOfNotices, type Notice } from './notice-words.ts';
import { sampleEmails } from './sample-emails.ts';

const all = sampleEmails('https://x.test');
/** Returns what a person reads of HTML: without tags, styles and what is for one mail program only. */
const readable = (html: string) =>
  html
    .replace(/<!--[\s\S]*?-->|<style[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

/** Returns what a part says, but for addresses and labels. */
function wordsIn(part: Part): string[] {
  if (part.kind === 'code') return [part.code];
  if (part.kind === 'facts') return part.facts;
  if (part.kind === 'list') return part.lines.map(({ words }) => words);
  return [part.words];
}

describe('an email as HTML', () => {
  it('says what its plain text says', async () => {
    for (const email of all) {
      const html = await htmlOf(email);
      for (const said of email.parts.flatMap(wordsIn)) expect(readable(html)).toContain(said);
      const addresses = [...email.text.matchAll(/https:\/\/\S+/g)].map(([address]) => address);
      const linked = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = '']) => address.replaceAll('&amp;', '&'));
      expect(new Set(linked)).toEqual(new Set(addresses));
    }
  });

  it('fetches nothing: no picture, no pixel, no font, no script', async () => {
    for (const email of all) {
      const html = await htmlOf(email);
      expect(html).not.toMatch(/<(img|script|link|iframe|video|object|embed|svg|form|input)\b/i);
      expect(html).not.toMatch(/@import|url\s*\(|\b(src|srcset|background)\s*=/i);
      const elsewhere = [...html.matchAll(/\bhttps?:\/\/[^\s"'<>]+/g)]
        .map(([address]) => address)
        // Names of XML's vocabularies, which nobody fetches.
        .filter((address) => !/^http:\/\/www\.w3\.org\//.test(address));
      expect(elsewhere.filter((address) => !address.startsWith('https://x.test/'))).toEqual([]);
    }
  });

  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</mj-text><mj-raw><img src="https://evil.test/p.png"></mj-raw><mj-text>',
    '<mj-include path="/etc/passwd" />',
    '<!-- --><b>x</b><![CDATA[<i>]]>',
    "{{ 1 + 1 }} & ' `",
  ])('shows what somebody said as the text that it is: %s', async (said) => {
    const email = accountEmail(
      'test',
      said,
      said,
      facts(said),
      code(said),
      link(said, said, 'https://x.test/a?b=1&c=2'),
    );
    const html = await htmlOf(email);
    expect(html).not.toMatch(/<(img|script|b|i|mj-\w+)[\s>]/);
    expect(html.replace(/<!--\[if[\s\S]*?\]>|<!\[endif\]-->|<!--<!\[endif\]-->|<!-->/g, '')).not.toContain('<!--');
    expect(html).toContain('href="https://x.test/a?b=1&amp;c=2"');
  });
});

describe('a text that was never cleaned', () => {
  const broken = 'Mia\u0001\u000b\u001b\ufffe\uffff';

  it('makes an HTML all the same, whatever part it stands in', async () => {
    const list = { kind: 'list', lines: [{ words: broken, address: `https://x.test/${broken}` }] } as const;
    const email = noticeEmail(
      'sample',
      broken,
      broken,
      facts(broken),
      code(broken),
      link(broken, broken, 'https://x.test'),
      {
        ...list,
        lines: [...list.lines],
      },
    );
    expect(await htmlOf(email)).toContain('Mia');
    expect(`${email.subject}${email.text}`).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/);
  });

  it('writes no line of its own among facts', () => {
    const { text } = noticeEmail('sample', 'A subject', facts('Mia\u2028\nPay: https://evil.test', '$5'));
    expect(text).toContain('    Mia Pay: https://evil.test\n    $5');
  });
});

describe('emails', () => {
  it('are plain text with a neutral subject', () => {
    expect(all.length).toBeGreaterThan(15);
    for (const { subject, text } of all) {
      expect(subject).toMatch(/^[A-Z][^\n<>]{5,60}$/);
      expect(subject).not.toMatch(/\d|album|photo|private/i);
      expect(text).not.toMatch(/<\w+|undefined|\[object/);
      expect(text.endsWith('\n– PrivateFans\n')).toBe(true);
    }
  });

  it('carry link and code with how long they live', () => {
    const withCode = all.filter(({ text }) => /^ {4}123456$/m.test(text));
    expect([...new Set(withCode.map(({ template }) => template))]).toEqual([
      'confirm',
      'proof_code',
      'set_password',
      'reset_password',
      'email_change_code',
      ...['data_code', 'pass_code', 'request_code'],
    ]);
    for (const { text, template } of withCode) {
      expect(text).toContain('10 minutes');
      // What is taken with a code alone has no link.
      if (['pass_code', 'proof_code', 'request_code', 'email_change_code', 'data_code'].includes(template)) continue;
      expect(text).toMatch(/\nhttps:\/\/x\.test\/auth\?action=confirm#sample\n/);
      expect(text).toContain('30 minutes');
    }
  });

  it('are tried for as long as the code or link in them works', () => {
    const minutesIn = (text: string) =>
      [...text.matchAll(/(?:valid|works)[^.:]{0,20} for (\d+) minutes/g)].map(([, minutes]) => Number(minutes));
    const timed = all.filter(({ text }) => minutesIn(text).length > 0);
    expect(timed.length).toBeGreaterThan(7);
    for (const { template, text, lifeMs, isUrgent } of timed)
      expect([template, lifeMs, isUrgent]).toEqual([template, Math.max(...minutesIn(text)) * minuteMs, true]);
    for (const { kind, lifeMs, template, isUrgent } of all.filter((email) => !timed.includes(email)))
      expect([template, lifeMs, isUrgent]).toEqual([template, (kind === 'account' ? 5 : 1) * dayMs, false]);
  });

  it('may be done without only where they are no code, password, matter of safety or of money', () => {
    const needed = all.filter(({ kind }) => kind === 'account').map(({ template }) => template);
    expect(new Set(needed)).toEqual(
      new Set([
        'confirm',
        'account_exists',
        'set_password',
        'reset_password',
        'new_device',
        'wrong_passwords',
        'password_changed',
        'second_factor_on',
        'second_factor_off',
        'second_factor_taken',
        'backup_codes_new',
        'backup_code_used',
        'wrong_codes',
        'email_change_code',
        ...['email_change_known', 'email_change_link'],
        'email_changed',
        'email_change_done',
        'email_change_undone',
        'address_kept',
        'passkey_added',
        'passkey_removed',
        'consent_requested',
        'consent_given',
        'consent_withdrawn',
        'consent_ended',
        'consent_locked',
        'consent_review',
        'consent_yes',
        'consent_no',
        'consent_opened',
        ...['consent_settled', 'consent_kept'],
        'purchases',
        'pass_code',
        'pass_given',
        'albums_kept',
        'albums_go_soon',
        'albums_removed',
        'receipt',
        'payment_failed',
        'payment_late',
        'trial_used',
        'account_closed',
        'access_granted',
        'account_suspended',
        'account_back',
        'deletion_begun',
        ...['deletion_kept', 'glass_opened'],
        'account_erased',
        'export_ready',
        ...['data_code', 'erasure_begun', 'person_erased'],
        'payout_account',
        'payout_appeal',
        'payout_closed',
        'payout_failed',
        'payout_held',
        'payout_released',
        'payout_restricted',
        'payout_schedule',
        'payout_sent',
        'payout_waits',
        'proof_code',
        'dispute',
        'dispute_lost',
        'dispute_waits',
        'dispute_won',
        'access_answered',
        'access_ended',
        'access_ends',
        'link_opens',
        'return_code',
        'order_refunded',
        'payment_reported',
        'refund_answered',
        'refund_asked',
        'refund_came_back',
        'refund_failed',
        'refund_not_taken',
        'refund_refused',
        'refund_request_kept',
        'refund_waits',
        ...['application_received', 'partner_approved', 'partner_rejected'],
        ...['partner_paused', 'partner_closed', 'partner_paid'],
        'release_waits',
        'provider_key_refused',
        'owed_back',
        'to_send',
        'unbilled',
        ...['fans_unbilled', 'full_check_red'],
        'request_code',
        'request_decided',
        'request_delivered',
        'request_ended',
        'request_paid',
        'request_proof',
        'request_quoted',
        'request_sent',
        'request_waits',
        ...['support_answer', 'support_number', 'support_reply'],
        'support_request',
        ...['report_number', 'refund_decided'],
        'refund_request_kept',
        'refund_asked',
        'refund_came_back',
        'refund_failed',
        'refund_not_taken',
        'refund_answered',
        'refund_refused',
        'refund_waits',
        'payout_schedule',
        'payout_sent',
        'payout_failed',
        'payout_held',
        'payout_released',
        'payout_appeal',
        'payout_waits',
        'report',
        'report_decided',
        'content_hidden',
        'content_removed',
        'content_restored',
        'appeal_decided',
        'report_reversed',
        'counter_notice',
        'report_answered',
        'reports_due',
        ...['copy_removed', 'media_matches'],
        'password_guessed',
        'plan_receipt',
        'plan_payment_failed',
        'plan_unbilled',
        'plan_renews',
        'plan_cancelled',
        'plan_ended',
        'plan_refunded',
        'pack_receipt',
        'pack_refunded',
        'plan_paused',
        'plan_resumes',
        'plan_resumed',
        'fan_renews',
        'fan_payment_failed',
        'fan_cancelled',
        'fan_ended',
        'fan_price',
      ]),
    );
  });
});

it('of two equal parts of one payment that went back, both are told', () => {
  const sums = { amountCents: 1000, shareCents: 900, currency: 'USD' };
  const part: Notice = { event: 'refund', orderId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab', why: 'by_us', ...sums };
  const [email] = emailsOfNotices([part, part], { publicUrl: 'https://example.com', timeZone: 'UTC' });
  expect(email?.text.match(/\$10 went back/g)).toHaveLength(2);
});
