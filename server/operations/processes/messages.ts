// What the first process and its children send each other.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type FromChild =
  /** Its event loop runs. */
  | { kind: 'alive' }
  /** Has started; `address`: where it answers requests, if it does. */
  | { kind: 'ready'; address: string | undefined }
  /** Wants the metrics of all processes. */
  | { kind: 'gather'; id: number }
  /** Has committed what the worker may have work with. */
  | { kind: 'wake' }
  /** Its own metrics. */
  | { kind: 'metrics'; id: number; metrics: Metrics }

export type ToChild =
  | { kind: 'pages'; isBuilt: boolean }
  | { kind: 'wake' }
  | { kind: 'collect'; id: number }
  /** Without `text` they could not be put together. */
  | { kind: 'gathered'; id: number; text?: string | undefined }
