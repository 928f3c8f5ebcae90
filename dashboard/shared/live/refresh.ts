// Reads again what changed: soon after the first change, then as often as is useful, however many changes there are.
import type { Query, QueryClient } from '@tanstack/react-query'
import { objectsQuery } from '../api/objects.ts'
import { hasUnsaved } from '../records/unsaved-values.ts'
import { isAffected } from './affected.ts'
import type { LiveChange, LiveNews } from './live-stream.ts'

/** Changes come in groups; and those who see the same change do not all ask at the same moment. */
const SOON_MS = 200
const SPREAD_MS = 1000
/** All are notified at once, such as after a restart of the service. */
const SPREAD_EVERYTHING_MS = 5000
const APART_MS = 3000
const HELD_MS = 250
const CHANGES_MAX = 500

/** While a card is carried or a value is on its way, what the service has is older than what is shown. */
const isHeld = () => hasUnsaved() || document.querySelector('[data-dragging]') !== null

export class Refresh {
  readonly #client: QueryClient
  readonly #org: string
  #changes: LiveChange[] = []
  #isEverything = false
  /** What was being read when it changed: the answer may be from before. */
  #again = new Set<Query>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(client: QueryClient, org: string) {
    this.#client = client
    this.#org = org
  }

  add(news: LiveNews): void {
    if (news === 'everything' || this.#changes.length > CHANGES_MAX) this.#isEverything = true
    else this.#changes.push(...news.changes)
    this.#schedule(SOON_MS + Math.random() * (news === 'everything' ? SPREAD_EVERYTHING_MS : SPREAD_MS))
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #schedule(ms: number): void {
    const sinceLast = performance.now() - this.#lastAt
    this.#timer ??= setTimeout(() => this.#run(), Math.max(ms, APART_MS - sinceLast))
  }

  #run(): void {
    this.#timer = undefined
    if (isHeld()) {
      this.#timer = setTimeout(() => this.#run(), HELD_MS)
      return
    }
    this.#lastAt = performance.now()
    const affected = this.#affected()
    this.#again = new Set([...affected].filter(({ state }) => state.fetchStatus === 'fetching'))
    const ready = affected.difference(this.#again)
    const refetchType = document.hidden ? 'none' : 'active'
    void this.#client.invalidateQueries({ predicate: (query) => ready.has(query), refetchType })
    if (this.#again.size > 0) this.#schedule(APART_MS)
  }

  #affected(): Set<Query> {
    const objects = this.#client.getQueryData(objectsQuery(this.#org).queryKey)
    const slugs = new Map(objects?.map(({ id, slug }) => [id, slug]))
    const news = this.#isEverything ? 'everything' : this.#changes
    const found = this.#client.getQueryCache().findAll({
      queryKey: [this.#org],
      predicate: ({ queryKey }) => isAffected(queryKey, news, (id) => slugs.get(id)),
    })
    this.#changes = []
    this.#isEverything = false
    return new Set([...found, ...this.#again])
  }
}
