// Bucket and path of a file, as people name them. Neither becomes part of a path on a disk or of an object's key, which
// store.ts makes from ids. So these rules keep names clear; they do not protect the disk.
import { FILE_PATH_BYTES_MAX } from '../../contract/limits.ts'

interface PathProblem {
  code: string
  message: string
}

/** Device names of Windows, with any extension: a download could not be saved under such a name. */
const RESERVED = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\..*)?$/i
/** Control characters, and characters that change the direction of text: `gpj.exe` would look like another file. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u
const ESCAPES = /(?:%u[0-9a-f]{4}|%[0-9a-f]{2})+/gi
const DECODINGS_MAX = 5

const CONTROL_CHARACTER = {
  code: 'control_character',
  message: 'must not contain control characters: leave them out',
}
const BACKSLASH = { code: 'backslash', message: 'must not contain backslashes: use /' }
const SEGMENT = {
  code: 'path_segment',
  message: 'must be segments separated by single slashes, none of them empty, . or ..',
}
const ENCODED = { code: 'encoded', message: 'must not be percent-encoded: send the plain name' }
const RESERVED_NAME = {
  code: 'reserved_name',
  message:
    'must not contain names that some systems reserve, such as con or nul, or names that end in a space or dot',
}

export const isReservedName = (name: string): boolean => RESERVED.test(name)

function formProblem(text: string): PathProblem | undefined {
  if (CONTROL.test(text) || !text.isWellFormed()) return CONTROL_CHARACTER
  if (text.includes('\\')) return BACKSLASH
  if (text.split('/').some((segment) => ['', '.', '..'].includes(segment))) return SEGMENT
  return undefined
}

const decodeOne = (escapes: string) =>
  decodeURIComponent(escapes.replace(/%u00([0-9a-f]{2})/gi, '%$1').replace(/%u[0-9a-f]{4}/gi, '_'))

/** The path as a program reads it that decodes once too often; undefined if the escapes are not text. */
function decoded(text: string): string | undefined {
  try {
    return text.replace(ESCAPES, decodeOne)
  } catch {
    return undefined
  }
}

/** Whether a path becomes invalid when it is decoded several times and look-alike characters are replaced. */
function isEncodedOther(text: string): boolean {
  let current: string | undefined = text
  for (let round = 0; round < DECODINGS_MAX; round++) {
    if (formProblem(current.normalize('NFKC')) !== undefined) return true
    const next = decoded(current)
    if (next === undefined) return true
    if (next === current) return false
    current = next
  }
  return true
}

/** The problem of a path; undefined if it is valid. */
export function pathProblem(path: string): PathProblem | undefined {
  if (Buffer.byteLength(path) > FILE_PATH_BYTES_MAX)
    return {
      code: 'too_long',
      message: `must have at most ${FILE_PATH_BYTES_MAX} bytes of UTF-8: choose a shorter path`,
    }
  const form = formProblem(path)
  if (form) return form
  if (isEncodedOther(path)) return ENCODED
  if (path.split('/').some((segment) => /[ .]$/.test(segment) || isReservedName(segment)))
    return RESERVED_NAME
  return undefined
}

/** The last segment: the name under which a download is saved. */
export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
