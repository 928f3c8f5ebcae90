// Interface of the sessions, which run in a separate process.
import { fileURLToPath } from 'node:url'
import { ask, startPartner } from '../harness/child.ts'
import type { Lab } from '../harness/lab.ts'

const PROCESS = fileURLToPath(new URL('./sessions-process.ts', import.meta.url))

export interface Audience {
  slug: string
  /** API key that is used for the edits by colleagues. */
  key: string
  personIds: string[]
  /** One cookie for each session that follows the organization. */
  cookies: string[]
}

export interface Question {
  url?: string
  /** Opens a stream for each session of these audiences. */
  follow?: Audience[]
  /** Edits records of these audiences in turn until `stop`. */
  edit?: { audiences: Audience[]; perSecond: number }
  stop?: true
  leave?: true
}

export interface Heard {
  edits: number
  /** Milliseconds between an edit's request and each session's message. */
  delaysMs: number[]
}

export interface Sessions {
  /** @returns milliseconds until all streams are open */
  follow(audiences: Audience[]): Promise<number>
  edit(audiences: Audience[], perSecond: number): Promise<void>
  /** @throws Error when a session does not receive an edit within 10 s, or a stream breaks */
  stop(): Promise<Heard>
  leave(): Promise<void>
}

/** The process ends with the lab. */
export function startSessions(lab: Lab, url: string): Sessions {
  const child = startPartner(lab, { name: 'The sessions', file: PROCESS })
  const send = <Answer extends object>(question: Question) => ask<Answer>(child, { url, ...question })
  return {
    follow: async (audiences) => (await send<{ tookMs: number }>({ follow: audiences })).tookMs,
    edit: async (audiences, perSecond) => void (await send({ edit: { audiences, perSecond } })),
    stop: () => send<Heard>({ stop: true }),
    leave: async () => void (await send({ leave: true })),
  }
}
