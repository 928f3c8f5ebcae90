// The stream of live updates of an organization. It is reopened when it breaks, after increasing pauses.
import type { LiveChange as EventChange, LiveMessages } from '../../../contract/live.ts'
import { urlOf } from '../api/client.ts'
import { readVisitor } from '../api/session.ts'
import { sessionEnded, whenSignedIn } from '../api/session-guard.ts'

/**
 * A change in the organization. `inbox`: the member's inbox may have changed. `access`: the member's permissions may
 * have.
 */
export type LiveChange = Omit<EventChange, 'type'> & { type: EventChange['type'] | 'inbox' | 'access' }

/** The changes, with the id of the last event. `everything`: changes were missed, so all data may have changed. */
export type LiveNews = { changes: readonly LiveChange[]; spreadMs: number; id: string } | 'everything'

const FIRST_PAUSE_MS = 1000
const PAUSE_MAX_MS = 60_000
/** A stream that ends sooner counts as a failed attempt. */
const STEADY_MS = 10_000
/** The service sends a beat every 15 s. After a computer sleeps, a dead stream may still look open. */
const SILENCE_MS_MAX = 40_000

/** Random, so that clients that lost their streams together do not reconnect together. */
const pauseAfter = (failures: number, spreadMs: number) => {
  const ms = Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  return ms / 2 + Math.random() * Math.max(ms, spreadMs)
}

const dataOf = <Name extends keyof LiveMessages>(event: MessageEvent): LiveMessages[Name] =>
  JSON.parse(event.data)

export class LiveStream {
  readonly #org: string
  readonly #hear: (news: LiveNews) => void
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  /** The last value from the service. It grows with the number of streams. */
  #spreadMs = FIRST_PAUSE_MS
  #lastId: string
  #failures = 0
  #openedAt = 0
  #hasMissed = false
  #isClosed = false

  /** @param lastId the stream continues after this event; '' starts with new events */
  constructor(org: string, { lastId, hear }: { lastId: string; hear(news: LiveNews): void }) {
    this.#org = org
    this.#hear = hear
    this.#lastId = lastId
    void this.#open()
  }

  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  #drop(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#silence)
    this.#source?.close()
    this.#source = undefined
  }

  async #open(): Promise<void> {
    await whenSignedIn()
    if (this.#isClosed) return
    const query = { after: this.#lastId || undefined }
    const source = new EventSource(urlOf('GET /events/stream', { org: this.#org, query }))
    this.#source = source
    // Also closes a stream that never opens.
    this.#expectBeat()
    source.onopen = () => this.#onOpen()
    source.onerror = () => this.#onBreak()
    source.addEventListener('beat', (event) => {
      this.#spreadMs = dataOf<'beat'>(event).spreadMs
      this.#expectBeat()
    })
    source.addEventListener('changes', (event) => {
      this.#lastId = event.lastEventId
      this.#hear({ ...dataOf<'changes'>(event), id: event.lastEventId })
    })
    source.addEventListener('inbox', () => this.#hearOf('inbox'))
    source.addEventListener('reload', () => this.#reload())
    source.addEventListener('end', (event) => {
      // Every tab checks what has ended: the session or the membership.
      if (dataOf<'end'>(event).reason === 'session') this.#hearOf('access')
      this.#onBreak()
    })
  }

  #expectBeat(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#onBreak(), SILENCE_MS_MAX)
  }

  #hearOf(type: 'inbox' | 'access'): void {
    const changes: LiveChange[] = [{ type, objectId: null, ids: null }]
    this.#hear({ changes, spreadMs: 0, id: this.#lastId })
  }

  #reload(): void {
    this.#lastId = ''
    this.#hasMissed = false
    this.#hear('everything')
  }

  #onOpen(): void {
    this.#openedAt = performance.now()
    this.#expectBeat()
    // Without an id to continue from, the service cannot send the missed changes.
    if (this.#hasMissed && this.#lastId === '') this.#reload()
    this.#hasMissed = false
    // The stream does not report inbox changes from before it was opened.
    this.#hearOf('inbox')
  }

  #onBreak(): void {
    this.#drop()
    const lasted = this.#openedAt === 0 ? 0 : performance.now() - this.#openedAt
    this.#openedAt = 0
    this.#hasMissed = true
    this.#failures = lasted > STEADY_MS ? 1 : this.#failures + 1
    this.#timer = setTimeout(() => void this.#tryAgain(), pauseAfter(this.#failures, this.#spreadMs))
  }

  async #tryAgain(): Promise<void> {
    if (this.#failures > 1) await this.#lookAtService()
    if (!this.#isClosed) void this.#open()
  }

  /**
   * A refused stream gives no reason. If the service responds to a request, pages read their data again without a
   * stream.
   */
  async #lookAtService(): Promise<void> {
    try {
      const session = await readVisitor()
      if (!session) sessionEnded()
      else if (!this.#isClosed) this.#hear('everything')
    } catch {
      // The service cannot be reached. The stream is retried anyway.
    }
  }
}
