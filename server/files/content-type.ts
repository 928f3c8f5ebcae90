// The types that a file may have, the first bytes that a shown file must have, and the Content-Type for browsers.
import { CONTENT_TYPE_MAX } from '../../contract/limits.ts'

const TOKEN = "[\\w!#$&^.+'*|~-]{1,127}"
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`,
)
/** Types of forms: the file would be wrapped in the form, or has a wrong type. */
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded']

/** Returns `image/png` for `Image/PNG; charset=x`. */
export const essenceOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

/** The normalized form of a type, so that two types can be compared; undefined if the text is not a type. */
export function readContentType(text: string): string | undefined {
  if (text.length > CONTENT_TYPE_MAX || !MEDIA_TYPE.test(text)) return undefined
  const [, ...parameters] = text.split(/[ \t]*;[ \t]*/)
  return [essenceOf(text), ...parameters].join(';')
}

export const isForm = (type: string): boolean => FORMS.includes(essenceOf(type))

export const isSameType = (one: string, other: string): boolean => {
  const [a, b] = [readContentType(one), readContentType(other)]
  return a !== undefined && a.toLowerCase() === b?.toLowerCase()
}

/** How many bytes of a file `matches` and `recognize` read. */
export const HEAD_BYTES = 64

const startsWith = (signature: string, at = 0) => {
  const bytes = Buffer.from(signature, 'latin1')
  return (head: Buffer) => head.subarray(at, at + bytes.length).equals(bytes)
}
const [isRiff, isWebp, isFtyp] = [startsWith('RIFF'), startsWith('WEBP', 8), startsWith('ftyp', 4)]

/** The types that browsers may show inline (decisions, section 5), with a check of the first bytes of their files. */
const SHOWN: ReadonlyMap<string, (head: Buffer) => boolean> = new Map([
  ['image/png', startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', startsWith('\xff\xd8\xff')],
  ['image/gif', (head: Buffer) => startsWith('GIF87a')(head) || startsWith('GIF89a')(head)],
  ['image/webp', (head: Buffer) => isRiff(head) && isWebp(head)],
  // `avif` or `avis` must be the major brand or a compatible brand.
  ['image/avif', (head: Buffer) => isFtyp(head) && /avi[fs]/.test(head.toString('latin1', 8))],
  ['application/pdf', startsWith('%PDF-')],
])

export const isShown = (type: string): boolean => SHOWN.has(essenceOf(type))

/** Whether a page can show files of this type as a picture. */
export const isPicture = (type: string): boolean => isShown(type) && essenceOf(type).startsWith('image/')

/** Whether a file that begins with `head` can have this type; always true for types that are never shown. */
export const matches = (type: string, head: Buffer): boolean => SHOWN.get(essenceOf(type))?.(head) ?? true

/** The shown type whose files begin with `head`; undefined if there is none. */
export const recognize = (head: Buffer): string | undefined =>
  [...SHOWN].find(([, begins]) => begins(head))?.[0]

export const OPAQUE = 'application/octet-stream'

/** Types that no browser runs, renders as a page or applies as a style sheet. All other types are sent as OPAQUE. */
const PASSIVE =
  /^(?:(?:image|audio|video)\/(?!.*xml)|text\/(?:plain|csv|markdown|calendar|vcard)$|application\/(?:(?:pdf|json|zip|gzip|rtf|msword)$|vnd\.(?!.*(?:xml|html|script)$)))/

/** The Content-Type to serve a stored file under. */
export const servedType = (type: string): string => (PASSIVE.test(essenceOf(type)) ? type : OPAQUE)
