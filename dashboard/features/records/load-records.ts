// Loads the data that the records page shows first, while its code is loading.
import { objectQuery } from '../../shared/api/objects.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { listQuery, searchQuery } from '../../shared/api/records.ts'
import { hasFault } from '../../shared/filters/operand-faults.ts'
import { filterable } from '../../shared/filters/record-fields.ts'
import { PLAIN, stateOf } from '../../shared/filters/view-state.ts'
import { viewsQuery } from './api/views.ts'
import type { PageSearch } from './page-search.ts'
import { stateOfSaved } from './view/saved-view.ts'
import { pageBody, recordSetOf } from './view/search-body.ts'

/** A refused filter does not fail the page: the table shows the error. */
export async function loadRecords(org: string, slug: string, search: PageSearch): Promise<void> {
  const [object, views] = await Promise.all([
    queryClient.ensureQueryData(objectQuery(org, slug)),
    queryClient.ensureQueryData(viewsQuery(org, slug)),
  ])
  const saved = views.find(({ id }) => id === search.view)
  const state = stateOf(saved ? stateOfSaved(saved) : PLAIN, search)
  if (state.kind === 'board' || hasFault(state.filter, filterable(object.attributes))) return
  const body = pageBody(recordSetOf(state), 0)
  const isAll = body.filter === undefined && body.sort === undefined
  await queryClient.prefetchQuery((isAll ? listQuery : searchQuery)(org, object.slug, body))
}
