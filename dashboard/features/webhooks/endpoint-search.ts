// The search parameters of the pages of endpoints.
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import { DELIVERY_STATES, type DeliveryState } from '../../../contract/webhook-states.ts'
import { usePageSearch } from '../../shared/routing/use-page-search.ts'
import { timestampAt } from './page/instant.ts'

export const PERIODS = ['hour', 'day', 'week'] as const
/** Periods that end now. */
export type Period = (typeof PERIODS)[number]

/** The parameters of the log of deliveries. */
export interface LogSearch {
  state?: DeliveryState
  type?: EventType
  period?: Period
  /** Times, instead of a period. */
  from?: string
  to?: string
  /** Id of the delivery that is open next to the log. */
  delivery?: string
}

export interface EndpointSearch extends LogSearch {
  edit?: 1
  tab?: string
}

type Given = Record<string, unknown>

const oneOf = <Value extends string>(values: readonly Value[], given: unknown): Value | undefined =>
  values.find((value) => value === given)

const timestamp = (given: unknown): string | undefined =>
  typeof given === 'string' ? timestampAt(Date.parse(given)) : undefined

const text = (given: unknown): string | undefined => (typeof given === 'string' && given ? given : undefined)

/** Removes keys without a value. */
const present = <Search extends object>(search: Search) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Search]?: Exclude<Search[Key], undefined>
  }

const validLogSearch = ({ state, type, period, from, to, delivery }: Given): LogSearch =>
  present({
    state: oneOf(DELIVERY_STATES, state),
    type: oneOf(Object.keys(EVENT_TYPES) as EventType[], type),
    period: oneOf(PERIODS, period),
    from: timestamp(from),
    to: timestamp(to),
    delivery: text(delivery),
  })

export const validEndpointSearch = (given: Given): EndpointSearch => ({
  ...validLogSearch(given),
  ...present({ edit: given.edit === 1 ? (1 as const) : undefined, tab: text(given.tab) }),
})

/** The parameters of the list of endpoints. */
export const validEndpointsSearch = ({ create }: Given): { create?: 1 } => (create === 1 ? { create } : {})

export const useEndpointSearch = usePageSearch<EndpointSearch & { create?: 1 }>
