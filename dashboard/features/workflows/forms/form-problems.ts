// Assigns problems of a definition to form fields.
import type { Problem } from '../../../../contract/errors.ts'
import { plainTemplates } from '../canvas/value-words.ts'

const isAt = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)

/** Turns the message of a problem into a sentence: `must not be empty` → `It must not be empty` */
export function sentence(problem: string): string {
  const message = plainTemplates(problem)
  const begun = /^(?:must|is|has|needs)\b/.test(message) ? `It ${message}` : message
  return begun.slice(0, 1).toUpperCase() + begun.slice(1)
}

/** The problems of a field and its parts; undefined: none. @param place path of the field in the definition */
export function problemAt(problems: readonly Problem[], place: string): string | undefined {
  const found = problems.filter(({ path }) => isAt(path, place)).map(({ message }) => sentence(message))
  return found.length > 0 ? [...new Set(found)].join('. ').replaceAll('?. ', '? ') : undefined
}

/** The problems of the field itself, without those of its parts. */
export const ownProblem = (problems: readonly Problem[], place: string): string | undefined =>
  problemAt(
    problems.filter(({ path }) => path === place),
    place,
  )

/** The problems below a path that no field shows. @param shown paths of the shown fields */
export const otherProblems = (
  problems: readonly Problem[],
  place: string,
  shown: readonly string[],
): readonly Problem[] =>
  problems.filter(({ path }) => isAt(path, place) && !shown.some((field) => isAt(path, field)))
