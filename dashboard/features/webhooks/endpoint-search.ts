// What the pages of endpoints keep in the address.
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import { DELIVERY_STATES, type DeliveryState } from '../../../contract/webhook-states.ts'
import { usePageSearch } from '../../shared/routing/use-page-search.ts'
import { momentAt } from './page/instant.ts'

export const PERIODS = ['hour', 'day', 'week'] as const
/** Up to now. */
export type Period = (typeof PERIODS)[number]

/** Of the log of deliveries. */
export interface LogSearch {
  state?: DeliveryState
  type?: EventType
  period?: Period
  /** Moments, in place of a period. */
  from?: string
  to?: string
  /** The one that is open next to the log. */
  delivery?: string
}

export interface EndpointSearch extends LogSearch {
  edit?: 1
  tab?: string
}

type Given = Record<string, unknown>

const oneOf = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given)

const moment = (given: unknown): string | undefined =>
  typeof given === 'string' ? momentAt(Date.parse(given)) : undefined

const text = (given: unknown): string | undefined => (typeof given === 'string' && given ? given : undefined)

/** Without the keys that have no value. */
const present = <Search extends object>(search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Search]?: Exclude<Search[Key], undefined>
  }

const validLogSearch = ({ state, type, period, from, to, delivery }: Given): LogSearch =>
  present({
    state: oneOf(DELIVERY_STATES, state),
    type: oneOf(Object.keys(EVENT_TYPES) as EventType[], type),
    period: oneOf(PERIODS, period),
    from: moment(from),
    to: moment(to),
    delivery: text(delivery),
  })

export const validEndpointSearch = (given: Given): EndpointSearch => ({
  ...validLogSearch(given),
  ...present({ edit: given.edit === 1 ? (1 as const) : undefined, tab: text(given.tab) }),
})

/** Of the list of endpoints. */
export const validEndpointsSearch = ({ create }: Given): { create?: 1 } => (create === 1 ? { create } : {})

export const useEndpointSearch = usePageSearch<EndpointSearch & { create?: 1 }>
