// How a join is attached: along a reference of an object before it, or backward along its own reference.
import type { ReportJoin } from '../../../../contract/reports.ts'

export interface Via {
  /** The object that has the reference. */
  alias: string
  /** Slug of the reference. */
  slug: string
}

export function viaOf({ via }: Pick<ReportJoin, 'via'>): Via {
  const [alias = '', slug = ''] = via.split('.')
  return { alias, slug }
}

/** Whether the join follows a reference of the joined object back to the report. */
export const isBackward = (join: ReportJoin): boolean => viaOf(join).alias === join.alias
