import type { LinkRulesInput } from '../contract.ts';

/** What the part of a sentence says and changes. */
export interface RulesProps {
  rules: LinkRulesInput;
  onChange: (change: Partial<LinkRulesInput>) => void;
  /** The link that exists already. */
  linkId?: string | undefined;
}
