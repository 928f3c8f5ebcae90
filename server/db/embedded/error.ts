import { messageOf } from '../../base/message-of.ts'
import { freeText } from '../../base/no-space.ts'

/** Why the embedded server cannot run. `message`: one line that says what to do. `log`: the output of PostgreSQL. */
export class EmbeddedError extends Error {
  override name = 'EmbeddedError'
  readonly log: string

  constructor(message: string, log = '') {
    super(message)
    this.log = log
  }
}

const causes: [pattern: RegExp, explain: (folder: string) => string][] = [
  [
    /ENOSPC|EDQUOT|no space left on device|disk quota exceeded|disk is full/i,
    (folder) =>
      `The disk that holds ${folder} is full (${freeText(folder)}): free at least 100 MiB, then start again.`,
  ],
  [
    /EROFS|read-only file system/i,
    (folder) => `${folder} is on a read-only disk: set DATA_DIR to a folder that can be written.`,
  ],
  [
    /EACCES|EPERM|permission denied|operation not permitted/i,
    (folder) =>
      `This account cannot write to ${folder}: change the owner of the folder, or set DATA_DIR to another.`,
  ],
  [
    /ENOENT: .* mkdir/,
    (folder) =>
      `${folder} is a link to a folder that does not exist: create that folder, or set DATA_DIR to another.`,
  ],
  [/ENOTDIR|EEXIST|not a directory/i, (folder) => `${folder} is not a folder: set DATA_DIR to a folder.`],
  [
    /ENAMETOOLONG|file name too long/i,
    (folder) => `The path ${folder} is too long: set DATA_DIR to a shorter one.`,
  ],
]

/**
 * Turns a failure (a file system error, or the output of a PostgreSQL program) into one line that names the
 * folder. If the cause is not known, the line begins with `what`, such as "PostgreSQL did not start".
 */
export function explainFailure(what: string, failure: unknown, folder: string): EmbeddedError {
  if (failure instanceof EmbeddedError) return failure
  const text = messageOf(failure)
  const line = tellingLine(text)
  const known = causes.find(([pattern]) => pattern.test(line))
  if (known) return new EmbeddedError(known[1](folder), text)
  return new EmbeddedError(`${what} in ${folder}: ${line}`, text)
}

/** The most useful line of a PostgreSQL log about a failure: the first fatal line, else the last line. */
function tellingLine(log: string): string {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const telling =
    lines.find((line) => /\b(FATAL|PANIC)\b|error:/.test(line)) ?? lines.at(-1) ?? 'without a message'
  return telling.replace(/^.*?\b(?:FATAL|PANIC|error):\s*/, '').trim()
}
