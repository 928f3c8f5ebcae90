// The view of the address: a saved view or the plain table, with the changes that the address contains.
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { PLAIN, searchOf, stateOf, type ViewState } from '../../../shared/filters/view-state.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { type View, viewsQuery } from '../api/views.ts'
import { rememberLayout } from '../last-layout.ts'
import { isDelivered, ownRecordsView } from '../own-records-view.ts'
import type { PageSearch } from '../page-search.ts'
import { isChanged, stateOfSaved } from './saved-view.ts'

const route = getRouteApi('/o/$org/objects/$object/')

export const usePageSearch = () => route.useSearch()
export const useGoTo = () => route.useNavigate()

export interface ShownView {
  /** undefined: the plain table, or a view that the user may not see. */
  saved: View | undefined
  /** The view of the user's own records; undefined if the object has no owner attribute. */
  delivered: View | undefined
  views: readonly View[]
  state: ViewState
  /** Why no records are shown: the user cannot see the view, or the filter cannot be read. */
  problem: 'view' | 'filter' | undefined
  /** Whether the state differs from the saved view, or from the plain table. */
  isChanged: boolean
  /** `quietly`: without a new entry in the browser history. */
  change(patch: Partial<ViewState>, how?: 'quietly'): void
  /** Opens a saved view; undefined opens the plain table. */
  open(view: View | undefined): void
}

/** The new search parameters: those of the view, and the open panel, which stays. */
function changed(base: ViewState, saved: View | undefined, previous: PageSearch, patch: Partial<ViewState>) {
  const { create, peek } = previous
  return {
    ...(saved && { view: saved.id }),
    ...searchOf(base, { ...stateOf(base, previous), ...patch }),
    ...(create && { create }),
    ...(peek && { peek }),
  }
}

export function useView(object: ObjectWithAttributes): ShownView {
  const search = usePageSearch()
  const goTo = useGoTo()
  const org = useOrg()
  const { data: views } = useSuspenseQuery(viewsQuery(org, object.slug))
  const delivered = useMemo(() => ownRecordsView(object), [object])
  const saved = search.view === delivered?.id ? delivered : views.find(({ id }) => id === search.view)
  const base = useMemo(() => (saved ? stateOfSaved(saved) : PLAIN), [saved])
  const state = useMemo(() => stateOf(base, search), [base, search])
  return {
    saved,
    delivered,
    views,
    state,
    problem: search.view !== undefined && !saved ? 'view' : search.filter === false ? 'filter' : undefined,
    isChanged: isChanged(base, state, object.attributes),
    change: (patch, how) => {
      if (patch.kind && (!saved || isDelivered(saved))) rememberLayout(org, object.slug, patch.kind)
      void goTo({
        search: (previous: PageSearch) => changed(base, saved, previous, patch),
        replace: how === 'quietly',
      })
    },
    open: (view) => void goTo({ search: view ? { view: view.id } : {} }),
  }
}
