// Messages between the first process and its children.
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type Metrics = MetricObjectWithValues<MetricValue<string>>[]

export type FromChild =
  /** The child's event loop runs. */
  | { kind: 'alive' }
  /** The child has started; `address`: for requests, undefined if it answers none. */
  | { kind: 'ready'; address: string | undefined }
  /** The child stops listening as soon as the first process has closed the socket. */
  | { kind: 'leaving' }
  /** The child requests the metrics of all processes. */
  | { kind: 'gather'; id: number }
  /** The child has made a commit that may be work for the worker. */
  | { kind: 'wake' }
  /** The child's own metrics. */
  | { kind: 'metrics'; id: number; metrics: Metrics }

/** The signal to children that are leaving, after the first process has closed the socket and their channels. */
export const LEFT = 'SIGUSR2'

export type ToChild =
  | { kind: 'pages'; isBuilt: boolean }
  | { kind: 'wake' }
  | { kind: 'collect'; id: number }
  /** Without `text`, the metrics could not be merged. */
  | { kind: 'gathered'; id: number; text?: string | undefined }
