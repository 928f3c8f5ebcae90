// A copy of an organization's records, made only from events, as the guide for receivers describes.
import type { Org } from '../factories.ts'

export interface MirrorEvent {
  id: string
  type: string
  recordId: string
  objectId: string
  version: number
  data: Record<string, unknown>
}

/** A record in a mirror and in the API. */
export interface MirrorRecord {
  id: string
  objectId: string
  version: number
  data: Record<string, unknown>
}

type Copy = Omit<MirrorRecord, 'data'> & { data: Record<string, unknown> | undefined }

const byId = (a: MirrorRecord, b: MirrorRecord) => (a.id < b.id ? -1 : 1)

export class Mirror {
  /** Includes deleted records, without data. */
  readonly #copies = new Map<string, Copy>()

  apply({ type, recordId: id, objectId, version, data }: MirrorEvent): void {
    if (!type.startsWith('record.')) return
    const copy = this.#copies.get(id)
    if (copy && copy.version >= version) return
    this.#copies.set(id, { id, objectId, version, data: type === 'record.deleted' ? undefined : data })
  }

  records(): MirrorRecord[] {
    const copies = [...this.#copies.values()]
    return copies.flatMap(({ data, ...copy }) => (data ? [{ ...copy, data }] : [])).sort(byId)
  }
}

export const mirrorOf = (events: readonly MirrorEvent[]): MirrorRecord[] => {
  const mirror = new Mirror()
  for (const event of events) mirror.apply(event)
  return mirror.records()
}

/** Reads all current events of the feed. */
export async function readFeed(org: Org): Promise<MirrorEvent[]> {
  const events: MirrorEvent[] = []
  for (let after = ''; ; ) {
    const { body } = await org.get<{ events: MirrorEvent[]; nextAfter: string }>(
      `/events?limit=100${after && `&after=${after}`}`,
    )
    events.push(...body.events)
    if (body.events.length === 0) return events
    after = body.nextAfter
  }
}

async function recordsOf(org: Org, objectId: string): Promise<MirrorRecord[]> {
  const records: MirrorRecord[] = []
  for (let cursor = ''; ; ) {
    const path = `/objects/${objectId}/records?limit=100${cursor && `&cursor=${cursor}`}`
    const { body } = await org.get<{ records: MirrorRecord[]; pagination: { nextCursor?: string } }>(path)
    records.push(...body.records.map(({ id, version, data }) => ({ id, objectId, version, data })))
    if (body.pagination.nextCursor === undefined) return records
    cursor = encodeURIComponent(body.pagination.nextCursor)
  }
}

/** Reads the records of all objects from the API. */
export async function readRecords(org: Org): Promise<MirrorRecord[]> {
  const { body } = await org.get<{ objects: { id: string }[] }>('/objects')
  const lists = await Promise.all(body.objects.map(({ id }) => recordsOf(org, id)))
  return lists.flat().sort(byId)
}
