// Describes the parts that removing a join also removes.

import { leavesOf } from '../../../shared/filters/logic-tree.ts'
import type { Draft } from './builder-state.ts'
import { fieldWords, groupWords, measureWords } from './builder-words.ts'
import { type FieldCondition, treeIn } from './conditions.ts'
import type { ReportField } from './report-fields.ts'
import type { ReportObject } from './report-objects.ts'

interface Known {
  objects: readonly ReportObject[]
  fields: readonly ReportField[]
}

function wordsOf({ joins = [], groupBy = [], measures = [], columns = [], filters }: Draft, known: Known) {
  const nameOf = (alias: string) => known.objects.find((one) => one.alias === alias)?.name ?? alias
  return [
    ...joins.map(({ alias }) => `the join with ${nameOf(alias)}`),
    ...measures.map((measure) => measureWords(known, measure)),
    ...columns.map(({ field, label }) => label ?? fieldWords(known, field)),
    ...leavesOf(treeIn<FieldCondition>(filters)).map(
      ({ field }) => `the filter on ${fieldWords(known, field)}`,
    ),
    ...groupBy.map((group) => `the group ${groupWords(known, group)}`),
  ]
}

/** The parts that are lost in addition to the join itself. @param rest the draft without the join */
export function removedWith(draft: Draft, rest: Draft, known: Known): string[] {
  const left = wordsOf(rest, known)
  const lost = wordsOf(draft, known).filter((words) => !left.includes(words))
  return [...new Set(lost)].slice(1)
}
