import type { Topic } from '../topic.ts';

/** Somebody's pictures are here against their will: that comes before every other way to read the question. */
export const careTopics: readonly Topic[] = [
  {
    group: 'protection',
    page: '/report',
    id: 'my-pictures',
    title: 'There are pictures of me here without my consent',
    asks: [],
    keys: [
      'me|myself|i pic|pics|picture|pictures|photo|photos|video|videos|nudes|nude|naked|image|images|clip without|never|not|didnt|dont|no consent|permission|agree|agreed|asking|allowed|knowledge|knowing|asked|okay|allow !reddit|twitter|telegram|porn_site|another_site|other_site|leaked|may_i|can_i_post|can_i_upload|upload_photos_of_others|do_i_need|viewer|viewers|download|screenshot|screenshots|share_my_link|stolen',
      'i_am|im|its_me|thats_me|shows_me|of_me in|on|from picture|pictures|photo|photos|video|album|site|here consent|permission|agreed|remove|delete|take|taken|down|off|wtf|stop !my_own|profile|i_am_in_a_trial',
      'revenge_porn|revenge|ncii',
      'someone|somebody|he|she|ex|boyfriend|husband|guy|they uploaded|posted|shared|put|uploading|sharing me|of_me|my_nudes|my_pics|my_pictures|my_photos here|site|platform|privatefans|this_website|up',
    ],
    text: () =>
      "I'm sorry. You can have them taken down: open the report page, say which link or page it is, and that you never agreed. You need no account. A complete report of an **intimate picture shared without consent** hides it at once; then a person decides. Keep the messages in which you got the link as evidence. Whoever put them up isn't told who reported them.",
  },
];
