// Detects the encoding of a file in one pass over its bytes.
import { invalidField } from '../../base/errors.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

const MARKS: readonly [Encoding, Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]

const beginsWith = (bytes: Buffer, mark: Buffer) => bytes.subarray(0, mark.length).equals(mark)

/** Other files that people upload, by their first bytes. */
const OTHERS: readonly [Buffer, string][] = [
  [Buffer.from('PK\u0003\u0004'), 'an Excel workbook or a ZIP archive'],
  [Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 'an old Excel workbook'],
  [Buffer.from('%PDF'), 'a PDF document'],
  [Buffer.from([0x1f, 0x8b]), 'compressed'],
]

export const unreadable = (message: string) => invalidField('file', 'unreadable', message)

const notText = () => unreadable('The file is not a text file: save it as "CSV UTF-8"')

/** Without a byte order mark: Latin text in UTF-16 has a zero in every second byte. */
function guessUtf16(bytes: Buffer): Encoding | undefined {
  const head = bytes.subarray(0, 1024)
  const zeros = (offset: number) => head.filter((byte, at) => at % 2 === offset && byte === 0).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (even + odd === 0) return undefined
  if (even === 0 && odd > head.length / 4) return 'utf-16le'
  return odd === 0 && even > head.length / 4 ? 'utf-16be' : undefined
}

/** Space, the line breaks of old and new programs, the end of a DOS file, and escape. */
const IN_TEXT = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b])

/** Control characters that do not occur in text. */
function hasControls(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte < 0x20 && !IN_TEXT.has(byte)) return true
  return false
}

/** Checks that bytes are UTF-8, one piece at a time. */
class Utf8Check {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #isUtf8 = true

  /** @param chunk undefined at the end @returns false from the first byte on that is not UTF-8 */
  see(chunk?: Buffer): boolean {
    try {
      if (this.#isUtf8) this.#decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      this.#isUtf8 = false
    }
    return this.#isUtf8
  }
}

/**
 * A UTF-8 character of several bytes that hardly ever occur together in Windows-1252. Characters are excluded if their
 * bytes end Windows-1252 words, such as `Spaß“` and `CAFÉ’`, and `café »` with a no-break space.
 */
const OF_UTF8 = /[^\0-\u007f\u0200-\u02bf\u07c0-\u07ff\u083b\u883b\u983b\ua83b\ufffd]/u

const countOf = (text: string, sign: string): number => text.split(sign).length - 1

/** Finds UTF-8 characters in a file with invalid bytes: one invalid byte must not change how all others are read. */
class Utf8Remains {
  readonly #decoder = new TextDecoder('utf-8')
  #breaks = { '\n': 0, '\r': 0 }
  #hasCharacters = false
  #isBroken = false

  /** @param isUtf8 whether all bytes so far are UTF-8 */
  see(chunk: Buffer, isUtf8: boolean): void {
    if (this.#hasCharacters && this.#isBroken) return
    const text = this.#decoder.decode(chunk, { stream: true })
    this.#hasCharacters ||= OF_UTF8.test(text)
    if (this.#isBroken) return
    this.#isBroken = !isUtf8
    const before = isUtf8 ? text : text.slice(0, text.indexOf('\ufffd'))
    this.#breaks['\n'] += countOf(before, '\n')
    this.#breaks['\r'] += countOf(before, '\r')
  }

  /** The line of the first byte that is not UTF-8, if the file also has UTF-8 characters. */
  get line(): number | undefined {
    return this.#hasCharacters ? 1 + Math.max(this.#breaks['\n'], this.#breaks['\r']) : undefined
  }
}

export class EncodingWatch {
  #marked: Encoding | undefined
  #isUtf8 = true
  readonly #check = new Utf8Check()
  readonly #remains = new Utf8Remains()
  #size = 0

  /** @param chunk not empty; the first includes the file's signature @throws 400 validation_error if it is no text */
  see(chunk: Buffer): void {
    if (this.#size === 0) this.#begin(chunk)
    this.#size += chunk.length
    if (this.#marked === 'utf-16le' || this.#marked === 'utf-16be') return
    if (hasControls(chunk)) throw notText()
    this.#isUtf8 = this.#check.see(chunk)
    this.#remains.see(chunk, this.#isUtf8)
  }

  #begin(chunk: Buffer): void {
    const other = OTHERS.find(([mark]) => beginsWith(chunk, mark))
    if (other) throw unreadable(`The file is ${other[1]}: save its table as "CSV UTF-8"`)
    this.#marked = MARKS.find(([, mark]) => beginsWith(chunk, mark))?.[0] ?? guessUtf16(chunk)
  }

  /**
   * Text without UTF-8 characters is read as Windows-1252, which Excel writes: there every byte is a character.
   * @throws 400 validation_error for text in both encodings
   * @param isWhole whether the whole file was read: its beginning may end within a character
   */
  result({ isWhole } = { isWhole: true }): Encoding {
    if (this.#marked && this.#marked !== 'utf-8') {
      if (isWhole && this.#size % 2 === 1) throw notText()
      return this.#marked
    }
    if (isWhole) this.#isUtf8 = this.#check.see()
    if (this.#isUtf8) return 'utf-8'
    if (this.#marked)
      throw unreadable('The file is marked as UTF-8 but has other bytes: save it as "CSV UTF-8" again')
    const { line } = this.#remains
    if (line !== undefined)
      throw unreadable(
        `The file is UTF-8 up to line ${line}, which has other bytes or half a character: correct the line, and save the file as "CSV UTF-8" again`,
      )
    return 'windows-1252'
  }
}

/** How many bytes before an offset show whether it is within a character, which has at most 4 bytes. */
export const BYTES_BEFORE = 3

const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x80 && byte < 0xc0

/** The last bytes, if they start a character that the next bytes may complete. */
function openCharacter(bytes: Buffer): Buffer {
  let at = bytes.length - 1
  while (at > 0 && isContinuation(bytes[at])) at--
  const isOpen = at >= 0 && (bytes[at] ?? 0) >= 0xc0
  return isOpen ? bytes.subarray(at) : Buffer.alloc(0)
}

/** Checks that a file is UTF-8 without U+0000, from any offset: several processes may each check a part. */
export class Utf8Watch {
  readonly #check = new Utf8Check()

  /** @param before the last bytes before the offset, at most BYTES_BEFORE */
  constructor(before: Buffer) {
    this.see(openCharacter(before))
  }

  /** @returns false if the bytes so far are not UTF-8, or if these contain U+0000 */
  see(chunk: Buffer): boolean {
    return this.#check.see(chunk) && !chunk.includes(0)
  }

  /** @returns false if the last character is incomplete */
  end(): boolean {
    return this.#check.see()
  }
}

const MISREAD =
  'The file begins as UTF-8 and goes on with other bytes: save it as "CSV UTF-8", or import it from a file, which is read completely before its first row is imported'

/** Decodes a file in any of the encodings, without its byte order mark. Invalid bytes become U+FFFD. */
export async function* decodeAny(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** As decodeAny, for text that is stored. @throws 400 validation_error for invalid UTF-8 and for U+0000 */
export async function* decodeText(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  const textOf = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw unreadable(MISREAD)
    }
  }
  const storable = (text: string): string => {
    if (text.includes('\0')) throw notText()
    return text
  }
  for await (const chunk of chunks) yield storable(textOf(chunk))
  yield storable(textOf())
}
