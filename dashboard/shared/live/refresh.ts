// Reads changed data again: soon after the first change, then with pauses between reads, however many changes
// arrive.
import type { Query, QueryClient } from '@tanstack/react-query'
import { type CrmObject, objectQuery, objectsQuery } from '../api/objects.ts'
import { hasUnsaved } from '../api/unsaved-values.ts'
import { isAffected } from './affected.ts'
import type { LiveChange, LiveNews } from './live-stream.ts'
import type { Objects } from './reference-paths.ts'

/** Collects changes that come together. */
const SOON_MS = 50
/**
 * All clients receive `everything` at the same time, for example after a restart of the service. Their reads are
 * spread.
 */
const SPREAD_EVERYTHING_MS = 5000
/**
 * Least time between two reads. It doubles while more messages arrive than colleagues cause, for example during an
 * import.
 */
const APART_MS = 400
const APART_MS_MAX = 3000
const FEW_MESSAGES = 3
const HELD_MS = 250
const CHANGES_MAX = 500

/** While a card is dragged or a value is being saved, the data of the service is older than the page. */
const isHeld = () => hasUnsaved() || document.querySelector('[data-dragging]') !== null

export class Refresh {
  readonly #client: QueryClient
  readonly #org: string
  #changes: LiveChange[] = []
  #isEverything = false
  /** Queries that were running when a change arrived. Their results may be older than the change. */
  #again = new Set<Query>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #lastAt = Number.NEGATIVE_INFINITY
  #apartMs = APART_MS
  /** The number of messages since the last read. */
  #messages = 0

  constructor(client: QueryClient, org: string) {
    this.#client = client
    this.#org = org
  }

  add(news: LiveNews): void {
    if (news === 'everything' || this.#changes.length > CHANGES_MAX) this.#isEverything = true
    else this.#changes.push(...news.changes)
    this.#messages++
    const spreadMs = news === 'everything' ? SPREAD_EVERYTHING_MS : news.spreadMs
    this.#schedule(SOON_MS + Math.random() * spreadMs)
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #schedule(ms: number): void {
    const sinceLast = performance.now() - this.#lastAt
    this.#timer ??= setTimeout(() => this.#run(), Math.max(ms, this.#apartMs - sinceLast))
  }

  /** Occasional changes are read immediately. Frequent changes are read together. */
  #noteRead(): void {
    this.#lastAt = performance.now()
    this.#apartMs = this.#messages > FEW_MESSAGES ? Math.min(APART_MS_MAX, 2 * this.#apartMs) : APART_MS
    this.#messages = 0
  }

  #run(): void {
    this.#timer = undefined
    if (isHeld()) {
      this.#timer = setTimeout(() => this.#run(), HELD_MS)
      return
    }
    this.#noteRead()
    const affected = this.#affected()
    this.#again = new Set([...affected].filter(({ state }) => state.fetchStatus === 'fetching'))
    const ready = affected.difference(this.#again)
    const refetchType = document.hidden ? 'none' : 'active'
    void this.#client.invalidateQueries({ predicate: (query) => ready.has(query), refetchType })
    if (this.#again.size > 0) this.#schedule(this.#apartMs)
  }

  #affected(): Set<Query> {
    const objects = loadedObjects(this.#client, this.#org)
    const news = this.#isEverything ? 'everything' : this.#changes
    const found = this.#client.getQueryCache().findAll({
      queryKey: [this.#org],
      predicate: ({ queryKey }) => isAffected(queryKey, news, objects),
    })
    this.#changes = []
    this.#isEverything = false
    return new Set([...found, ...this.#again])
  }
}

/** What the page has loaded of the objects of the organization. */
function loadedObjects(client: QueryClient, org: string): Objects {
  const objects = client.getQueryData(objectsQuery(org).queryKey)
  const slugs = new Map(objects?.map(({ id, slug }) => [id, slug]))
  const attributesOf = (object: string) => {
    const find = (ref: string | undefined) =>
      ref === undefined ? undefined : client.getQueryData(objectQuery(org, ref).queryKey)?.attributes
    const isThis = ({ id, slug }: Pick<CrmObject, 'id' | 'slug'>) => id === object || slug === object
    const known = objects?.find(isThis)
    return find(object) ?? find(known?.slug) ?? find(known?.id)
  }
  return {
    slugOf: (id) => slugs.get(id),
    targetOf(object, slug) {
      const attributes = attributesOf(object)
      if (!attributes) return undefined
      const config = attributes.find((attribute) => attribute.slug === slug)?.config
      return config && 'allowed_object_id' in config ? config.allowed_object_id : null
    },
  }
}
