// What failed, in words: a list of it ends the output of a test command, where a long output may be cut before.
import { stripVTControlCharacters } from 'node:util'

/** Lines of a message that are shown: a difference of two values may have thousands. */
const LINES_MAX = 8
const LINE_LENGTH_MAX = 200

interface Thrown {
  name?: string | undefined
  message: string
}

const linesOf = ({ name, message }: Thrown): string[] =>
  stripVTControlCharacters(name === undefined ? message : `${name}: ${message}`)
    .split('\n')
    .slice(0, LINES_MAX)
    .map((line) => `  ${line}`.slice(0, LINE_LENGTH_MAX).trimEnd())

/** @param place what failed, with its file */
export const failure = (place: string, errors: readonly Thrown[]): string =>
  [place, ...errors.flatMap(linesOf)].join('\n')

/** Empty where nothing failed. */
export const failureList = (failures: readonly string[]): string =>
  failures.length === 0 ? '' : `\nFailed:\n${failures.join('\n')}\n`
