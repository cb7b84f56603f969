/** Words that say little about what is asked: they decide only where nothing else is said. */
export const emptyWords: ReadonlySet<string> = new Set(
  `a an the r is are am be been was were do does did done doing can could would should will shall may might must i im ive me my mine you your
  yours u ur it its this that these those there here with at by for from as if so please pls plz just have has had having to of in on and or
  but then than what whats how where when why which any some all every very really too also only about into out up get got getting go going
  gonna want wanna need let lets make use using know tell say explain help work works working way thing things stuff like one ones we us our
  they them their he she his him her hers ok okay privatefans privatefan site website platform thanks hi hello hey put here anything something everything not dont didnt doesnt cant isnt wont only still already more ever any anymore after first again way ive people someone somebody something else should between im already even else soon yet although because since while though give gave given button find page time much per via around without rather maybe actually basically literally lol omg wtf bro babe hun dear sir`.split(
    /\s+/,
  ),
);

/** Expressions of several words, and the word that says it. Read before single words, in this order. */
export const expressions: readonly (readonly [RegExp, string])[] = [
  [/\bfree[\s-]*(trial|test|week|period)\b|\btry (it )?(for free|out)\b|\bfree7\b/g, ' trial '],
  [/\b(money|cash)[\s-]*back\b/g, ' refund '],
  [/\bhow (much|expensive)\b(?! (storage|space|room))/g, ' price '],
  [/\bhow many\b/g, ' limit '],
  [
    /\bscreen[\s-]*(shots?|grabs?|caps?|captures?|recordings?|recorders?|record|recorded)\b|\bprint[\s-]*screen\b/g,
    ' screenshot ',
  ],
  [/\b(take|taking|took|pull|call)(ing)? (\w+ ){0,3}back\b(?! (up|into))/g, ' takeback '],
  [/\b(get|getting|have) (\w+ )?links? back\b/g, ' takeback link '],
  [/\b(get|getting|bring|bringing|have) (\w+ ){0,3}back\b/g, ' restore '],
  [/\b(turn|shut|switch|cut)(ing|ting|ning)? (\w+ ){0,3}off\b/g, ' disable '],
  [/\bget rid of\b|\bthrow away\b/g, ' delete '],
  [/\bwater[\s-]*marks?\b/g, ' watermark '],
  [/\b(sign|log)(ing|ging)?[\s-]*(in|on)\b|\blogins?\b/g, ' signin '],
  [/\b(sign|log)(ing|ging)?[\s-]*(out|off)\b|\blogouts?\b/g, ' signout '],
  [/\b(sign|signing)[\s-]*(me |us )?up\b/g, ' signup '],
  [/\b(\d+) ?(h|hrs?)\b/g, ' $1 hour '],
  [/\b(\d+) ?mins?\b/g, ' $1 minute '],
  [/\be[\s-]+mails?\b/g, ' email '],
  [/\b(look|looking|looks)[\s-]*(at|in|into)\b/g, ' look '],
  [/\bright now\b|\bat (this|the) moment\b|\breal[\s-]*time\b/g, ' live '],
  [/\bpass(ed|ing)? (it|them|my link|the link|my url|the url)? ?(on|along|around)\b/g, ' forward '],
  [/\b(run|runs|running|ran) out\b/g, ' expire '],
  [/\b(play|app)[\s-]*store\b/g, ' appstore '],
  [/\bcredit[\s-]*cards?\b|\bdebit[\s-]*cards?\b/g, ' card '],
  [/\b(right to be forgotten)\b/g, ' delete account '],
  [/\bsecret words?\b/g, ' password '],
  [/\b(out of|no|low on|more|enough|need) (space|storage|room|memory)\b/g, ' storage full '],
  [
    /\b((at|to|on) the|at|on) (top|front|beginning|start|bottom|end)\b(?! of (the|my) (trial|link|month|plan))/g,
    ' order ',
  ],
  [/\b(broke|break|breaking|split|splitting) up\b/g, ' breakup '],
  [/\b(hand|pass|give)(ed|ing)? (it |them )?(around|to others|to other people|to someone else)\b/g, ' forward '],
  [/\b(under|below) ?age\b|\b(sixteen|seventeen|fifteen)\b/g, ' age young '],
  [/\b(one|single|only|1) (time|view|look)\b|\bonly once\b|\bjust once\b/g, ' once '],
  [/\b(self|auto)[\s-]*(destruct|destroy|delet)\w*/g, ' disappear '],
  [/\bwho (are|r) (you|u)\b|\bwho (is|am i talking to)\b(?= ?$|.*sofia)/g, ' sofia identity '],
];

