// An object of parts, each with a unique code whose case counts or is ignored.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Db } from '../db/pool.ts'
import { createRecord, type Org } from '../test/factories.ts'
import type { SharedService } from '../test/shared-service.ts'
import { changeUniqueKeys } from './key-job.ts'

export const RECORDS = '/objects/parts/records'

export interface Part {
  id: string
  data: Record<string, unknown>
}

/** @param config config of the attribute `code`; with null, its case counts */
export async function buildParts(
  service: SharedService,
  config: { caseSensitive: boolean } | null,
  definition: object = {},
) {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Parts', singularName: 'Part', slug: 'parts' })
  const code = { name: 'Code', type: 'text', isUnique: true, config, ...definition }
  await org.post('/objects/parts/attributes', { name: 'Title', type: 'text' })
  const { body } = await org.post<{ id: string }>('/objects/parts/attributes', code)
  const path = `/objects/parts/attributes/${body.id}`
  return { org, path, ...partsOf(org), change: (is: boolean) => setCase(org, path, is) }
}

/** Builds parts with a code that is not unique, unless the definition makes it unique. */
export async function buildPlain(service: SharedService, definition: object) {
  const parts = await buildParts(service, null, { isUnique: false, ...definition })
  const change = (isUnique: boolean) =>
    parts.org.patch<{ isUnique: boolean; config: unknown; details: Record<string, unknown> }>(parts.path, {
      isUnique,
    })
  return { ...parts, change }
}

export const setCase = (org: Org, path: string, caseSensitive: boolean) =>
  org.patch<{ config: unknown; details: Record<string, unknown> }>(path, { config: { caseSensitive } })

export const partsOf = (org: Org) => ({
  /** @returns the id of the new record */
  async add(code: unknown): Promise<string> {
    return (await createRecord(org, 'parts', { code })).id
  },
  tryToAdd: (code: unknown) => org.post<Part>(RECORDS, { data: { code } }),
})

/** All keys in `uniques` of the organization, each with the number of its record in the order of ids. */
export const keysOf = async (db: Db, { org }: Org) =>
  (
    await db.many<{ value: string; place: number }>(sql`
      select u.value, (select count(*)::int from records r where r.org = u.org and r.id < u.id) as place
      from uniques u where u.org = ${org} order by 2, 1`)
  ).map(({ value, place }) => `${place} ${value}`)

/** Finishes the key changes of the organization: each phase waits for the end of older transactions. */
export const finishKeyChanges = (service: SharedService, { org }: Org) =>
  expect
    .poll(
      async () => {
        await changeUniqueKeys(service.ctx, new AbortController().signal)
        return service.ctx.db.value<number>(sql`select count(*)::int from case_changes where org = ${org}`)
      },
      { interval: 20 },
    )
    .toBe(0)
