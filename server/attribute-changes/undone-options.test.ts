// The change set of a change of options.
import { expect, test } from 'vitest'
import type { ChangeSet } from '../../contract/change-sets.ts'
import type { CrmRecord } from '../../contract/records.ts'
import type { UndoneBatch } from '../../contract/undo.ts'
import { newId } from '../base/id.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { buildDeals, MERGED, RECORDS, stored } from './options.fixture.ts'

const service = await sharedTestService()
const { db } = service.ctx

const WIDENED = {
  options: ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost', 'Closed'].map((value) => ({ value })),
}
const RESTORED = { options: WIDENED.options.slice(0, -1) }

test('records that a merge of options rewrote get their options back by the change set of the request', async () => {
  const { org, path, ids } = await buildDeals(service)
  const set = newId()
  expect((await org.patch(path, MERGED, { 'rapport-change-set': set })).status).toBe(200)
  expect(await stored(db, org)).toEqual(['Closed', 'Closed', 'Closed', 'Lead'])
  const { body } = await org.get<{ changeSets: ChangeSet[] }>('/change-sets')
  expect(body.changeSets.map(({ id }) => id)).toContain(set)
  await org.patch(path, WIDENED)
  await org.patch(`${RECORDS}/${ids[2]}`, { data: { stage: 'Proposal' } })
  const undone = await org.post<UndoneBatch>(`/objects/deals/change-sets/${set}/undo`)
  expect(undone.body).toMatchObject({ restored: 2, conflicts: [{ recordId: ids[2], code: 'value_changed' }] })
  expect(await stored(db, org)).toEqual(['Won', 'Won', 'Proposal', 'Lead'])
  expect((await org.patch(path, RESTORED)).status).toBe(200)
})

test('records keep the option of a merge if the former options do not exist again', async () => {
  const { org, path, ids } = await buildDeals(service)
  const set = newId()
  await org.patch(path, MERGED, { 'rapport-change-set': set })
  const { body } = await org.post<UndoneBatch>(`/objects/deals/change-sets/${set}/undo`)
  const refused = { attributeSlug: 'stage', code: 'value_refused', current: 'Closed' }
  expect(body.restored).toBe(0)
  expect(body.conflicts.toSorted((a, b) => a.recordId.localeCompare(b.recordId))).toMatchObject(
    ids.slice(0, 3).map((recordId) => ({ recordId, ...refused })),
  )
})

test('lists get merged options back after others of them were renamed back', async () => {
  const org = await service.org()
  const options = ['Lead', 'Won', 'Lost']
  const { body: attribute } = await org.post<{ id: string }>('/objects/deals/attributes', {
    ...{ name: 'Phases', type: 'select', isList: true, config: { options } },
  })
  const { body: deal } = await org.post<CrmRecord>(RECORDS, {
    data: { name: 'One', phases: ['Lead', 'Lost'] },
  })
  const path = `/objects/deals/select-attributes/${attribute.id}`
  const set = newId()
  const patch = {
    options: [
      { value: 'New', from: ['Lead'] },
      { value: 'Won', from: ['Won', 'Lost'] },
    ],
  }
  await org.patch(path, patch, { 'rapport-change-set': set })
  const widened = { options: [{ value: 'Lead', from: ['New'] }, { value: 'Won' }, { value: 'Lost' }] }
  expect((await org.patch(path, widened)).status).toBe(200)
  const undone = await org.post<UndoneBatch>(`/objects/deals/change-sets/${set}/undo`)
  expect(undone.body).toMatchObject({ restored: 1, conflicts: [] })
  const { body } = await org.get<CrmRecord>(`${RECORDS}/${deal.id}`)
  expect(body.data['phases']).toEqual(['Lead', 'Lost'])
})
