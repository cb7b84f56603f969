import { LegalFrame } from './legal-frame.tsx';
import { writeTerms } from './legal-words.ts';

export const meta = () => [
  { title: 'Terms of use – PrivateFans' },
  { name: 'description', content: 'What creators and viewers agree to, in plain words.' },
];

export default function TermsPage() {
  return <LegalFrame write={writeTerms} />;
}
