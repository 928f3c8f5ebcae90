// A list of failures ends the output of each test command: tools that show a long output may cut off its beginning.
import { stripVTControlCharacters } from 'node:util'

/** The most lines shown of a message: a difference of two values may have thousands. */
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

/** Empty if nothing failed. */
export const failureList = (failures: readonly string[]): string =>
  failures.length === 0 ? '' : `\nFailed:\n${failures.join('\n')}\n`
