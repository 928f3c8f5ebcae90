// What the first process and its children send each other.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type FromChild =
  /** Its event loop runs. */
  | { kind: 'alive' }
  /** Has started; `address`: where it answers requests, if it does. */
  | { kind: 'ready'; address: string | undefined }
  /** Stops listening as soon as the first process holds the socket no longer. */
  | { kind: 'leaving' }
  /** Wants the metrics of all processes. */
  | { kind: 'gather'; id: number }
  /** Has committed what the worker may have work with. */
  | { kind: 'wake' }
  /** Its own metrics. */
  | { kind: 'metrics'; id: number; metrics: Metrics }

/** To those that are leaving, once it holds the socket no longer: the channel to it has ended then. */
export const LEFT = 'SIGUSR2'

export type ToChild =
  | { kind: 'pages'; isBuilt: boolean }
  | { kind: 'wake' }
  | { kind: 'collect'; id: number }
  /** Without `text` they could not be put together. */
  | { kind: 'gathered'; id: number; text?: string | undefined }
