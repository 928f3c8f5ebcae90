// Live updates of this process. One query reads the events of all organizations with streams, and one checks their
// sessions. Messages only name what changed; pages read it with their own requests. So a stream needs no permission
// beyond its session, which is checked before each message.
import type { Db } from '../db/pool.ts'
import { unavailable } from '../errors.ts'
import { getEndOfFeed } from '../webhooks/feed/store.ts'
import { requireRoom, type StreamBounds } from './bounds.ts'
import { catchUp } from './catch-up.ts'
import { Channel } from './channel.ts'
import { changesText, HEARTBEAT_TEXT } from './message.ts'
import { Rounds } from './rounds.ts'
import { type News, type Place, selectNews, selectStanding } from './store.ts'
import { LiveStream, type StreamOwner } from './stream.ts'

interface Options {
  db: Db
  /** Its number. */
  cell: number
  /** Where sessions and members are. */
  directory: Db
  bounds: StreamBounds
  clock: { now(): Date }
  /** All streams of the process, which its bound counts. */
  openStreams(): readonly LiveStream[]
  onError(error: unknown): void
}

/** Maximum number of events of one organization in one round; the next round follows at once. */
const ROUND_EVENTS = 1000
const HEARTBEAT_MS = 15_000
/** How often the sessions of idle streams are checked; others are checked before each message. */
const STANDING_MS = 5000

export class LiveHub {
  readonly #options: Options
  readonly #channels = new Map<number, Channel>()
  readonly #rounds: Rounds
  #heartbeat: NodeJS.Timeout | undefined
  #lookedAtAll = 0
  #isClosed = false
  /** The number of streams that were closed because their clients read too slowly. */
  slow = 0

  constructor(options: Options) {
    this.#options = options
    this.#rounds = new Rounds(() => this.#round(), options.onError)
  }

  get streams(): LiveStream[] {
    return [...this.#channels.values()].flatMap(({ streams }) => [...streams])
  }

  /** Called after a commit. */
  wake(): void {
    this.#rounds.wake()
  }

  /**
   * @param after id of the last message that the client received
   * @throws AppError 429 rate_limit_exceeded, 503 unavailable
   */
  async open(owner: StreamOwner, after: string | undefined): Promise<LiveStream> {
    const { db, bounds, clock, openStreams } = this.#options
    if (this.#isClosed) throw unavailable('The service is stopping: connect again shortly')
    requireRoom(
      bounds,
      openStreams().map((stream) => stream.owner),
      owner,
    )
    const stream = new LiveStream(owner)
    const channel = this.#join(stream)
    try {
      const missed = { channel, after, now: clock.now() }
      await catchUp(db, missed, (text) => stream.start(HEARTBEAT_TEXT + text))
      return stream
    } catch (error) {
      stream.destroy()
      throw error
    }
  }

  /** Ends every stream, and rejects new ones. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.streams) stream.finish('closing')
    this.#rest()
  }

  #join(stream: LiveStream): Channel {
    const { org } = stream.owner
    const channel = this.#channels.get(org) ?? new Channel(org, getEndOfFeed(this.#options.db))
    this.#channels.set(org, channel)
    channel.streams.add(stream)
    stream.once('close', () => this.#leave(channel, stream))
    this.#heartbeat ??= setInterval(() => this.#beat(), HEARTBEAT_MS).unref()
    this.#rounds.start()
    return channel
  }

  #leave(channel: Channel, stream: LiveStream): void {
    if (stream.wasSlow) this.slow++
    channel.streams.delete(stream)
    if (channel.streams.size > 0) return
    this.#channels.delete(channel.org)
    if (this.#channels.size === 0) this.#rest()
  }

  #rest(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
    this.#rounds.stop()
  }

  #beat(): void {
    for (const channel of this.#channels.values()) channel.send(HEARTBEAT_TEXT)
  }

  /** @returns whether there were events, and whether there are more */
  async #round() {
    const { db, clock } = this.#options
    const places = [...this.#channels.values()].filter((one): one is Channel & Place => !!one.position)
    const news = Map.groupBy(
      await selectNews(db, places, { now: clock.now(), limit: ROUND_EVENTS }),
      ({ org }) => org,
    )
    await this.#endFallen(news)
    for (const [org, events] of news) this.#announce(org, events)
    const lengths = [...news.values()].map((events) => events.length)
    return { isNew: news.size > 0, isMore: lengths.includes(ROUND_EVENTS) }
  }

  #announce(org: number, events: News[]): void {
    const channel = this.#channels.get(org)
    const last = events.at(-1)
    if (!channel?.position || !last) return
    channel.position = { tx: last.tx, id: last.id }
    channel.send(changesText(events))
  }

  /** Ends the streams whose session has ended, whose user is no member any more, or whose organization has moved to another cell. */
  async #endFallen(news: ReadonlyMap<number, unknown>): Promise<void> {
    const isAll = performance.now() - this.#lookedAtAll >= STANDING_MS
    if (isAll) this.#lookedAtAll = performance.now()
    const streams = this.streams.filter(({ owner }) => isAll || news.has(owner.org))
    if (streams.length === 0) return
    const owners = streams.map(({ owner }) => owner)
    const { directory, cell } = this.#options
    const standing = await selectStanding(directory, owners, cell)
    for (const [nr, stream] of streams.entries()) if (!standing.has(nr)) stream.finish('session')
  }
}
