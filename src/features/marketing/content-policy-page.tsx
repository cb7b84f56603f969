import { LegalFrame } from './legal-frame.tsx';
import { writeContentPolicy } from './legal-words.ts';

export const meta = () => [
  { title: 'Content policy – PrivateFans' },
  { name: 'description', content: 'What may be shared here, and who may be shown.' },
];

export default function ContentPolicyPage() {
  return <LegalFrame write={writeContentPolicy} />;
}
