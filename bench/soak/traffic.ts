// A mixed load by concurrent clients. The number of records stays the same, so that any growth comes from time and not
// from data.
import { setTimeout as delay } from 'node:timers/promises'

interface Made {
  id: string
}

export interface Load {
  /** Base address of the service. */
  url: string
  key: string
  /** Id of the report that the first client runs in every tenth round. */
  report: string
  clients: number
}

const RECORDS_MAX = 50
const PAUSE_MS = 500
const BULK_ROWS = 20
const REPORT_EVERY = 10

type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

const COMPANIES = '/objects/companies/records'
const TRASH = '/objects/companies/trash'

const asking =
  ({ url, key }: Load): Ask =>
  async (method, path, body) => {
    const send = () =>
      fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    // Retries once: the service may close an idle connection just when it is used again.
    const response = await send().catch(send)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return text === '' ? undefined : JSON.parse(text)
  }

/** Rows that create or change the same records each time. */
const bulkRows = (nth: number) =>
  Array.from({ length: BULK_ROWS }, (_, n) => ({
    data: { name: `Bulk company ${n}`, domain: `bulk-${n}.example`, employees: nth },
  }))

/** Deletes a record, restores it, and deletes it permanently, so that the trash does not grow. */
async function forget(ask: Ask, id: string): Promise<void> {
  await ask('DELETE', `${COMPANIES}/${id}`)
  await ask('POST', `${TRASH}/${id}/restore`)
  await ask('DELETE', `${COMPANIES}/${id}`)
  await ask('DELETE', `${TRASH}/${id}`)
}

/** Creates and changes a record, deletes one when there are enough, upserts rows in bulk, and reads. */
async function round(ask: Ask, ids: string[], name: string, nth: number): Promise<void> {
  const made = (await ask('POST', COMPANIES, { data: { name } })) as Made
  ids.push(made.id)
  await ask('PATCH', `${COMPANIES}/${made.id}`, { data: { name: `${name}, Inc.` } })
  const oldest = ids.length > RECORDS_MAX ? ids.shift() : undefined
  if (oldest !== undefined) await forget(ask, oldest)
  await ask('POST', `${COMPANIES}/bulk`, { mode: 'upsert', matchOn: 'domain', records: bulkRows(nth) })
  await ask('GET', `${COMPANIES}/${made.id}`)
  await ask('GET', `${COMPANIES}?limit=20`)
  await ask('POST', `${COMPANIES}/search`, { q: 'company', sort: { field: 'name' }, limit: 20 })
  await ask('GET', '/events?limit=20')
}

async function keepClientBusy(load: Load, client: number, signal: AbortSignal): Promise<number> {
  const ask = asking(load)
  const ids: string[] = []
  let rounds = 0
  while (!signal.aborted) {
    await round(ask, ids, `Company ${client}-${rounds}`, rounds)
    rounds++
    if (client === 0 && rounds % REPORT_EVERY === 0) await ask('POST', `/reports/${load.report}/run`)
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
  return rounds
}

/** Runs until `signal` aborts. @returns the number of rounds @throws Error when a request fails */
export async function keepBusy(load: Load, signal: AbortSignal): Promise<number> {
  const clients = Array.from({ length: load.clients }, (_, client) => keepClientBusy(load, client, signal))
  const rounds = await Promise.all(clients)
  return rounds.reduce((sum, one) => sum + one, 0)
}
