/** What a creator hears of a request, at each stage of it. */
export const requestWords = {
  new: {
    subject: 'You have a new request',
    write: (amount: string) => [
      `Someone asks you to make something for them and offers ${amount}.`,
      'Please accept it, decline it or propose something else within 72 hours. After that it expires.',
    ],
  },
  withdrawn: {
    subject: 'A request was withdrawn',
    write: () => ["The person who asked has withdrawn it. There's nothing you need to do."],
  },
  expired: {
    subject: 'A request has expired',
    write: () => ['A custom request has expired because its time to answer or to pay ran out.'],
  },
  paid: {
    subject: 'A request was paid for',
    write: (amount: string, share: string) => [
      `${amount} is held for one of your requests. You can start.`,
      `When what you deliver is accepted, ${share} is yours.`,
    ],
  },
  revision: {
    subject: 'One change was asked for',
    write: () => ['The buyer has asked for one change to your delivery. It has to stay within what was agreed.'],
  },
  problem: {
    subject: 'A delivery was reported',
    write: () => [
      "The buyer says that something is wrong with your delivery. We'll look into it within 5 days and hold the payment until then.",
    ],
  },
  reported: {
    subject: 'A finished request was reported',
    write: () => [
      'The buyer says that something is wrong with what you delivered. You keep your share for now. We look into it within 5 days, and may refund the buyer.',
    ],
  },
  late: {
    subject: 'A change was not delivered in time',
    write: () => [
      "The change that was asked for wasn't delivered in time. We'll look into it within 5 days and hold the payment until then.",
    ],
  },
  released: {
    subject: 'A request is done',
    write: (_amount: string, share: string) => [`Your delivery counts as accepted: ${share} is on its way to you.`],
  },
  refunded: {
    subject: 'A request was refunded',
    write: (amount: string) => [
      `${amount} is on its way back to the buyer of one of your requests. The request says why.`,
    ],
  },
} as const;

/** What a creator hears of a request. */
export type RequestStage = keyof typeof requestWords;
