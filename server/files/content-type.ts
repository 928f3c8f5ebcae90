// Which types a file may have, what it must begin with to be shown, and the headers that browsers get.
import { CONTENT_TYPE_MAX } from '../../contract/limits.ts'

const TOKEN = "[\\w!#$&^.+'*|~-]{1,127}"
const MEDIA_TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"))*$`,
)
/** Types of forms: the file would be wrapped in the form, or has a wrong type. */
const FORMS = ['multipart/form-data', 'application/x-www-form-urlencoded']

/** `image/png` of `Image/PNG; charset=x`. */
export const essenceOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

/** One way to write a type, so that two can be compared; undefined when it is none. */
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

/** As many bytes of a file as `matches` and `recognize` look at. */
export const HEAD_BYTES = 64

const startsWith = (signature: string, at = 0) => {
  const bytes = Buffer.from(signature, 'latin1')
  return (head: Buffer) => head.subarray(at, at + bytes.length).equals(bytes)
}
const [isRiff, isWebp, isFtyp] = [startsWith('RIFF'), startsWith('WEBP', 8), startsWith('ftyp', 4)]

/** The types that are shown in place (decisions, section 5), and how their files begin. */
const SHOWN: ReadonlyMap<string, (head: Buffer) => boolean> = new Map([
  ['image/png', startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', startsWith('\xff\xd8\xff')],
  ['image/gif', (head: Buffer) => startsWith('GIF87a')(head) || startsWith('GIF89a')(head)],
  ['image/webp', (head: Buffer) => isRiff(head) && isWebp(head)],
  // The brand is the major one or one of the compatible ones.
  ['image/avif', (head: Buffer) => isFtyp(head) && /avi[fs]/.test(head.toString('latin1', 8))],
  ['application/pdf', startsWith('%PDF-')],
])

export const isShown = (type: string): boolean => SHOWN.has(essenceOf(type))

/** Of those, what a page can show as a picture. */
export const isPicture = (type: string): boolean => isShown(type) && essenceOf(type).startsWith('image/')

/** Whether a file that begins with `head` can be what it says; of types that are never shown nothing is asked. */
export const matches = (type: string, head: Buffer): boolean => SHOWN.get(essenceOf(type))?.(head) ?? true

/** Of the types that are shown, the one that files beginning with `head` have. */
export const recognize = (head: Buffer): string | undefined =>
  [...SHOWN].find(([, begins]) => begins(head))?.[0]

export const OPAQUE = 'application/octet-stream'

/** Types no browser runs, reads as a page or applies as a style. Anything else is sent as opaque bytes. */
const PASSIVE =
  /^(?:(?:image|audio|video)\/(?!.*xml)|text\/(?:plain|csv|markdown|calendar|vcard)$|application\/(?:(?:pdf|json|zip|gzip|rtf|msword)$|vnd\.(?!.*(?:xml|html|script)$)))/

/** The Content-Type to serve a stored file under. */
export const servedType = (type: string): string => (PASSIVE.test(essenceOf(type)) ? type : OPAQUE)
