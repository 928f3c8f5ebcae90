// The address of the records page: the view and the open panel.
import { type ViewSearch, validViewSearch } from '../../shared/filters/view-state.ts'

export interface PageSearch extends ViewSearch {
  /** Id of a saved view, or OWN_RECORDS. */
  view?: string
  /** 1: the panel that creates a record is open. */
  create?: 1
  /** Id of the record in the quick look. */
  peek?: string
}

/** The built-in view of the records that the signed-in user owns, such as My deals. */
export const OWN_RECORDS = 'mine'

const ID = /^[0-9a-f-]{36}$/
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value)

export function validPageSearch(search: Record<string, unknown>): PageSearch {
  const { view, create, peek } = search
  return {
    ...((isId(view) || view === OWN_RECORDS) && { view }),
    ...validViewSearch(search),
    ...(Number(create) === 1 && { create: 1 as const }),
    ...(isId(peek) && { peek }),
  }
}
