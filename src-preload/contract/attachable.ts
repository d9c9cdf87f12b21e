/** Files that people may try to attach but that can't be attached, by file extension. */
const KINDS: readonly { readonly ends: readonly string[]; readonly why: string; readonly instead: string }[] = [
  {
    ends: ['pdf'],
    why: 'It isn’t a valid PDF file.',
    instead: 'Open it in a PDF viewer and save it again.',
  },
  {
    ends: ['xlsx', 'xls', 'xlsm', 'ods', 'numbers'],
    why: 'Spreadsheets can’t be read yet.',
    instead: 'Save the sheet as CSV and attach that, or copy its cells and paste them here.',
  },
  {
    ends: ['doc', 'odt', 'rtf', 'pages', 'docm', 'epub'],
    why: 'Documents of this type can’t be read yet.',
    instead: 'Save it as a Word document (.docx) or a text file and attach that.',
  },
  {
    ends: ['pptx', 'ppt', 'odp', 'key'],
    why: 'Presentations can’t be read yet.',
    instead: 'Copy the text and paste it here.',
  },
  {
    ends: ['heic', 'heif', 'tif', 'tiff', 'bmp', 'avif', 'ico', 'psd', 'raw'],
    why: 'Pictures of this type can’t be read yet.',
    instead: 'Save it as PNG or JPEG and attach that.',
  },
  {
    ends: ['mp3', 'wav', 'm4a', 'ogg', 'flac', 'aac'],
    why: 'Recordings of this type can’t be read yet.',
    instead: 'Save it as MP3 or WAV, or attach a transcript.',
  },
  {
    ends: ['mp4', 'mov', 'mkv', 'webm', 'avi'],
    why: 'Videos can’t be read yet.',
    instead: 'If there is a transcript, attach that.',
  },
  {
    ends: ['zip', '7z', 'rar', 'gz', 'tgz', 'bz2', 'xz', 'tar'],
    why: 'Archives can’t be read yet.',
    instead: 'Unpack this one and attach the files that matter.',
  },
];

/** How files begin that look like text but are not readable as text. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['%PDF-', 'pdf'],
  ['{\\rtf', 'rtf'],
];

const CAN_BE =
  'Text files (UTF-8), PDFs, Word documents (.docx), PNG, JPEG, GIF and WebP images, and MP3 and WAV recordings can be attached.';

/**
 * Why a file cannot be attached as text, as a sentence for people, or null if it can. `text` is null if its bytes are
 * not UTF-8.
 */
export function whyNotAttachable(name: string, text: string | null): string | null {
  const begins = BEGINNINGS.find(([beginning]) => text?.startsWith(beginning) === true)?.[1];
  const kind = kindOf(begins ?? endOf(name));
  // A name proves nothing about readable text: `notes.key`, `server.raw`.
  if (text !== null && begins === undefined && !text.includes('\0')) return null;
  return kind === undefined
    ? `${name} can’t be attached: it isn’t text. ${CAN_BE}`
    : `${name} can’t be attached. ${kind.why} ${kind.instead}`;
}

/** Judged by name; only the content of a small file tells more. */
export function isUnreadableKind(name: string): boolean {
  return kindOf(endOf(name)) !== undefined;
}

function endOf(name: string): string | undefined {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
}

function kindOf(end: string | undefined): (typeof KINDS)[number] | undefined {
  return KINDS.find(({ ends }) => end !== undefined && ends.includes(end));
}
