// The position from which a reader of the feed continues: after an event, or after all events readable at some time.
import { BEFORE_ALL_EVENTS, type ConsumerPosition } from '../../events/clock.ts'

/** The end of the readable feed at some time. */
export interface FeedEnd {
  /** No new event gets a place below it: xid8 as text. */
  tx: string
  /** Milliseconds since 1970. */
  atMs: number
}

const END = /^end_(\d{1,19})_(\d{1,15})$/
const TX_MAX = 2n ** 63n - 1n

export const endText = ({ tx, atMs }: FeedEnd): string => `end_${tx}_${atMs}`

/** @returns undefined when the text is not one of `endText` */
export function parseEnd(text: string): FeedEnd | undefined {
  const [, tx, ms] = END.exec(text) ?? []
  return tx === undefined || BigInt(tx) > TX_MAX ? undefined : { tx, atMs: Number(ms) }
}

export const behind = ({ tx }: FeedEnd): ConsumerPosition => ({ tx, id: BEFORE_ALL_EVENTS.id })
