// The content type of an uploaded file. Browsers derive it from the extension, which may be wrong, as for a WebP saved
// as .jpg.

const OPAQUE = 'application/octet-stream'
/** The number of bytes that are read to detect the type. */
const HEAD_BYTES = 64

/** The types that browsers show inline, and how their files begin. The service compares the same bytes. */
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
 * If there is no declared type, or it is a type that browsers show inline, the content decides: an unknown beginning
 * gives the opaque type. Other declared types stay unchanged, because a drawing may begin like a PDF.
 * @param told the type declared by the browser; '' if it has none
 * @param head the first bytes of the file
 */
export function typeOf(told: string, head: Uint8Array): string {
  if (told !== '' && told !== OPAQUE && !BEGINNINGS.has(told)) return told
  return recognize(String.fromCharCode(...head.subarray(0, HEAD_BYTES))) ?? OPAQUE
}

/** An unreadable file, such as a folder, keeps its declared type: sending it gives the error. */
export async function readType(file: File): Promise<string> {
  try {
    return typeOf(file.type, new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()))
  } catch {
    return file.type || OPAQUE
  }
}
