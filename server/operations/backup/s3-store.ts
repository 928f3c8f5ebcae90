// Backups in a bucket of a store with the S3 protocol.
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Access } from '../../config/config.ts'
import { type Ask, createAsk, dump, requireStatus } from '../../files/s3/client.ts'
import type { ObjectStore } from './object-store.ts'

// An object of 16 MB may take long on a slow line.
const TIMEOUTS = { answerMs: 120_000, pieceMs: 60_000 }

const TRIES = 3
const PAUSE_MS = 500

const NOT_FOUND = 404
const TAKEN = 412

/** Repeats a failed request. Every request is safe to repeat. */
const retried =
  (ask: Ask, pauseMs: number): Ask =>
  async (question) => {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await ask(question)
        if (answer.statusCode < 500 || tries === TRIES) return answer
        await dump(answer)
      } catch (error) {
        if (tries === TRIES) throw error
      }
      await delay(tries * pauseMs)
    }
  }

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const plain = (xml: string) => xml.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all)

const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => plain(text))

interface Listing {
  keys: string[]
  folders: string[]
}

/** Pages of ListObjectsV2. */
async function* pages(ask: Ask, prefix: string, delimiter?: string): AsyncGenerator<Listing> {
  let token: string | undefined
  do {
    const query = {
      'list-type': '2',
      prefix,
      ...(delimiter !== undefined && { delimiter }),
      ...(token !== undefined && { 'continuation-token': token }),
    }
    const answer = await ask({ method: 'GET', key: '', query })
    await requireStatus(answer, [200])
    const xml = await answer.body.text()
    const common = [...xml.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs)]
    yield {
      keys: elements(xml, 'Key'),
      folders: common.flatMap(([, inner = '']) => elements(inner, 'Prefix')),
    }
    token = elements(xml, 'NextContinuationToken')[0]
  } while (token !== undefined)
}

async function putObject(ask: Ask, key: string, body: Buffer, ifAbsent: boolean): Promise<boolean> {
  const headers = { 'content-length': String(body.length), ...(ifAbsent && { 'if-none-match': '*' }) }
  const answer = await ask({ method: 'PUT', key, headers, body })
  await requireStatus(answer, ifAbsent ? [200, TAKEN] : [200])
  await dump(answer)
  return answer.statusCode === 200
}

async function getObject(ask: Ask, key: string): Promise<Buffer | undefined> {
  const answer = await ask({ method: 'GET', key })
  await requireStatus(answer, [200, NOT_FOUND])
  if (answer.statusCode === 200) return Buffer.from(await answer.body.arrayBuffer())
  await dump(answer)
  return undefined
}

async function deleteObject(ask: Ask, key: string): Promise<void> {
  const answer = await ask({ method: 'DELETE', key })
  await requireStatus(answer, [200, 204, NOT_FOUND])
  await dump(answer)
}

/** @param folder in the bucket, without slashes at its ends; empty: the whole bucket */
export function openS3Store(access: S3Access, folder: string, pauseMs = PAUSE_MS): ObjectStore {
  const { ask: askOnce, close } = createAsk(access, TIMEOUTS)
  const ask = retried(askOnce, pauseMs)
  const base = folder === '' ? '' : `${folder}/`
  const keyOf = (name: string) => `${base}${name}`
  async function* list(prefix: string) {
    for await (const { keys } of pages(ask, keyOf(prefix)))
      for (const key of keys) yield key.slice(base.length)
  }
  return {
    where: `s3://${access.bucket}/${folder} at ${access.endpoint}`,
    kind: 'bucket',
    prepare: async () => undefined,
    put: (name, bytes, options = {}) => putObject(ask, keyOf(name), bytes, options.ifAbsent ?? false),
    get: (name) => getObject(ask, keyOf(name)),
    list,
    async folders(prefix) {
      const found: string[] = []
      for await (const page of pages(ask, keyOf(prefix), '/')) found.push(...page.folders)
      return found.map((one) => one.slice(keyOf(prefix).length, -1))
    },
    delete: (name) => deleteObject(ask, keyOf(name)),
    async deleteAll(prefix) {
      for await (const name of list(prefix)) await deleteObject(ask, keyOf(name))
    },
    sweep: async () => undefined,
    close,
  }
}
