import { LegalFrame } from './legal-frame.tsx';
import { writePrivacy } from './legal-words.ts';

export const meta = () => [
  { title: 'Privacy policy – PrivateFans' },
  { name: 'description', content: 'What is stored, for how long, and who gets it.' },
];

export default function PrivacyPage() {
  return <LegalFrame write={writePrivacy} />;
}
