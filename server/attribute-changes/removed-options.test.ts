import { describe, expect, test } from 'vitest'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { buildDeals, found, MERGED, RECORDS, stored } from './options.fixture.ts'

const service = await sharedTestService()
const { db } = service.ctx

describe('PATCH /objects/:objectId/select-attributes/:attributeId', () => {
  test('clears a removed option in records, or replaces it by another option', async () => {
    const { org, path } = await buildDeals(service)
    const options = [{ value: 'Lead', from: ['Lost'] }]
    const reply = await org.patch(path, { options })
    expectError(reply, 'option_in_use')
    expect(reply.body['details']).toEqual({ uses: [{ option: 'Won', records: 2 }] })
    expect((await org.patch(path, { options, clear: ['Won'] })).status).toBe(200)
    expect(await stored(db, org)).toEqual([null, null, 'Lead', 'Lead'])
    expectError(await org.post(RECORDS, { data: { name: 'x', stage: 'Won' } }), 'validation_error')
    expect(await found(org, { attributeSlug: 'stage', operator: 'isEmpty', value: true })).toBe(2)
  })

  test('restores a deleted record with the current options', async () => {
    const { org, path, ids } = await buildDeals(service)
    await org.delete(`${RECORDS}/${ids[0]}`)
    await org.patch(path, MERGED)
    const back = await org.post(`/objects/deals/trash/${ids[0]}/restore`, {})
    expect(back).toMatchObject({ status: 200 })
    expect((await org.get<{ data: object }>(`${RECORDS}/${ids[0]}`)).body.data).toMatchObject({
      stage: 'Closed',
    })
  })

  test.each([
    ['twice', { options: [{ value: 'a' }, { value: 'a' }] }, 'options[1].value: uniqueItems'],
    ['from nothing', { options: [{ value: 'a', from: ['b'] }] }, 'options[0].from[0]: unknown_option'],
    [
      'swapped',
      {
        options: [
          { value: 'Lead', from: ['Won'] },
          { value: 'Won', from: ['Lead'] },
        ],
      },
      'options[0].from[0]: still_listed',
    ],
    [
      'to two',
      {
        options: [
          { value: 'a', from: ['Won'] },
          { value: 'b', from: ['Won'] },
        ],
      },
      'options[1].from[0]: duplicate',
    ],
    ['no options', { options: [] }, 'options: minItems'],
    ['unstorable', { options: [{ value: 'a\u0000' }] }, 'options[0].value: invalid_text'],
  ])('refuses options that are %s', async (_, patch, problem) => {
    const { org, path } = await buildDeals(service, [])
    const reply = await org.patch<{ details: { errors: { path: string; code: string }[] } }>(path, patch)
    expectError(reply, 'validation_error')
    const [first] = reply.body.details.errors
    expect(`${first?.path}: ${first?.code}`).toBe(problem)
  })

  test('finds no attribute of another organization', async () => {
    const [{ path }, other] = [await buildDeals(service, []), await service.org()]
    expectError(await other.patch(path, MERGED), 'not_found')
    expectError(await other.get(path), 'not_found')
  })
})
