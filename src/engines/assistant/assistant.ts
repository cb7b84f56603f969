/** A question with what it may be answered from. */
export interface AssistantQuestion {
  /** What somebody typed. */
  message: string;
  /** How to answer, and what never to say. */
  rules: string;
  /** All that may be said, best first. */
  texts: readonly string[];
  /** The answer that stands without anybody's help. */
  draft: string;
}

/** Puts an answer into words. */
export interface Assistant {
  /**
   * @returns the draft, or what a model made of the texts; when that fails or takes too long, the draft. It never throws. The words of a
   * model are not to be trusted.
   */
  write(question: AssistantQuestion): Promise<AssistantAnswer>;
  /** Where questions are sent, for the privacy policy: a host's name; null when they stay here. */
  host: string | null;
}

export interface AssistantAnswer {
  by: 'draft' | 'model';
  text: string;
}
