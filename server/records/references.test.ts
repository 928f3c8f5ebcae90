import { describe, expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'

const service = await buildTestService()

async function buildDeal(org: Org) {
  const company = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } })
  const deal = await org.post<{ id: string }>('/objects/deals/records', { data: { name: 'One' } })
  return { company: company.body.id, deal: deal.body.id }
}

describe('a reference to a live record of another object, beside one that is right', () => {
  const mistaken = [{ path: 'data.contact', code: 'invalid_reference' }]

  test('is refused on create', async () => {
    const org = await service.org()
    const { company } = await buildDeal(org)
    const data = { name: 'Two', company, contact: company }
    const reply = await org.post('/objects/deals/records', { data })
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({ errors: mistaken })
  })

  test('is refused on update, which changes nothing', async () => {
    const org = await service.org()
    const { company, deal } = await buildDeal(org)
    const reply = await org.patch(`/objects/deals/records/${deal}`, { data: { company, contact: company } })
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({ errors: mistaken })
    const { body } = await org.get(`/objects/deals/records/${deal}`)
    expect(body['data']).toEqual({ name: 'One' })
  })

  test('costs its row only in a batch, also when another row refers to the record rightly', async () => {
    const org = await service.org()
    const { company, deal } = await buildDeal(org)
    const reply = await org.post('/objects/deals/records/bulk', {
      mode: 'upsert',
      records: [
        { data: { name: 'Two', company } },
        { data: { name: 'Three', contact: company } },
        { id: deal, data: { contact: company } },
      ],
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ created: 1, updated: 0, failed: [{ index: 1 }, { index: 2 }] })
  })
})
