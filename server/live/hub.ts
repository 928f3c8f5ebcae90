// Live updates of this process. One query reads the events of all organizations with streams, and one checks their
// sessions. Messages only name what changed; pages read it with their own requests. So a stream needs no permission
// beyond its session, which is checked before each message.

import { unavailable } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { getEndOfFeed } from '../webhooks/feed/store.ts'
import type { StreamSlots } from './bounds.ts'
import { catchUp } from './catch-up.ts'
import { Channel } from './channel.ts'
import { InboxWatch } from './inbox-watch.ts'
import { beatText, changesText } from './message.ts'
import { LiveReading, type Selection } from './reading.ts'
import { Rounds } from './rounds.ts'
import { type PositionedEvent, type SubscriberPositions, selectNews, selectStanding } from './store.ts'
import { LiveStream, type StreamOwner } from './stream.ts'

interface Options {
  db: Db
  cell: number
  /** The database with sign-in sessions and members. */
  directory: Db
  clock: { now(): Date }
  /** Shared by all hubs of the process. */
  slots: StreamSlots
  onError(error: unknown): void
}

/** Maximum number of events of one organization in one round; the next round follows immediately. */
const ROUND_EVENTS = 1000
/** Heartbeats are spread over these steps, so that thousands are not sent at the same time. */
const BEAT_STEP_MS = 1000
const BEAT_STEPS = 15
/** The most server time that a client needs when it reconnects. */
const CONNECTION_MS = 5
const SPREAD_MS_MIN = 1000
/** Server time for each client that reads a change again. All clients see a change within a second. */
const READ_MS = 2
const READS_SPREAD_MS_MAX = 500
/** How often the sessions of idle streams are checked, by one statement; others are checked before each message. */
const STANDING_MS = 1000

export class LiveHub {
  readonly #options: Options
  readonly #channels = new Map<number, Channel>()
  readonly #rounds: Rounds
  readonly #inboxes = new InboxWatch()
  readonly #reading = new LiveReading()
  #beats: NodeJS.Timeout | undefined
  #beatStep = 0
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

  /** Called after a commit. @param org the organization that wrote; undefined if unknown */
  wake(org: number | undefined): void {
    if (org !== undefined && !this.#channels.has(org)) return
    if (org !== undefined) this.#reading.noteWrite(org)
    this.#rounds.wake()
  }

  /**
   * @param after id of the last message that the client received
   * @throws AppError 429 rate_limit_exceeded, 503 unavailable
   */
  async open(owner: StreamOwner, after: string | undefined): Promise<LiveStream> {
    const { db, clock, slots } = this.#options
    if (this.#isClosed) throw unavailable('The service is stopping: connect again shortly')
    const stream = new LiveStream(owner)
    stream.once(
      'close',
      slots.take(owner, () => stream.giveWay()),
    )
    const channel = this.#join(stream)
    try {
      await this.#inboxes.add(db, stream)
      const missed = { channel, after, now: clock.now() }
      await catchUp(db, missed, (text) => stream.start(beatText(this.#connectionSpreadMs) + text))
      // Another stream has taken its place during the catch-up.
      if (stream.destroyed) throw unavailable('All streams of live updates are in use: try again shortly')
      return stream
    } catch (error) {
      stream.destroy()
      throw error
    }
  }

  /** Ends every stream, and rejects new ones. */
  close(): void {
    this.#isClosed = true
    const beat = beatText(this.#connectionSpreadMs)
    for (const stream of this.streams) {
      stream.send(beat)
      stream.finish('closing')
    }
    this.#rest()
  }

  #join(stream: LiveStream): Channel {
    const { org } = stream.owner
    const channel = this.#channels.get(org) ?? new Channel(org, getEndOfFeed(this.#options.db))
    this.#channels.set(org, channel)
    channel.streams.add(stream)
    stream.once('close', () => this.#leave(channel, stream))
    this.#beats ??= setInterval(() => this.#beat(), BEAT_STEP_MS).unref()
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
    clearInterval(this.#beats)
    this.#beats = undefined
    this.#rounds.stop()
  }

  get #connectionSpreadMs(): number {
    return Math.max(SPREAD_MS_MIN, this.#options.slots.taken * CONNECTION_MS)
  }

  #beat(): void {
    this.#beatStep = (this.#beatStep + 1) % BEAT_STEPS
    const text = beatText(this.#connectionSpreadMs)
    for (const { streams } of this.#channels.values())
      for (const stream of streams) if (stream.nr % BEAT_STEPS === this.#beatStep) stream.send(text)
  }

  /** @returns whether there were events, and whether there are more */
  async #round() {
    const { db } = this.#options
    const selection = await this.#reading.select(db)
    const news = Map.groupBy(await this.#readNews(selection), ({ org }) => org)
    await this.#endFallen(news)
    for (const [org, events] of news) this.#announce(org, events)
    await this.#inboxes.announce(db, selection)
    const isMore = [...news.values()].some((events) => events.length === ROUND_EVENTS)
    selection.finish(!isMore)
    return { isNew: news.size > 0, isMore }
  }

  async #readNews(selection: Selection): Promise<PositionedEvent[]> {
    const { db, clock } = this.#options
    const channels = [...this.#channels.values()].filter(
      (one): one is Channel & SubscriberPositions => one.position !== undefined && selection.has(one.org),
    )
    return channels.length === 0 ? [] : selectNews(db, channels, { now: clock.now(), limit: ROUND_EVENTS })
  }

  #announce(org: number, events: PositionedEvent[]): void {
    const channel = this.#channels.get(org)
    const last = events.at(-1)
    if (!channel?.position || !last) return
    channel.position = { tx: last.tx, id: last.id }
    const spreadMs = Math.min(READS_SPREAD_MS_MAX, channel.streams.size * READ_MS)
    channel.send(changesText(events, spreadMs))
  }

  /** Ends streams whose sign-in has ended, whose user is no longer a member, or whose organization changed its cell. */
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
