import { backupCodeCount, deletionGraceDays, pinTriesMax } from '#features/accounts/rules.ts';
import { formatCount } from '#kit/text.ts';
import type { Facts } from '../contract.ts';
import type { Topic } from './topic.ts';

const profile = { group: 'account', page: '/profile' } as const;
const security = { group: 'account', page: '/profile/security' } as const;
const auth = { group: 'account', page: '/auth' } as const;

const describeOperator = ({ operatorEmail }: Facts) =>
  operatorEmail === null
    ? 'Write to the person who gave you this address.'
    : `Write to the operator at \`${operatorEmail}\`.`;

/** Signing in, and everything about a person's own account. */
export const accountTopics: readonly Topic[] = [
  {
    ...auth,
    id: 'no-email',
    title: 'The confirmation email didn’t arrive',
    asks: [
      'I did not receive the code, email or link',
      'How do I confirm my account?',
      'No confirmation mail, the code never came, where is my email?',
      'The code is wrong, does not work or has expired',
      'I never got the mail, no email, verification code missing, spam folder, junk, resend the message',
      'Confirm my email address, activate my account, link in the mail does not work or expired',
    ],
    text: ({ resendSeconds, codeMinutes, linkMinutes }) =>
      `Look in your spam folder first, and check the address for typos. You can ask for another email ${formatCount(resendSeconds, 'second')} after the last one. Its code is good for ${formatCount(codeMinutes, 'minute')} and its link for ${formatCount(linkMinutes, 'minute')}, in the **same browser** you started in.`,
  },
  {
    ...auth,
    id: 'sign-in-problem',
    title: 'I can’t sign in',
    asks: [
      'My account is locked, blocked or does not accept my password',
      'Why can I not get in?',
      'It says that my password or email is wrong when I sign in',
      'Can not log in, signing in does not work, it does not let me in',
      'Trouble with signing in',
      'Login fails, log in, cannot get into my account, wrong password, locked out, too many attempts',
      'Access my account from another computer',
    ],
    text: () =>
      'Check the email address first, then the password with the eye symbol. After several wrong passwords each further try waits a little longer. If you are not sure, choose **Forgot your password?** and set a new one.',
  },
  {
    ...auth,
    page: '/auth?action=forgot',
    id: 'forgot-password',
    title: 'I forgot my password',
    asks: [
      'Lost my password, cannot remember it',
      'I do not remember my password, I need a new one',
      'Password gone, reset it',
      'Reset password, lost my password, recover my account, new password by email, do not remember my login',
    ],
    text: () =>
      'Choose **Forgot your password?** on the sign-in page. We email you a link and a code to set a new one. Every other device is signed out then.',
  },
  {
    ...security,
    id: 'change-password',
    title: 'How do I change my password?',
    asks: [
      'Choose another password, change the password of my account',
      'Update, edit or replace my password while signed in, stronger password',
    ],
    text: () =>
      'Under **Profile → Security**: enter the current password and a new one. Every other device is signed out.',
  },
  {
    ...security,
    id: 'app-lock',
    page: '/profile/app',
    needs: 'install',
    title: 'How do I lock the app on my phone?',
    asks: [
      'App lock, lock screen for the app, ask for a PIN when the app is opened',
      'Somebody else uses my phone: how do I keep them out of the app?',
      'I forgot the PIN of the app',
    ],
    text: () =>
      `**Profile → App** sets a PIN. The app is then locked after a minute out of sight, on every device where you’re signed in. The server checks the PIN; after ${pinTriesMax} wrong ones you sign in again. If you’ve forgotten it, **Forgot your PIN?** on the lock screen takes your password and another PIN.`,
  },
  {
    ...security,
    id: 'two-step',
    title: 'How do I set up two-step sign-in?',
    asks: [
      'Two-factor authentication, 2FA, MFA, two-step verification, second factor, authenticator app, TOTP, security code at sign-in',
      'Turn on, set up or switch off 2FA with Google Authenticator, Authy or another authenticator app',
      'Security key, yubikey, otp, one-time codes for signing in',
      'I lost my phone with the authenticator: backup codes, recovery codes',
    ],
    text: () =>
      `**Profile → Security** sets it up: scan the picture with any authenticator app, enter a code, and keep the ${backupCodeCount} backup codes. From then on signing in takes your password and a code. Without your phone, use a backup code; without those, write to support. Opening your payout account needs it too.`,
  },
  {
    ...security,
    id: 'sessions',
    title: 'Where am I signed in?',
    asks: [
      'Where else am I logged in? Log out my other phone',
      'See my devices, list my computers and phones',
      'Log out of all devices, is somebody else signed in to my account?',
      'How do I sign out, log off?',
      'Sessions, devices, log out, sign out everywhere, logged in on another computer, somebody else uses my login',
      'Stay signed in, how long does a session last',
    ],
    text: ({ sessionDays }) =>
      `**Profile → Security** lists each device with its country and last use; you can end one, or sign out everywhere. A session ends by itself after ${formatCount(sessionDays, 'day')} without use.`,
  },
  {
    ...profile,
    id: 'profile',
    title: 'How do I change my name, picture or bio?',
    asks: [
      'Stage name, change how I am called, upload a profile picture',
      'Change my avatar, edit my bio, change my username, update my profile photo',
      'Profile picture, avatar, display name, handle, username, bio, edit my profile, nickname, stage name',
    ],
    text: () =>
      'Under **Profile**. Viewers see your picture and name above your links; it doesn’t have to be your real name. The handle is your unique name here.',
  },
  {
    ...profile,
    id: 'public-page',
    title: 'Do I have a public page?',
    asks: [
      'Turn my public page on or off, can strangers find my profile?',
      'Is my profile public? Can I have a page for my Instagram bio?',
      'Public profile, page with my handle, link in bio, be found, visibility of my profile',
    ],
    text: () =>
      'Only if you turn it on under **Profile**. It then shows your picture, name and bio to anyone; no albums are listed there, and search engines are asked to leave it out. Until then only people with one of your links see anything about you.',
  },
  {
    ...profile,
    id: 'real-name',
    title: 'Does anyone see my real name or email?',
    asks: [
      'Is my name shown? Which name do viewers see?',
      'Hide my identity, keep my name secret, stay unknown, be anonymous as a creator',
      'Will my boss, parents, friends or neighbors find out? Will anyone recognize me?',
      'Do fans see my real name, email, phone number or address?',
      'Is it discreet?',
      'Stay anonymous, hide my identity, legal name, pseudonym, my family or boss could find out, privacy of the creator, my address',
    ],
    text: () =>
      'No. Viewers see the **display name** you chose, and your picture if you have one. Your email address and date of birth are shown to nobody.',
  },
  {
    ...profile,
    id: 'change-email',
    title: 'Can I change my email address?',
    asks: [
      'I have a new email address, wrong email in my account',
      'New email, other mail address, update my email, moved to another provider',
    ],
    text: () =>
      'Yes: **Profile → Security → Change address**. You enter your password and a code that we email to the new address. The old address gets an email by which the change can be undone for some days; after that you can change it again.',
  },
  {
    ...profile,
    id: 'delete-account',
    until: 'dataExport',
    title: 'How do I delete my account?',
    page: '/account/data',
    asks: [
      'Terminate my account, leave PrivateFans completely',
      'Erase everything about me, remove me from the site',
      'Delete me, delete my profile',
      'Close, remove or terminate my account, erase all my data, right to be forgotten, GDPR, leave for good',
      'Export or download my data',
    ],
    text: (facts) =>
      `Under **Profile → Privacy & data**. Your links stop at once, and for ${deletionGraceDays} days signing in keeps your account; then everything in it is erased. What people paid you in the 30 days before goes back to them. For a copy of your data, ask the operator. ${describeOperator(facts)}`,
  },
  {
    ...profile,
    id: 'delete-account-yourself',
    needs: 'dataExport',
    title: 'How do I delete my account or export my data?',
    page: '/account/data',
    asks: [
      'Erase everything about me, remove me from the site',
      'Delete me, delete my profile',
      'Close, remove or terminate my account, erase all my data, right to be forgotten, GDPR, leave for good',
      'Export or download my data',
    ],
    text: () =>
      `Under **Profile → Privacy & data**. Deleting revokes all your links at once and leaves you ${deletionGraceDays} days to change your mind; then the keys are destroyed. What people paid you in the last 30 days goes back to them. For a copy of your data, write to support.`,
  },
  {
    ...profile,
    id: 'stored-data',
    title: 'What do you store about me?',
    page: '/privacy-policy',
    asks: [
      'Is my data sold? What happens with my data?',
      'Do you use cookies? What do you know about me? Do you sell my data?',
      'Where is the privacy policy?',
      'Privacy, personal data, cookies, tracking, data protection, GDPR, logs, do you share my information',
    ],
    text: () =>
      'Only what the product needs: your account, your encrypted pictures, and who looked at them. Nothing is sold, and there is no advertising. The privacy policy lists everything, with how long it is kept.',
  },
  {
    ...profile,
    id: 'news',
    title: 'Which emails do you send me?',
    page: '/privacy-policy',
    asks: [
      'Too many emails from you, unsubscribe from the newsletter',
      'Stop sending me newsletters, I do not want mails',
      'Newsletter, marketing mails, unsubscribe from emails, stop sending me messages, too many mails',
    ],
    text: () =>
      'The ones you ask for, such as a link to set a password, and warnings about your account. News only if you said you want it when you set up your account. Subjects are neutral: they never say what PrivateFans is about.',
  },
  {
    ...profile,
    id: 'notification-settings',
    needs: 'push',
    title: 'How do I choose my notifications?',
    asks: ['Push notifications, turn off alerts, quiet hours, do not disturb, email digest'],
    text: () => 'Under **Profile**: choose push, email or off for each kind of event, and set quiet hours.',
  },
  {
    ...profile,
    id: 'contact',
    title: 'How do I contact support?',
    page: '/contact',
    asks: [
      'I need help from a person, who can I write to? Contact you',
      'I want to speak to a human, help me, I need help, customer support, call you',
      'Something does not work, error, problem',
      'Talk to a human, a real person, customer service, help desk, phone number, email of the team, complaint',
      'Report a bug, feedback, something is broken',
    ],
    text: () => 'Write to us on the contact page. You get a number at once and an answer by email as soon as possible.',
  },
  {
    ...profile,
    id: 'open-source',
    title: 'Who runs PrivateFans?',
    page: '/terms-of-use',
    asks: [
      'Who made this? Who created PrivateFans? Who is the owner?',
      'Who owns this website? Which company is this? Who made this? Who is behind it?',
      'Where is your company based? Which country are you in?',
      'Company behind it, owner, operator, imprint, open source, source code, self-host, license',
      'Where are the servers, hosting',
    ],
    text: () =>
      'PrivateFans is free software under the AGPL that anyone may run. The terms of use name the operator of this installation, who is responsible for it and for the data stored here.',
  },
];
