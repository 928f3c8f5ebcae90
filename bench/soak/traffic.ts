// A little of everything, a few times a second, so that what grows does so by time and not by data.
import { setTimeout as delay } from 'node:timers/promises'

interface Made {
  id: string
}

const RECORDS_MAX = 50
const PAUSE_MS = 500

type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

const asking =
  (url: string, key: string): Ask =>
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

/** One record more, one changed, one fewer when there are enough, a list and the events. */
async function round(ask: Ask, ids: string[], nth: number): Promise<void> {
  const made = (await ask('POST', '/objects/companies/records', { data: { name: `Company ${nth}` } })) as Made
  ids.push(made.id)
  await ask('PATCH', `/objects/companies/records/${made.id}`, { data: { name: `Company ${nth}, Inc.` } })
  if (ids.length > RECORDS_MAX) await ask('DELETE', `/objects/companies/records/${ids.shift()}`)
  await ask('GET', '/objects/companies/records?limit=20')
  await ask('GET', '/events?limit=20')
}

/** Runs until `signal` aborts. @returns how many rounds it made @throws when a request is not answered well */
export async function keepBusy(url: string, key: string, signal: AbortSignal): Promise<number> {
  const ask = asking(url, key)
  const ids: string[] = []
  let rounds = 0
  while (!signal.aborted) {
    await round(ask, ids, rounds++)
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
  return rounds
}
