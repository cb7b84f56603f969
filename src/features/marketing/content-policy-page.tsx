import { LegalFrame } from './legal/legal-frame.tsx';
import { writeContentPolicy } from './legal/legal-words.ts';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/acceptable-use');

export default function ContentPolicyPage() {
  return <LegalFrame write={writeContentPolicy} />;
}
