// Which problems of a definition are said at which field.
import type { Problem } from '../../../../contract/errors.ts'
import { plainTemplates } from '../canvas/value-words.ts'

const isAt = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`)

/** A sentence for people from what a problem says of its field: `must not be empty` → `It must not be empty` */
export function sentence(problem: string): string {
  const message = plainTemplates(problem)
  const begun = /^(?:must|is|has|needs)\b/.test(message) ? `It ${message}` : message
  return begun.slice(0, 1).toUpperCase() + begun.slice(1)
}

/** What is wrong at a field and in it; undefined: nothing. @param place path of the field in the definition */
export function problemAt(problems: readonly Problem[], place: string): string | undefined {
  const found = problems.filter(({ path }) => isAt(path, place)).map(({ message }) => sentence(message))
  return found.length > 0 ? [...new Set(found)].join('. ').replaceAll('?. ', '? ') : undefined
}

/** What is wrong with the field itself; its parts show their problems. */
export const ownProblem = (problems: readonly Problem[], place: string): string | undefined =>
  problemAt(
    problems.filter(({ path }) => path === place),
    place,
  )

/** What is wrong beneath a place, where no field shows it. @param shown paths of the fields that are there */
export const otherProblems = (
  problems: readonly Problem[],
  place: string,
  shown: readonly string[],
): readonly Problem[] =>
  problems.filter(({ path }) => isAt(path, place) && !shown.some((field) => isAt(path, field)))