/** Words that mean the same here; the first of each line stands for all of them. */
const alike = `
photo pic picture pix image img snap selfie pict photograph shot nude nudes
video vid clip film movie reel footage mov
album gallery folder collection albums
link url weblink magiclink
takeback revoke disable deactivate kill withdraw unshare unsend rescind retract kick terminate
price cost fee expensive cheap pricey dollar usd bucks rate pricing euro pound afford affordable bill billing
discount coupon voucher promo promotion deal
card visa mastercard amex maestro
paypal bitcoin crypto klarna venmo cashapp
partner boyfriend girlfriend husband wife lover ex friend buddy mate date crush
viewer fan customer recipient client follower watcher audience guest visitor guy dude buyer subscriber patron admirer
delete remove erase wipe trash bin discard deletion removal
upload import add drop
password passcode passphrase pw pwd pin pass
expire expiry expiration deadline lapse lifetime valid die
forward reshare resend redistribute
screenshot screencap screengrab capture record recording
leak stolen steal thief pirate repost leaker leaked exposed exposing
trace culprit identify identification
earnings earn income revenue payout payday monetise monetize profit salary wage
notify notification alert ping push notice inform
cancel unsubscribe quit stop
plan tier package subscription membership
refund reimburse
phone mobile smartphone iphone android ipad tablet cellphone
analytics statistic stats metric figure insight number chart graph
look view watch see seen saw open opened viewed watched
signin signon authenticate logon
session device computer laptop desktop tablet pc mac
messenger whatsapp telegram signal instagram insta imessage sms dm messenger facebook discord
welcome greeting greet hello message
public visible findable searchable google
operator company owner owns boss founder
disappear vanish ephemeral
accurate reliable certain certainty sure proof evidence probability
legit scam fraud fake phishing serious
signup register join registration enrol enroll
restore recover undelete undo recovery retrieve
rename label title nickname
location gps geotag whereabouts country city place
metadata exif
watermark stamp logo overlay
storage space quota capacity disk
stuck frozen freeze hang hanging stall stalled fail failing failed abort aborted interrupted crash crashed
order sort rearrange reorder sequence arrange position
move transfer shift relocate
change edit modify adjust alter tweak update swap replace switch
hide invisible conceal hidden
request ask asking
approve accept grant allow permit
deny reject decline refuse
custom personalised personalized bespoke tailored
anonymous anonymity pseudonym incognito unidentified
human person people somebody someone anybody
bot robot ai chatbot machine gpt chatgpt
support helpdesk contact complain complaint
safe secure security safety trustworthy trust
encrypt encryption encrypted
share send give show
buy purchase checkout
extend prolong renew lengthen postpone
report abuse flag
browser safari chrome firefox edge
install appstore homescreen
different difference versus vs comparison compare competitor alternative better advantage unlike switch
onlyfans fansly patreon fanvue fanfix loyalfans passes manyvids justforfans snapchat dropbox wetransfer drive
big large size huge heavy
gigabyte gb mb megabyte tb terabyte
long duration length minute
old age adult eighteen
email mail inbox
close shut
live currently online now moment
block ban blacklist
affiliate referral refer
tip donation gratuity gift donate
begin start getstarted beginner newbie
`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/));

/** Every word that is known here by its meaning, to be told from a misspelt one. */
export const wordsAlike: readonly string[] = alike.flat();

/** The word that stands for each word of `alike`. @param stem what all words are brought to first */
export const meaningsBy = (stem: (word: string) => string): ReadonlyMap<string, string> =>
  new Map(
    alike.flatMap(([first = '', ...others]) => [first, ...others].map((word) => [stem(word), stem(first)] as const)),
  );

/** Forms of verbs that no rule leads back to their first one. */
export const irregular: ReadonlyMap<string, string> = new Map(
  `sent send gotten get took take taken take made make lost lose stole steal forgot forget forgotten forget chose choose chosen choose
  wrote write written write ran run began begin begun begin went go gone go paid pay bought buy sold sell kept keep left leave came come
  said say told tell broke break broken break hid hide hidden hide shown show spent spend died die dead die won win heard hear held hold
  brought bring caught catch felt feel thought think understood understand uploaded upload froze freeze shut close worse bad children child
  men man women woman customers viewer customer viewer buying buy`
    .split(/\s+/)
    .flatMap((word, n, all) => (n % 2 === 0 ? [[word, all[n + 1] ?? word] as const] : [])),
);
