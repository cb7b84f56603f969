/** What is offered to a visitor before anything was asked, each with the topic that answers it. */
export const visitorQuestions = {
  'What is PrivateFans?': 'what-is-privatefans',
  'How much does it cost?': 'price',
  'What are your pricing plans?': 'plans',
  'How do I get started?': 'get-started',
  'What features do you offer?': 'features',
} as const;

/** The same for a creator; of a feature that is not there yet the answer says so. */
export const creatorQuestions = {
  'How do I upload an album?': ['upload-album'],
  'How do I create magic links?': ['create-link'],
  'How do I check my earnings?': ['earnings', 'no-earnings-yet'],
  'How do I manage access requests?': ['access-requests', 'no-access-requests-yet'],
  'How do custom requests work?': ['custom-requests', 'no-custom-requests-yet'],
} as const;
