// The values that the user chooses to keep in a merge. Pure functions.
import type { MergeBody } from '../../../../contract/merge.ts'
import { isEmpty } from '../../../shared/values/format.ts'

interface Valued {
  slug: string
  isList: boolean
}

export interface Side {
  id: string
  data: Readonly<Record<string, unknown>>
}

/** Keeps the values of all records, in a list. */
export const ALL = 'all'

/** By slug: id of the record whose value is kept, or ALL. Without an entry, the default is kept. */
export type Chosen = Readonly<Record<string, string>>

const textOf = (value: unknown) => (isEmpty(value) ? '' : JSON.stringify(value))

/** The attributes for which the records have different values. */
export const differing = <One extends Valued>(attributes: readonly One[], sides: readonly Side[]): One[] =>
  attributes.filter(({ slug }) => new Set(sides.map(({ data }) => textOf(data[slug]))).size > 1)

/** The record whose value is kept by default: the winner, or the first other record if the winner has no value. */
export function defaultSource(slug: string, winnerId: string, sides: readonly Side[]): string {
  const inOrder = [...sides].sort((a, b) => Number(b.id === winnerId) - Number(a.id === winnerId))
  return inOrder.find(({ data }) => !isEmpty(data[slug]))?.id ?? winnerId
}

export function mergeBody(
  attributes: readonly Valued[],
  { winnerId, sides, chosen }: { winnerId: string; sides: readonly Side[]; chosen: Chosen },
): MergeBody {
  const own = differing(attributes, sides).filter(({ slug }) => chosen[slug] !== undefined)
  const united = own.filter(({ slug, isList }) => isList && chosen[slug] === ALL).map(({ slug }) => slug)
  const sources = Object.fromEntries(
    own.flatMap(({ slug }) => {
      const source = chosen[slug]
      return source === undefined || source === ALL || source === defaultSource(slug, winnerId, sides)
        ? []
        : [[slug, source]]
    }),
  )
  return {
    winnerId,
    loserIds: sides.map(({ id }) => id).filter((id) => id !== winnerId),
    ...(united.length > 0 && { united }),
    ...(Object.keys(sources).length > 0 && { sources }),
  }
}
