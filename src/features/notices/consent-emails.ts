import { accountEmail, type EmailText, link } from './email-words.ts';

/** To whoever is shown. Nothing stands in it that was typed: the address may be somebody else's. The page says who asks, and for what. */
export const consentRequestedEmail = ({ consentLink }: { consentLink: string }): EmailText =>
  accountEmail(
    'consent_requested',
    'Someone asks for your consent',
    'A creator says that photos or videos show you, and asks whether you agree to their being shown to others. Without your yes, they are shown to nobody.',
    link('See who asks and for what, and say yes or no. No account is needed:', 'See the request', consentLink),
    "If this isn't about you, say so on that page, and they can't ask you again.",
    'Keep this email: by its link you can take a yes back at any time.',
  );

/** To whoever agreed: the way back. */
export const consentGivenEmail = ({ consentLink }: { consentLink: string }): EmailText =>
  accountEmail(
    'consent_given',
    'You gave your consent',
    'You agreed that photos or videos of you are shown.',
    link(
      'You can withdraw that at any time, without a reason. They are then closed to everyone at once:',
      'See or withdraw it',
      consentLink,
    ),
    "If this wasn't you, withdraw it by the same link.",
  );

/** To whoever took it back. */
export const consentWithdrawnEmail = (): EmailText =>
  accountEmail(
    'consent_withdrawn',
    'Your consent is withdrawn',
    'You have withdrawn your consent. What it was for is closed to everyone else from now on. Its creator is told, and has to take out everything that shows you.',
  );

/** To whoever agreed and is taken off an album. */
export const consentEndedEmail = ({ reportPage }: { reportPage: string }): EmailText =>
  accountEmail(
    'consent_ended',
    'Your consent has ended',
    'You had agreed that photos or videos of you are shown. Their creator now says that nothing there shows you any more, so that consent has ended, and the link by which you could withdraw it leads nowhere.',
    link(
      'If you are shown somewhere all the same, report it. A report needs no account:',
      'Report a picture',
      reportPage,
    ),
  );

/** To the creator who asked. */
export const consentAnsweredEmail = ({
  isGiven,
  settingsLink,
}: {
  isGiven: boolean;
  settingsLink: string;
}): EmailText =>
  isGiven
    ? accountEmail(
        'consent_yes',
        'Someone you asked has agreed',
        'A person whom you asked for consent has said yes. As soon as everyone shown has agreed, your links open.',
        link('See who has answered:', 'See the answers', settingsLink),
      )
    : accountEmail(
        'consent_no',
        'Someone you asked has said no',
        'A person whom you asked for consent has said no. Links stay closed as long as this person is named as shown.',
        link(
          'Take everything that shows this person out. Then take their name off the list:',
          'See the answers',
          settingsLink,
        ),
      );

/** To the creator: what was taken back, and what to do. */
export const consentWithdrawnNoticeEmail = ({ settingsLink }: { settingsLink: string }): EmailText =>
  accountEmail(
    'consent_locked',
    'Someone has withdrawn their consent',
    'A person who is shown in one of your albums has withdrawn their consent. The album is locked: its links show nothing to anyone any more, and what was paid for it in the last 90 days goes back.',
    link(
      'Take everything out that shows this person and say so there; someone then looks and opens the album again. Or delete the album:',
      'Open the album',
      settingsLink,
    ),
  );

/** To the operator. */
export const consentToReviewEmail = ({ id, deskLink }: { id: string; deskLink: string }): EmailText =>
  accountEmail(
    'consent_review',
    'Something waits to be looked at',
    'A person has withdrawn their consent to being shown, and the creator says that everything that showed them is out of the album.',
    link('It waits here:', 'See the reports', deskLink),
    `To open the album again, run: npm run pf -- consents open ${id} --reason "…". To keep it closed: npm run pf -- consents keep ${id} --reason "…"`,
  );

/** What came of a look at a locked album: it is open; this withdrawal is settled, but something else keeps it closed; or it stays locked. */
export type ConsentOutcome = 'opened' | 'settled' | 'kept';

const reviewed: Record<ConsentOutcome, (reason: string, settingsLink: string) => EmailText> = {
  opened: (reason, settingsLink) =>
    accountEmail(
      'consent_opened',
      'It is open again',
      'We looked at the album that was locked after a withdrawn consent, and opened it again.',
      link('What we noted:', 'Open the album', settingsLink),
      reason,
    ),
  settled: (reason, settingsLink) =>
    accountEmail(
      'consent_settled',
      'The withdrawal is settled, one step is left',
      'We looked at the album that was locked after a withdrawn consent, and this withdrawal is settled. Its links still show nothing: someone else shown in it has withdrawn or has not agreed, or you have not said who is shown in it now.',
      link('What we noted:', 'Open the album', settingsLink),
      reason,
    ),
  kept: (reason, settingsLink) =>
    accountEmail(
      'consent_kept',
      'It stays locked for now',
      'We looked at what was locked after a withdrawn consent, and it stays closed to everyone else. The reason:',
      reason,
      link('You can change it and say so again, or delete it:', 'Open the album', settingsLink),
    ),
};

/** To the creator, once somebody has looked. */
export const consentReviewedEmail = ({
  outcome,
  reason,
  settingsLink,
}: {
  outcome: ConsentOutcome;
  reason: string;
  settingsLink: string;
}): EmailText => reviewed[outcome](reason, settingsLink);
