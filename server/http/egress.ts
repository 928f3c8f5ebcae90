// The one way out: requests to addresses that users name.

/** Why a request came to no complete answer; a part of contract/webhook-states.ts FAILURES. */
export type EgressFailure =
  | 'blocked_address'
  | 'dns'
  | 'refused'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'invalid_response'

export interface EgressRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute; https, or http too where private addresses are allowed. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** From now to the complete answer. */
  timeoutMs: number
  /** So much of the answer's body is read; then the connection is closed. */
  responseBytesMax: number
  /** Ends the request early; `send` then rejects with the signal's reason. */
  signal?: AbortSignal
}

/** null: not taken, such as DNS for a connection that was open already. */
export interface EgressTimings {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  firstByteMs: number | null
  totalMs: number
}

export interface EgressResponse {
  status: number
  headers: Record<string, string | string[]>
  body: Buffer
  isTruncated: boolean
}

export interface EgressOutcome {
  /** The address it connected to; null when it came to none. */
  ip: string | null
  timings: EgressTimings
  /** As far as it came; redirects are answers like any other. */
  response: EgressResponse | null
  /** null: the answer is complete, or was cut at responseBytesMax. */
  failure: EgressFailure | null
  /** What went wrong and what to do, for people; null without a failure. */
  message: string | null
}

export interface Egress {
  /** Never rejects for what the other side does. */
  send(request: EgressRequest): Promise<EgressOutcome>
  /** Whether requests to `url` may be made, as far as it can be told now: undefined, or a sentence why not. */
  check(url: string): Promise<string | undefined>
  close(): Promise<void>
}
