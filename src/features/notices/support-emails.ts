import { accountEmail, type EmailText, facts, quote } from './email-words.ts';

/** To whoever wrote to support. Nothing that was typed stands in it: the address may be somebody else's. */
export const supportNumberEmail = (number: number): EmailText =>
  accountEmail(
    'support_number',
    'We received your message',
    `Your message has reached us. Its number is ${number}; please mention it if you write again.`,
    "We'll get back to you as soon as possible.",
    "If you didn't write to us, you can ignore this email.",
  );

/** To the operator. */
export const supportRequestEmail = (request: {
  number: number;
  name: string;
  email: string;
  subject: string;
  message: string;
}): EmailText =>
  accountEmail(
    'support_request',
    'Someone wrote to support',
    `Support request ${request.number}:`,
    facts(request.name, request.email, request.subject),
    quote(request.message),
    `When you have answered, run: npm run pf -- support close ${request.number}`,
  );
