import { describe, expect, test } from 'vitest'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

async function buildDeal(org: Org) {
  const company = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } })
  const deal = await org.post<{ id: string }>('/objects/deals/records', { data: { name: 'One' } })
  return { company: company.body.id, deal: deal.body.id }
}

describe('a reference to a record of the wrong object, together with a correct reference', () => {
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

  test('fails only its row in a batch, even if another row refers to the record correctly', async () => {
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

test('records of a deleted object get no event when the record that they refer to is deleted', async () => {
  const org = await service.org()
  const { company } = await buildDeal(org)
  const companies = await org.get<{ id: string }>('/objects/companies')
  await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  await org.post('/objects/projects/attributes', {
    name: 'Client',
    type: 'reference',
    config: { allowed_object_id: companies.body.id },
  })
  const project = await org.post('/objects/projects/records', { data: { client: company } })
  expect(project.status).toBe(201)
  expect((await org.delete('/objects/projects')).status).toBe(200)
  const before = await org.events()
  expect((await org.delete(`/objects/companies/records/${company}`)).status).toBe(200)
  const said = (await org.events()).slice(before.length)
  expect(said.map(({ type, subject }) => [type, subject])).toEqual([['record.deleted', company]])
})
