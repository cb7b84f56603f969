import { LegalFrame } from './legal-frame.tsx';
import { writeContentPolicy } from './legal-words.ts';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/acceptable-use');

export default function ContentPolicyPage() {
  return <LegalFrame write={writeContentPolicy} />;
}
