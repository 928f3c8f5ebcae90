// Deals with stages, and changes of the stages.
import sql from 'sql-template-tag'
import { vi } from 'vitest'
import type { OptionsPatch } from '../../contract/attribute-options.ts'
import type { Db } from '../db/pool.ts'
import type { Org } from '../test/factories.ts'
import type { SharedService } from '../test/shared-service.ts'

export interface Attribute {
  id: string
  slug: string
  config: { options: string[]; colors?: object; aliases?: object }
}

export const RECORDS = '/objects/deals/records'
export const WON = ['Won', 'Won', 'Lost', 'Lead']
/** Renames Won to Closed, merges Lost into Closed, and moves the other options. */
export const MERGED: OptionsPatch = {
  options: [
    { value: 'Closed', from: ['Won', 'Lost'], color: 'pink' },
    { value: 'Proposal' },
    { value: 'Lead' },
    { value: 'Qualified' },
  ],
}

export async function stageOf(org: Org): Promise<Attribute & { path: string }> {
  const { body } = await org.get<{ attributes: Attribute[] }>('/objects/deals/attributes')
  const stage = body.attributes.find(({ slug }) => slug === 'stage')
  if (!stage) throw new Error('deals have no stage')
  return { ...stage, path: `/objects/deals/select-attributes/${stage.id}` }
}

export async function buildDeals(service: SharedService, stages: readonly string[] = WON) {
  const org = await service.org()
  const ids: string[] = []
  for (const [index, stage] of stages.entries()) {
    const { body } = await org.post<{ id: string }>(RECORDS, { data: { name: `Deal ${index}`, stage } })
    ids.push(body.id)
  }
  return { org, ids, ...(await stageOf(org)) }
}

export const found = async (org: Org, filter: object) =>
  (await org.post<{ pagination: { total: number } }>(`${RECORDS}/search`, { filter })).body.pagination.total
export const equal = (value: string) => ({ attributeSlug: 'stage', operator: 'equals', value })

export const stored = async (db: Db, { org }: Org) =>
  (
    await db.many<{ stage: string | null }>(
      sql`select data->>'stage' as stage from records where org = ${org} order by id`,
    )
  ).map(({ stage }) => stage)

const timeout = AbortSignal.timeout.bind(AbortSignal)

/** Shortens the time after which a request stops rewriting records. */
export async function givenUpSoon(act: () => Promise<unknown>): Promise<void> {
  const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(Math.min(ms, 100)))
  await act().finally(() => shortened.mockRestore())
}
