import { missing } from './missing.ts';

/** Kinds of content, and what can be done with it elsewhere, that are not here. */
export const missingContent = [
  missing(
    'no-audio',
    'Can I share audio or voice notes?',
    [
      'mp3|wav|m4a|flac|podcast|podcasts|asmr|audiobook|audios',
      'audio upload|share|sell|send|post|add|file|files|clip|clips|note|notes|only|recording|support !accept|formats|convert|documents',
      'voice note|notes|message|messages|memo|memos|recording|recordings|clip|over',
      'sound_file|sound_files|sell_music|upload_music|upload_songs|my_songs',
    ],
    'No, only photos and videos. A video keeps its sound.',
    '/albums',
  ),
  missing(
    'no-documents',
    'Can I share PDFs, documents or texts?',
    [
      'ebook|ebooks|e_book|docx|excel_file|word_file|zip_file|zip|rar|powerpoint|epub !formats|allowed|mp4|csv|export',
      'pdf|document|documents|guide|guides|course|courses|stories_text sell|upload|share|send|post|add !formats|accept|convert|evidence|statement|mp4|heic|invoice|receipt',
      'sell|write|post|share article|articles|text|texts|poem|poems|erotica !above|welcome|message|sms|over|name|image',
    ],
    'No, only photos and videos. A photo of a page works, and is protected like any other.',
    '/albums',
  ),
  missing(
    'no-editing',
    'Can I edit photos or videos here?',
    [
      'filter|filters !viewers|list|links|find|search',
      'crop|cropping|retouch|photoshop|airbrush|beautify|brightness|contrast|sharpen|upscale|sticker|stickers !survive|mark|leak|trace|removed',
      'blur|pixelate|censor|mosaic|hide|mask|cover face|faces|tattoo|tattoos|background|part|parts|nipple|nipples',
      'edit|editing|editor|adjust|enhance|touch_up photo|photos|pic|pics|picture|pictures|image|images|video|videos|clip|color|colors !name|caption|profile|order|link|bio|survive|album',
      'trim|rotate|merge|splice|slow_motion|speed_up video|videos|clip|clips|pic|photo|photos|picture|image !formats|accept|convert',
      'cut video|videos|clip|clips !off|your|you|commission|sales',
      'remove background|backgrounds',
      'make look|better photos|photo|pics|picture',
    ],
    'No. Photos and videos are shown as you upload them, with their marks. Edit them on your phone first. You can choose the order and the cover, write a caption, or hide one from viewers.',
    '/albums',
  ),
  missing(
    'no-music',
    'Can I add music, subtitles or a slideshow?',
    [
      'music|song|songs|soundtrack|spotify !write|sing|joke|poem',
      'slideshow|slide_show|autoplay',
      'subtitle|subtitles|closed_captions|transcript',
      'transition|transitions|intro|outro video|videos|clip|photos|slides',
    ],
    'No. There is no music, no slideshow and there are no subtitles; a video keeps the sound and picture it was uploaded with.',
    '/albums',
  ),
  missing(
    'no-generated',
    'Do you make pictures with AI?',
    [
      'ai|artificial_intelligence generate|generated|make|create|creates|edit|undress|girlfriend|model|twin|clone|avatar|image|images|picture|pictures|photo|photos|nude|nudes !train|training|use|uses|robot|bot|you_an|are_you',
      'deepfake|deepfakes|faceswap|face_swap|nudify|undress',
    ],
    'No. Nothing here makes or changes pictures by AI, and faked pictures of real people are against the rules.',
    '/acceptable-use',
  ),
  missing(
    'no-goods',
    'Can I sell things, or ship something?',
    [
      'merch|merchandise|tshirt|tshirts|panties|underwear|socks|lingerie_used|knickers|polaroid|polaroids|calendar|calendars !photo|allowed|permitted|wearing',
      'sell|selling|sold used|worn|physical|clothes|clothing|shoes|toys|prints|posters|goods|items|products',
      'ship|shipping|delivery_address|parcel|postage|mail_order|amazon|etsy|throne !relation',
      'wishlist|wish_list|wishlists',
      'print|prints order|shop|poster|canvas|sell !screen',
    ],
    'No. Only photos and videos that are looked at here can be sold: no goods, no prints, no wish list, and nothing is shipped.',
  ),
  missing(
    'no-scheduling',
    'Can I schedule posts or links?',
    [
      'schedule|scheduling|scheduled|scheduler|auto_post|autopost|auto_publish|drip|queue !payout|payouts|payment',
      'publish|post|go_live|open|start|unlock|release|appear|send later|tomorrow|friday|monday|sunday|automatically|date|midnight|christmas !when|link_ends|end|expire|trial|email|ends|expires|did|does_it_end',
      'future_date|start_date|start_time|opening_date|countdown_to',
    ],
    'A link, yes: in the share sheet tap **Add a rule**, then **When it opens**, and choose a day and a time. An upload, no: it is shown as soon as it is ready; until you want it to be seen, turn on **Hide from viewers**.',
    '/magic-links',
  ),
  missing(
    'no-viewer-downloads',
    'Can viewers download if I allow it, or look offline?',
    [
      'allow|enable|permit|let|give download|downloads|downloading|save|saving viewer|viewers|fan|fans|buyer|buyers|them|him|her|customer|customers|client|clients|it|i !stop|prevent|block|own|originals|without',
      'offline|airplane_mode|plane|without_internet|no_internet',
      'sell|send downloads|downloadable|digital_download|original_file|full_resolution',
    ],
    'No. What you share can only be looked at here and needs a connection: no link gives out a file, not even to buyers. If you want somebody to have a picture, send it to them another way.',
  ),
  missing(
    'no-casting',
    'Can it be watched on a TV?',
    [
      'chromecast|airplay|casting|miracast|firestick|fire_stick|roku|apple_tv|android_tv|playstation|xbox|vr|oculus|headset',
      'cast|mirror|watch|play tv|television|big_screen !smart',
      '360 video|videos|photo|photos',
    ],
    'There is no casting, no TV app and nothing for VR. It runs in a current browser on a phone, tablet or computer.',
  ),
  missing(
    'no-folders',
    'Are there folders, tags or categories?',
    [
      'subfolder|subfolders|sub_folder|sub_album|subalbum|nested|categories|category|hashtag|hashtags|tags|tagging',
      'tag people|photo|photos|picture|pictures|friend|friends|someone|pics|albums !price',
      'search|find photo|photos|picture|face|pics inside|in|by|within album|albums|face|tag|date',
    ],
    'No. There are albums, and no folders in them, no tags and no categories. A photo can be in several albums at once.',
    '/albums',
  ),
  missing(
    'no-import',
    'Can I import from another site or a cloud?',
    [
      'connect|link dropbox|icloud|google_drive|google_photos|onedrive',
      'import|transfer|migrate|migration|sync|synchronize|move|copy|bring onlyfans|fansly|patreon|fanvue|instagram|insta|drive|dropbox|icloud|google_photos|onedrive|tumblr|twitter|reddit|manyvids|snapchat|everything_from',
      'automatic|auto|automatically upload|backup|sync|import photos|photo|camera|roll|phone|pics|from',
    ],
    'No. There is no import from other sites and no connection to a cloud. Save your files to your phone or computer, then choose them in an album, many at once.',
    '/albums',
  ),
  missing(
    'no-public-albums',
    'Can I make an album public?',
    [
      'make|turn|set|publish public album|albums|gallery|portfolio|it|photos',
      'public_album|public_albums|public_gallery|portfolio !is|are|who|google|strangers',
      'free_preview|teaser|teasers|sample_photos|preview_photos|blurred_preview|trailer|trailers',
    ],
    'No. An album is only seen through a link, and your public page lists none. A link for many people comes close: leave the number of people open, and put it where you like. There are no previews of a paid album either.',
    '/albums',
  ),
];
