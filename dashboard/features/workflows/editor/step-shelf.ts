// The steps that can be added, in the order of the list, and the search among them.
import { STEP_GROUPS } from '../../../../contract/workflow-steps/fields.ts'
import { STEP_CONTRACTS, type StepType } from '../../../../contract/workflow-steps.ts'
import { STEP_VIEWS } from '../steps/steps.ts'

export interface Shelf {
  title: string
  types: readonly StepType[]
}

const TYPES = Object.keys(STEP_VIEWS) as StepType[]

export const SHELVES: readonly Shelf[] = STEP_GROUPS.map((title) => ({
  title,
  types: TYPES.filter((type) => STEP_CONTRACTS[type].group === title),
}))

const textOf = (type: StepType) =>
  [STEP_VIEWS[type].title, STEP_CONTRACTS[type].description, STEP_CONTRACTS[type].keywords]
    .join(' ')
    .toLowerCase()

/** Rank of a match: 0 if the name begins with the text, 1 if a word of the name does, else 2. */
function rank(type: StepType, text: string): number {
  const title = STEP_VIEWS[type].title.toLowerCase()
  if (title.startsWith(text)) return 0
  return ` ${title}`.includes(` ${text}`) ? 1 : 2
}

/** All steps in groups; with a text, the steps that contain all of its words, the best match first. */
export function findSteps(typed: string): readonly Shelf[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return SHELVES
  const words = text.split(/\s+/)
  const found = SHELVES.flatMap(({ types }) => types).filter((type) =>
    words.every((word) => ` ${textOf(type)}`.includes(` ${word}`)),
  )
  return found.length > 0
    ? [{ title: 'Found', types: found.sort((a, b) => rank(a, text) - rank(b, text)) }]
    : []
}
