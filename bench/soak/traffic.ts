// A little of everything by concurrent clients. The number of records stays the same, so that what grows does so
// by time and not by data.
import { setTimeout as delay } from 'node:timers/promises'

interface Made {
  id: string
}

export interface Load {
  /** Base address of the service. */
  url: string
  key: string
  /** Id of what one of the clients runs in each tenth round. */
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
    // The service may close a connection that was idle just as it is used again.
    const response = await send().catch(send)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return text === '' ? undefined : JSON.parse(text)
  }

/** Makes or changes the same records each time. */
const bulkRows = (nth: number) =>
  Array.from({ length: BULK_ROWS }, (_, n) => ({
    data: { name: `Bulk company ${n}`, domain: `bulk-${n}.example`, employees: nth },
  }))

/** Deletes, restores, and deletes for good: the trash does not grow. */
async function forget(ask: Ask, id: string): Promise<void> {
  await ask('DELETE', `${COMPANIES}/${id}`)
  await ask('POST', `${TRASH}/${id}/restore`)
  await ask('DELETE', `${COMPANIES}/${id}`)
  await ask('DELETE', `${TRASH}/${id}`)
}

/** One record more, one changed, one fewer when there are enough; rows in bulk; reads of each kind. */
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

/** Runs until `signal` aborts. @returns how many rounds it made @throws when a request is not answered well */
export async function keepBusy(load: Load, signal: AbortSignal): Promise<number> {
  const clients = Array.from({ length: load.clients }, (_, client) => keepClientBusy(load, client, signal))
  const rounds = await Promise.all(clients)
  return rounds.reduce((sum, one) => sum + one, 0)
}
