// The type to send a file with. Browsers go by the ending of its name, which may lie: a WebP saved as .jpg.

const OPAQUE = 'application/octet-stream'
/** As many bytes of a file as are looked at. */
const HEAD_BYTES = 64

/** The types that are shown in place, and how their files begin, as the service compares them. */
const BEGINNINGS: ReadonlyMap<string, (head: string) => boolean> = new Map([
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => /^GIF8[79]a/.test(head)],
  ['image/webp', (head) => /^RIFF.{4}WEBP/s.test(head)],
  ['image/avif', (head) => /^.{4}ftyp.*avi[fs]/s.test(head)],
  ['application/pdf', (head) => head.startsWith('%PDF-')],
])

const recognize = (head: string): string | undefined =>
  [...BEGINNINGS].find(([, begins]) => begins(head))?.[0]

/**
 * What the file begins like where its name tells nothing, or names a type that is shown; opaque when it is none of
 * those. Other types stay as they are told: a drawing may begin like a PDF.
 * @param told by the name; '' when that tells nothing
 * @param head its first bytes
 */
export function typeOf(told: string, head: Uint8Array): string {
  if (told !== '' && told !== OPAQUE && !BEGINNINGS.has(told)) return told
  return recognize(String.fromCharCode(...head.subarray(0, HEAD_BYTES))) ?? OPAQUE
}

/** What cannot be read, such as a folder, keeps what it is told to be: sending it says what is wrong. */
export async function readType(file: File): Promise<string> {
  try {
    return typeOf(file.type, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  } catch {
    return file.type || OPAQUE
  }
}
