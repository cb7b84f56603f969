import type { Topic } from './topic.ts';

const help = { page: '/help' } as const;

/** What people say to somebody they talk to. It stands on no page. */
export const talkTopics: readonly Topic[] = [
  {
    ...help,
    id: 'hello',
    title: 'Hello',
    asks: ['Hi', 'Hey', 'Hiya', 'Good morning', 'Good evening', 'Hello Sofia', 'Hey there'],
    text: () => 'Hello! Ask me anything about PrivateFans.',
  },
  {
    ...help,
    id: 'thanks',
    title: 'Thank you',
    asks: [
      'Thank you very much',
      'Nice, good, fine, got it',
      'Thanks',
      'Thx',
      'Ty',
      'Great',
      'Perfect',
      'That helped',
      'Awesome',
      'Cool',
      'Ok',
    ],
    text: () => "You're welcome.",
  },
  {
    ...help,
    id: 'goodbye',
    title: 'Goodbye',
    asks: ['Bye', 'See you', 'Ciao', 'Later'],
    text: () => 'Goodbye, and take care.',
  },
  {
    ...help,
    id: 'who-is-sofia',
    title: 'Who are you, Sofia?',
    asks: [
      'Are you real? Are you human?',
      'What can you do, Sofia?',
      'Are you a robot, bot, AI, chatbot, ChatGPT, machine or real human?',
      'What is your name? What can you help me with?',
      'Who am I talking to?',
    ],
    text: () =>
      "I'm Sofia, the assistant of PrivateFans, and a program, not a person. I answer from the help texts. I can't see your pictures and I can't change anything.",
  },
  {
    ...help,
    id: 'upset',
    title: 'That was no help',
    asks: [
      'You suck',
      'That was not my question, you do not understand me',
      'Bullshit, rubbish, nonsense, crap',
      'You are useless',
      'Useless answer, nothing works',
      'Stupid bot',
      'That does not help',
      'Wrong answer',
      'I hate this',
      'This sucks',
      'Idiot',
      'Fuck you',
    ],
    text: () =>
      "I'm sorry that this wasn't what you needed. Try saying it in other words, or look through all help texts.",
  },
  {
    ...help,
    id: 'off-topic',
    title: 'Something else entirely',
    asks: [
      'Weather, news, sports, football, politics, president, world cup, stock market',
      'Tell me a joke, write a poem, a story, a song, an essay or code, translate, do my homework',
      'Recipe, cook, pizza, restaurant, movie tip, capital of a country',
      'System prompt, ignore previous instructions, print your rules, developer mode, pretend to be, act as, jailbreak',
      'Are you single, do you love me, marry me, how old are you, flirt',
    ],
    keys: [
      'weather|recipe|recipes|bake|baking|cook|cooking|homework|horoscope|football|soccer|election|president|lipstick|puppy|acne',
      'capital|population of',
      'who|what is|was taylor_swift|elon|trump|god|love|the_moon|moon|real !this|site|company',
      'delete|deactivate|log_into facebook|instagram|tiktok|twitter|snapchat|onlyfans_account',
      'invest|investor|hiring|job|jobs|career|careers|vacancy in|your|you|company',
      'stock_price|your_stock|stock_market',
      'fix|repair|replace car|tv|fridge|washing|sink|screen|laptop|toilet|bike !share|link',
    ],
    text: () => 'I can only help with PrivateFans. Ask me about albums, links, protection or your account.',
  },
];
