// Notifies streams when the version of their member's inbox changes.
import type { Db } from '../db/pool.ts'
import { selectInboxVersions } from '../notifications/inbox-store.ts'
import { INBOX_TEXT } from './message.ts'
import type { Selection } from './reading.ts'
import type { LiveStream } from './stream.ts'

const NEVER_CHANGED = '0'

export class InboxWatch {
  /** The last version of the inbox that each stream's page has read or was notified of. */
  readonly #known = new Map<LiveStream, string>()

  /** Called before the stream starts. The page reads the inbox when the stream is open; later changes are announced. */
  async add(db: Db, stream: LiveStream): Promise<void> {
    const versions = await selectInboxVersions(db, [stream.owner])
    if (!stream.destroyed) this.#known.set(stream, versions.get(0) ?? NEVER_CHANGED)
    stream.once('close', () => this.#known.delete(stream))
  }

  async announce(db: Db, selection: Pick<Selection, 'has'>): Promise<void> {
    const streams = [...this.#known.keys()].filter(({ owner }) => selection.has(owner.org))
    if (streams.length === 0) return
    const versions = await selectInboxVersions(
      db,
      streams.map(({ owner }) => owner),
    )
    for (const [nr, stream] of streams.entries()) {
      const version = versions.get(nr) ?? NEVER_CHANGED
      if (!this.#known.has(stream) || this.#known.get(stream) === version) continue
      if (!stream.send(INBOX_TEXT)) continue
      this.#known.set(stream, version)
    }
  }
}
