import { describeContact, nameOperator, type Operator } from '../operator-words.ts';
import type { LegalText } from './legal-words.ts';

/** Returns how a work is taken down that infringes a copyright, and how its creator objects. */
export const writeDmca = (operator: Operator): LegalText => ({
  title: 'Copyright and DMCA',
  summary:
    'If something shared here infringes your copyright, tell us and it is removed. If something of yours was removed by mistake, you can object.',
  chapters: [
    {
      title: 'Who to write to',
      paragraphs: [
        `Notices go to ${nameOperator(operator)} (“the operator”). ${describeContact(operator)}`,
        'If an intimate picture of you is shared without your consent, you need not own the copyright: say so, and it is treated as urgent.',
      ],
    },
    {
      title: 'What a notice must contain',
      paragraphs: [
        'Your name, and how you can be reached: postal address, phone number and email address.',
        'Which work of yours is meant. If there are several, a list of them.',
        'What infringes it and where it is: the link you were given, and which picture or second of a video. Albums here have no public address, so without the link it cannot be found.',
        'A statement that you believe in good faith that the use is not authorized by the owner, an agent of the owner, or the law.',
        'A statement that the notice is accurate and, under penalty of perjury, that you are the owner or may act on the owner’s behalf.',
        'Your signature, by hand or electronic: your typed full name is enough.',
      ],
    },
    {
      title: 'What happens then',
      paragraphs: [
        'A complete notice is answered promptly: the material is removed or access to it is disabled, and the creator who shared it is told, with a copy of your notice. Your address and phone number are left out of that copy where the law allows it.',
        'Accounts of people who infringe copyright repeatedly are ended.',
      ],
    },
    {
      title: 'Objecting to a removal',
      paragraphs: [
        'If something of yours was removed by mistake or was misidentified, send a counter-notice, on the page “Reports” of your account or in writing: what was removed and which link it was in; a statement under penalty of perjury that you believe in good faith it was removed by mistake or misidentification; your name, address and phone number; your consent to the jurisdiction of the federal district court where you live (or, outside the United States, where the operator can be found), and to being served by whoever sent the notice; and your signature.',
        'The counter-notice is passed on. Unless the other side tells the operator within 10 business days that it has gone to court, the material comes back.',
      ],
    },
    {
      title: 'False notices',
      paragraphs: [
        'Whoever knowingly misrepresents that something infringes a copyright, or that it was removed by mistake, can be liable for the damage. If you are not sure, ask a lawyer first.',
        'These steps follow section 512 of title 17 of the United States Code. Where other law applies, it applies as well.',
      ],
    },
  ],
});
